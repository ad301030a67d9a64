#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <fstream>

#include "base/error.hpp"
#include "base/files/files.hpp"
#include "base/files/own_files.hpp"
#include "support/thrown.hpp"

namespace elmx {
namespace {

namespace fs = std::filesystem;

/// A new, empty folder for each test.
class AppendFileTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) /
              (std::string("elmx_append_") + testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path put(const std::string& name, const std::string& content) const {
    std::ofstream(folder_ / name, std::ios::binary) << content;
    return folder_ / name;
  }

  fs::path folder_;
};

TEST_F(AppendFileTest, CreatesTheFileAndGrowsIt) {
  const auto path = folder_ / "records.jsonl";

  AppendFile file(path);
  file.append("one");
  const std::string after_one = read_file(path);
  file.append("two");

  EXPECT_EQ(after_one, "one\n");
  EXPECT_EQ(read_file(path), "one\ntwo\n");
}

TEST_F(AppendFileTest, GoesOnAfterWholeLines) {
  const auto path = put("records.jsonl", "one\ntwo\n");

  AppendFile(path).append("three");

  EXPECT_EQ(read_file(path), "one\ntwo\nthree\n");
}

TEST_F(AppendFileTest, CutsAHalfLine) {
  const auto path = put("records.jsonl", "one\nhal");

  AppendFile(path).append("two");

  EXPECT_EQ(read_file(path), "one\ntwo\n");
}

TEST_F(AppendFileTest, CutsAHalfFirstLine) {
  const auto path = put("records.jsonl", "hal");

  AppendFile(path).append("one");

  EXPECT_EQ(read_file(path), "one\n");
}

TEST_F(AppendFileTest, RefusesWhatCannotBeWritten) {
  const auto path = folder_ / "none" / "records.jsonl";

  EXPECT_EQ(place_thrown<ConfigError>([&] { AppendFile file(path); }), path.string());
  EXPECT_EQ(place_thrown<ConfigError>([&] { AppendFile file(folder_); }), folder_.string());
}

TEST_F(AppendFileTest, SaysHowMuchOfALastLineItHasCut) {
  EXPECT_EQ(AppendFile(put("torn", "one\nhal")).torn_bytes(), 3u);
  EXPECT_EQ(AppendFile(put("whole", "one\n")).torn_bytes(), 0u);
}

TEST_F(AppendFileTest, AFileThatMayNotGrowStaysAsItWas) {
  const auto path = folder_ / "records.jsonl";
  ::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const rlimit limit{10, before.rlim_max};
  AppendFile file(path);
  file.append("one");

  ::setrlimit(RLIMIT_FSIZE, &limit);
  const std::string refused = place_thrown<ConfigError>([&] { file.append("seven bytes and more"); });
  const std::string kept = read_file(path);
  ::setrlimit(RLIMIT_FSIZE, &before);
  file.append("two");

  EXPECT_EQ(refused, path.string());
  EXPECT_EQ(kept, "one\n");
  EXPECT_EQ(read_file(path), "one\ntwo\n");
}

TEST_F(AppendFileTest, IsWrittenAnewWhereItIsDeletedOrCut) {
  const auto path = folder_ / "below" / "records.jsonl";
  fs::create_directories(path.parent_path());
  AppendFile file(path);
  file.append("one");

  fs::remove(path);
  file.append("two");
  EXPECT_EQ(read_file(path), "one\ntwo\n");
  fs::resize_file(path, 2);
  file.append("three");
  EXPECT_EQ(read_file(path), "one\ntwo\nthree\n");
  fs::remove_all(path.parent_path());
  file.restore();
  EXPECT_EQ(read_file(path), "one\ntwo\nthree\n");
  EXPECT_EQ(file.restored(), 3u);
}

TEST_F(AppendFileTest, WhatCannotBeWrittenAnewIsKeptElsewhere) {
  const auto path = folder_ / "records.jsonl";
  AppendFile file(path);
  file.append("one");
  put("other", "mine");
  fs::rename(folder_ / "other", path);

  const std::string refused = thrown<ConfigError>([&] { file.append("two"); });

  EXPECT_EQ(read_file(path), "mine");
  EXPECT_TRUE(refused.starts_with(path.string() + ": ")) << refused;
  const fs::path kept = refused.substr(refused.rfind(' ') + 1);
  EXPECT_EQ(read_file(kept), "one\n");
  fs::remove(kept);
}

}  // namespace
}  // namespace elmx
