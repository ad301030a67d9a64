#include "base/files/own_files.hpp"

#include "base/files/files.hpp"
#include "support/scratch.hpp"
#include "support/thrown.hpp"

namespace elmx {
namespace {

class OwnFilesTest : public ScratchTest {
 protected:
  OwnFilesTest() { std::filesystem::create_directories(folder_); }
  std::string place_refused(const std::string& name) const {
    return place_thrown<OutputError>([&] { write_own_file(folder_, name, "elmx"); });
  }
  bool exists(const std::string& name) const { return std::filesystem::exists(folder_ / name); }
  void remove_all() const {
    remove_own_files(folder_, [](const std::string&) { return true; });
  }
};

TEST_F(OwnFilesTest, OwnFilesAreReplacedAndForeignOnesRefused) {
  std::filesystem::create_directories(folder_ / "tables" / "folder.md");
  write("tables/mine.md", "mine");
  write_own_file(folder_, "tables/time.md", "first");
  write_own_file(folder_, "tables/time.md", "second");

  EXPECT_EQ(read("tables/time.md"), "second");
  for (const char* name : {"tables/mine.md", "tables/folder.md"})
    EXPECT_EQ(place_refused(name), (folder_ / name).string());
  EXPECT_EQ(read("tables/mine.md"), "mine");
}

TEST_F(OwnFilesTest, AFileInPlaceOfAFolderIsRefused) {
  write("tables", "mine");
  EXPECT_EQ(place_refused("tables/time.md"), (folder_ / "tables").string());
}

TEST_F(OwnFilesTest, OnlyOwnFilesAreRemoved) {
  std::filesystem::create_directories(folder_ / "plots");
  write("plots/mine.svg", "mine");
  for (const char* name : {"log.txt", "plots/a.svg", "states/a.state"}) write_own_file(folder_, name, "");

  remove_own_files(folder_, [](const std::string& name) { return name != "log.txt"; });

  EXPECT_TRUE(exists("log.txt") && exists("plots/mine.svg"));
  EXPECT_FALSE(exists("plots/a.svg") || exists("states"));
  write("plots/a.svg", "mine, because the one of elmx is gone");
  EXPECT_NE(place_refused("plots/a.svg"), "");
}

TEST_F(OwnFilesTest, AListNamesNoFilesElsewhere) {
  for (const char* name : {"elsewhere", "results"}) std::filesystem::create_directories(folder_ / name);
  write("victim", "mine");
  write("elsewhere/file", "mine");
  write("results/log.txt", "");
  const auto results = folder_ / "results";
  std::filesystem::create_directory_symlink(folder_ / "elsewhere", results / "plots");
  write("results/.elmx-files", "../victim\n" + (folder_ / "victim").string() +
                                   "\ntables/../../victim\nplots/file\n\nplots/\n.\n..\nlog.txt\n");

  remove_own_files(results, [](const std::string&) { return true; });

  EXPECT_EQ(read("victim") + read("elsewhere/file"), "minemine");
  EXPECT_FALSE(exists("results/log.txt"));
}

TEST_F(OwnFilesTest, ATornListKeepsItsWholeLines) {
  write_own_file(folder_, "log.txt", "");
  std::ofstream(folder_ / ".elmx-files", std::ios::app) << "tables/ti";
  write_own_file(folder_, "tables/time.md", "");

  remove_all();

  EXPECT_FALSE(exists("log.txt") || exists("tables/time.md"));
}

TEST_F(OwnFilesTest, TheListIsNotWrittenThroughALink) {
  write("victim", "mine");
  std::filesystem::create_symlink("victim", folder_ / ".elmx-files");

  EXPECT_NE(place_refused("log.txt"), "");

  EXPECT_EQ(read("victim"), "mine");
}

TEST_F(OwnFilesTest, ADeletedFileIsMissed) {
  write_own_file(folder_, "models/a.h5", "");
  EXPECT_FALSE(lacks_own_file(folder_, "models/"));
  std::filesystem::remove(folder_ / "models/a.h5");
  EXPECT_TRUE(lacks_own_file(folder_, "models/"));
  EXPECT_FALSE(lacks_own_file(folder_, "plots/"));
}

}  // namespace
}  // namespace elmx
