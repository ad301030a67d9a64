#include "support/memory.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cmath>
#include <fstream>

#include "base/machine/machine.hpp"

namespace elmx {
namespace {

namespace fs = std::filesystem;

/// /proc and /sys as they are inside of control groups.
class ControlGroups : public testing::Test {
 protected:
  ControlGroups()
      : root_(fs::path(testing::TempDir()) / testing::UnitTest::GetInstance()->current_test_info()->name()) {
    fs::remove_all(root_);
  }
  ~ControlGroups() override { fs::remove_all(root_); }

  void write(const std::string& file, const std::string& text) const {
    fs::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << text << '\n';
  }
  void version2(const std::string& group) const {
    write("proc/self/cgroup", "0::" + group);
    write("proc/self/mountinfo",
          "22 1 0:5 / /proc rw - proc proc rw\n30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 "
          "rw,nsdelegate");
  }
  MemoryLimit limit() const { return limit_of_control_groups(root_.string()); }

  fs::path root_;
};

TEST_F(ControlGroups, NoneIsNoLimit) {
  EXPECT_TRUE(std::isinf(limit().left));
  EXPECT_TRUE(limit().by.empty());
}

TEST_F(ControlGroups, Version2IsTheLimitLessTheUseThatIsNoCache) {
  version2("/a/b");
  write("sys/fs/cgroup/a/b/memory.max", "300000000");
  write("sys/fs/cgroup/a/b/memory.current", "120000000");
  write("sys/fs/cgroup/a/b/memory.stat", "anon 5\ninactive_file 40000000\nactive_file 10000000");

  EXPECT_DOUBLE_EQ(limit().most, 3e8);
  EXPECT_DOUBLE_EQ(limit().left, 3e8 - 1.2e8 + 5e7);
  EXPECT_EQ(limit().by, "of a control group");
}

TEST_F(ControlGroups, OneAboveThatHasLessLeftCounts) {
  version2("/a/b");
  write("sys/fs/cgroup/a/b/memory.max", "max");
  write("sys/fs/cgroup/a/b/memory.current", "1000");
  write("sys/fs/cgroup/a/memory.max", "5000");
  write("sys/fs/cgroup/a/memory.current", "4000");

  EXPECT_DOUBLE_EQ(limit().left, 1000);
}

TEST_F(ControlGroups, AGroupOverItsLimitHasNothingLeft) {
  version2("/");
  write("sys/fs/cgroup/memory.max", "5000");
  write("sys/fs/cgroup/memory.current", "6000");

  EXPECT_DOUBLE_EQ(limit().left, 0);
}

TEST_F(ControlGroups, Version1InAContainerThatSeesItsOwnGroupOnly) {
  write("proc/self/cgroup", "9:name=systemd:/x\n4:memory:/docker/abc\n1:cpu:/");
  write("proc/self/mountinfo", "31 23 0:27 /docker/abc /sys/fs/cgroup/memory ro master:9 - cgroup cgroup rw,memory");
  write("sys/fs/cgroup/memory/memory.limit_in_bytes", "314572800");
  write("sys/fs/cgroup/memory/memory.usage_in_bytes", "104857600");
  write("sys/fs/cgroup/memory/memory.stat", "inactive_file 1\ntotal_inactive_file 4096");

  EXPECT_DOUBLE_EQ(limit().left, 200 * 1048576.0 + 4096);

  write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712");
  EXPECT_TRUE(std::isinf(limit().left)) << "how version 1 writes that there is none";
}

TEST_F(ControlGroups, DamagedFilesAreNoLimit) {
  version2("/../../elsewhere");
  write("sys/fs/cgroup/memory.max", "many");

  EXPECT_TRUE(std::isinf(limit().left));
}

TEST(MemoryLimit, TheTightestHasTheLeastLeftAndTheLeastInAll) {
  const MemoryLimit both = tightest({100, 50, "a"}, {80, 60, "b"});

  EXPECT_EQ(both.by, "a");
  EXPECT_DOUBLE_EQ(both.left, 50);
  EXPECT_DOUBLE_EQ(both.most, 80);
}

TEST(MemoryLimit, OfTheAddressSpaceIsWhatUlimitLeaves) {
  if (::dlsym(RTLD_DEFAULT, "__asan_init") != nullptr)
    GTEST_SKIP() << "not with AddressSanitizer, whose shadow has taken it all";
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_AS, &before), 0);
  if (before.rlim_cur != RLIM_INFINITY) GTEST_SKIP() << "limited already";
  EXPECT_TRUE(limit_of_address_space().by.empty());

  rlimit lower = before;
  lower.rlim_cur = rlim_t{1} << 42;
  ASSERT_EQ(::setrlimit(RLIMIT_AS, &lower), 0);
  const MemoryLimit limit = limit_of_address_space();
  ASSERT_EQ(::setrlimit(RLIMIT_AS, &before), 0);

  EXPECT_EQ(limit.by, "of ulimit -v");
  EXPECT_DOUBLE_EQ(limit.most, std::pow(2.0, 42));
  EXPECT_LT(limit.left, limit.most);
  EXPECT_GT(limit.left, 0);
}

TEST(Memory, PeakMemoryIsInBytesAndNeverFalls) {
  const double before = peak_memory();

  const std::string block(64 << 20, 'x');
  const double after = peak_memory();

  EXPECT_GT(before, 1e5);
  EXPECT_LT(before, 1e12);
  EXPECT_GE(after, 64 << 20);
  EXPECT_GE(after, before);
  EXPECT_EQ(block.back(), 'x');
}

TEST(ShowBytes, HasTwoDigitsAndBinaryPrefixes) {
  EXPECT_EQ(show_bytes(0), "0 B");
  EXPECT_EQ(show_bytes(1023), "1023 B");
  EXPECT_EQ(show_bytes(1536), "1.5 KiB");
  EXPECT_EQ(show_bytes(20.0 * 1024 * 1024), "20 MiB");
  EXPECT_EQ(show_bytes(5e18), "4441 PiB");
}

// Without a fixed bound, the release of an array of 16 MiB moves all later arrays of 2 MiB into the heap.
TEST(Memory, LargeArraysStayOutOfTheHeap) {
  if (!can_measure_memory()) GTEST_SKIP() << "sanitizers have an allocator of their own";
  keep_large_arrays_out_of_heap();
  EXPECT_NE(std::vector<char>(16 << 20).data(), nullptr);
  const std::size_t before = ::mallinfo2().hblks;
  const std::vector<char> array(2 << 20), small(1 << 19);
  EXPECT_NE(array.data(), small.data());
  EXPECT_EQ(::mallinfo2().hblks, before + 1) << "the large array alone has pages of its own";
}

}  // namespace
}  // namespace elmx
