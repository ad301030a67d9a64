#include "base/files/files.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "base/error.hpp"
#include "base/files/sha256.hpp"
#include "base/machine/machine.hpp"
#include "support/thrown.hpp"

namespace elmx {
namespace {

namespace fs = std::filesystem;

/// A new, empty folder for each test.
class FilesTest : public testing::Test {
 protected:
  void SetUp() override {
    const std::string test = testing::UnitTest::GetInstance()->current_test_info()->name();
    folder_ = fs::path(testing::TempDir()) / ("elmx_files_" + test);
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path put(const std::string& name, const std::string& content) const {
    std::ofstream(folder_ / name, std::ios::binary) << content;
    return folder_ / name;
  }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  fs::path folder_;
};

TEST(Sha256, KnownAnswers) {
  // FIPS 180-2, appendix B, and the empty text.
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

TEST_F(FilesTest, ReadsBytesAsTheyAre) {
  const std::string bytes("a\r\n\0\xff", 5);
  const auto path = put("bytes", bytes);

  EXPECT_EQ(read_file(path), bytes);
  EXPECT_EQ(read_file(put("empty", "")), "");
}

TEST_F(FilesTest, ReadNamesTheFileItCannotRead) {
  const std::string missing = (folder_ / "missing.csv").string();

  EXPECT_EQ(place_thrown<DataError>([&] { read_file(missing); }), missing);
  EXPECT_EQ(place_thrown<DataError>([&] { read_file(folder_); }), folder_.string());
}

TEST_F(FilesTest, WriteReplacesTheFileAndLeavesNothingElse) {
  const auto path = put("table.md", "old and much longer");

  write_file(path, "new");

  EXPECT_EQ(read_file(path), "new");
  EXPECT_EQ(files(), 1u);
}

TEST_F(FilesTest, OutputNeverReplacesAnInput) {
  const auto path = put("data.csv", "1,2"), link = folder_ / "link.csv";
  fs::create_symlink(path, link);
  EXPECT_EQ(BlocksOfFile(path).head(2), "1,");

  EXPECT_EQ(place_thrown<ConfigError>([&] { write_output(link, "x"); }), link.string());
  EXPECT_EQ(read_file(path), "1,2");
}

TEST_F(FilesTest, WriteRefusesAFolderThatIsNotThere) {
  const auto path = folder_ / "none" / "table.md";

  EXPECT_EQ(place_thrown<OutputError>([&] { write_file(path, "x"); }), path.string());
}

TEST_F(FilesTest, WriteThatFailsLeavesNoPart) {
  const auto path = folder_ / "folder";
  fs::create_directories(path / "inside");

  EXPECT_THROW(write_file(path, "x"), ConfigError);
  EXPECT_EQ(files(), 1u);
}

TEST_F(FilesTest, WriteThatFindsNoRoomKeepsTheOldFile) {
  const auto path = put("table.md", "old");
  ::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const rlimit limit{10, before.rlim_max};

  ::setrlimit(RLIMIT_FSIZE, &limit);
  const std::string refused = place_thrown<OutputError>([&] { write_file(path, "more than ten bytes"); });
  ::setrlimit(RLIMIT_FSIZE, &before);

  EXPECT_EQ(refused, path.string());
  EXPECT_EQ(read_file(path), "old");
  EXPECT_EQ(files(), 1u);
}

TEST_F(FilesTest, WriteGoesThroughADevice) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  const auto path = folder_ / "full";  // a link, so that whatever is wrong harms no device of this machine
  fs::create_symlink("/dev/full", path);

  EXPECT_EQ(place_thrown<OutputError>([&] { write_file(path, "x"); }), path.string());
  EXPECT_TRUE(fs::is_symlink(path));
}

TEST_F(FilesTest, WriteFollowsNoLinkThatItHasNotBeenGivenAndTouchesNoNeighbour) {
  const auto victim = put("victim", "mine"), path = put("table.md", "old");
  fs::create_symlink(victim, path.string() + ".part");

  write_file(path, "new");

  EXPECT_EQ(read_file(victim), "mine");
  EXPECT_TRUE(fs::is_symlink(path.string() + ".part"));
  EXPECT_EQ(files(), 3u);
}

TEST_F(FilesTest, WriteKeepsPermissionsAndGoesThroughLinks) {
  const auto path = put("table.md", "old"), link = folder_ / "link.md", dangling = folder_ / "dangling.md";
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("table.md", link);
  fs::create_symlink("new.md", dangling);

  write_file(link, "new");
  write_file(dangling, "made");

  EXPECT_EQ(read_file(path), "new");
  EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(read_file(folder_ / "new.md"), "made");
  EXPECT_TRUE(fs::is_symlink(link) && fs::is_symlink(dangling));
}

TEST_F(FilesTest, ReadsPipesToTheirEndUpToABound) {
  const auto path = folder_ / "pipe";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  const std::string content(300000, 'x');
  const auto read_while_written = [&](std::size_t most) {
    const std::jthread writer([&] { std::ofstream(path, std::ios::binary) << content; });
    return read_file(path, most);
  };
  ::signal(SIGPIPE, SIG_IGN);

  EXPECT_EQ(read_while_written(content.size()), content);
  EXPECT_EQ(place_thrown<ConfigError>([&] { read_while_written(100000); }), path.string());
}

TEST_F(FilesTest, ReadRefusesDevices) {
  EXPECT_EQ(place_thrown<DataError>([] { read_file("/dev/zero"); }), "/dev/zero");
}

TEST_F(FilesTest, ReadRefusesAFileThatNoMemoryHolds) {
  const auto path = put("large", "");
  fs::resize_file(path, std::uintmax_t{1} << 42);
  const std::string refused = thrown<ConfigError>([&] { read_file(path); });
  EXPECT_TRUE(refused.starts_with(path.string() + ": ")) << refused;
  EXPECT_NE(refused.find("4.0 TiB"), std::string::npos) << refused;
}

TEST_F(FilesTest, BlocksOfAFileThatNoMemoryHoldsAreRead) {
  const auto path = put("large", "first");
  fs::resize_file(path, std::uintmax_t{1} << 42);
  const BlocksOfFile file(path);

  EXPECT_EQ(file.head(5), "first");
  EXPECT_EQ(place_thrown<ConfigError>([&] { file.head(file.size()); }), path.string());
  EXPECT_EQ(place_thrown<DataError>([&] {
              char byte = 0;
              file.read(file.size(), 1, &byte);
            }),
            path.string());
}

TEST_F(FilesTest, AFolderHasOneLock) {
  {
    const FolderLock lock(folder_);
    EXPECT_EQ(place_thrown<UserError>([&] { FolderLock second(folder_); }), folder_.string());
  }
  EXPECT_EQ(thrown<UserError>([&] { FolderLock third(folder_); }), "");
}

/// TMPDIR during a test.
class TemporaryPlace {
 public:
  explicit TemporaryPlace(const fs::path& place) : before_(temporary_place()) { set(place); }
  ~TemporaryPlace() { set(before_); }
  TemporaryPlace(const TemporaryPlace&) = delete;
  TemporaryPlace& operator=(const TemporaryPlace&) = delete;

 private:
  static void set(const fs::path& place) { ::setenv("TMPDIR", place.c_str(), 1); }
  fs::path before_;
};

TEST(MemoryFile, OtherProgramsReadAndWriteIt) {
  const MemoryFile from("a\nb"), to;

  ASSERT_EQ(run_program({"sh", "-c", "cat \"$0\" \"$0\" > \"$1\"", from.path(), to.path()}, "/"), 0);
  EXPECT_EQ(read_file(to.path()), "a\nba\nb");
}

TEST(TemporaryPlace, IsTmpIfTheVariableIsEmpty) {
  const TemporaryPlace empty("");
  EXPECT_EQ(temporary_place(), "/tmp");
}

}  // namespace
}  // namespace elmx
