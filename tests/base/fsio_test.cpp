#include "base/fsio.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/error.hpp"
#include "support/thrown.hpp"

namespace elmx {
namespace {

namespace fs = std::filesystem;

/// A new, empty folder for each test.
class FsioTest : public testing::Test {
 protected:
  void SetUp() override {
    const std::string test = testing::UnitTest::GetInstance()->current_test_info()->name();
    folder_ = fs::path(testing::TempDir()) / ("elmx_fsio_" + test);
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

TEST_F(FsioTest, ReadsBytesAsTheyAre) {
  const std::string bytes("a\r\n\0\xff", 5);
  const auto path = put("bytes", bytes);

  EXPECT_EQ(read_file(path), bytes);
  EXPECT_EQ(read_file(put("empty", "")), "");
}

TEST_F(FsioTest, ReadNamesTheFileItCannotRead) {
  const std::string missing = (folder_ / "missing.csv").string();

  EXPECT_EQ(thrown<DataError>([&] { read_file(missing); }), missing + ": cannot be read: No such file or directory");
  EXPECT_EQ(thrown<DataError>([&] { read_file(folder_); }), folder_.string() + ": cannot be read: it is a folder");
}

TEST_F(FsioTest, WriteReplacesTheFileAndLeavesNothingElse) {
  const auto path = put("table.md", "old and much longer");

  write_file(path, "new");

  EXPECT_EQ(read_file(path), "new");
  EXPECT_EQ(files(), 1u);
}

TEST_F(FsioTest, WriteRefusesAFolderThatIsNotThere) {
  const auto path = folder_ / "none" / "table.md";

  EXPECT_EQ(thrown<ConfigError>([&] { write_file(path, "x"); }),
            path.string() + ": cannot be written: No such file or directory");
}

TEST_F(FsioTest, WriteThatFailsLeavesNoPart) {
  const auto path = folder_ / "folder";
  fs::create_directories(path / "inside");

  EXPECT_THROW(write_file(path, "x"), ConfigError);
  EXPECT_EQ(files(), 1u);
}

TEST_F(FsioTest, WriteRefusesAFullDisk) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  const auto path = folder_ / "table.md";
  fs::create_symlink("/dev/full", path.string() + ".part");

  EXPECT_EQ(thrown<ConfigError>([&] { write_file(path, "x"); }),
            path.string() + ": cannot be written: No space left on device");
  EXPECT_EQ(files(), 0u);
}

}  // namespace
}  // namespace elmx
