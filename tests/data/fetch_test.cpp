#include "data/fetch.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/fsio.hpp"
#include "data/content.hpp"
#include "data/test_archive.hpp"
#include "data/test_files.hpp"
#include "data/test_server.hpp"

namespace elmx {
namespace {

const std::string kText = "1,2\n3,4\n";

class Fetch : public testing::Test {
 protected:
  CatalogueFile& add(const std::string& path, const std::string& url_path) {
    CatalogueFile& file = entry_.files.emplace_back();
    file.path = path;
    file.url = server_.url(url_path);
    file.sha256 = sha256(kText);
    return file;
  }

  std::string refusal() {
    return message_of<DataError>([&] { fetch(entry_, data_dir()); });
  }

  std::filesystem::path data_dir() const { return folder_.path() / "data"; }
  std::string stored(const std::string& path) const { return read_file(data_dir() / path); }

  TestFolder folder_;
  TestServer server_;
  CatalogueEntry entry_;
};

TEST_F(Fetch, StoresAGoodFileBelowTheDataDirectory) {
  add("sub/made.csv", "/made.csv");
  server_.content["/made.csv"] = kText;

  const auto fetched = fetch(entry_, data_dir());

  EXPECT_EQ(fetched, std::vector{data_dir() / "sub/made.csv"});
  EXPECT_EQ(stored("sub/made.csv"), kText);
  EXPECT_EQ(folder_.listing(), "data/sub/made.csv\n");
}

TEST_F(Fetch, SkipsFilesThatAreThereAndReplacesWrongOnes) {
  add("made.csv", "/made.csv");
  server_.content["/made.csv"] = kText;
  folder_.write("data/made.csv", "damaged");
  EXPECT_EQ(fetch(entry_, data_dir()).size(), 1U);
  EXPECT_EQ(stored("made.csv"), kText);

  EXPECT_TRUE(fetch(entry_, data_dir()).empty());
  EXPECT_EQ(server_.requests(), 1);
}

TEST_F(Fetch, FollowsRedirects) {
  add("made.csv", "/old");
  server_.redirect["/old"] = server_.url("/new");
  server_.content["/new"] = kText;

  fetch(entry_, data_dir());

  EXPECT_EQ(stored("made.csv"), kText);
}

TEST_F(Fetch, ReportsProgress) {
  add("made.csv", "/made.csv");
  server_.content["/made.csv"] = kText;
  std::size_t last = 0;

  fetch(entry_, data_dir(), [&](const CatalogueFile& file, std::size_t done, std::size_t) {
    EXPECT_EQ(file.path, "made.csv");
    last = done;
  });

  EXPECT_EQ(last, kText.size());
}

TEST_F(Fetch, StoresPublishedCompressionAsItCame) {
  add("made.csv.gz", "/made.csv.gz");
  add("made.csv.Z", "/made.csv.Z");
  server_.content["/made.csv.gz"] = gzip(kText) + gzip("");
  server_.content["/made.csv.Z"] = test_compress(kText);

  fetch(entry_, data_dir());

  EXPECT_EQ(stored("made.csv.gz"), server_.content["/made.csv.gz"]);
  EXPECT_EQ(stored("made.csv.Z"), server_.content["/made.csv.Z"]);
}

TEST_F(Fetch, CompressesOrUncompressesAsTheNameSays) {
  add("made.csv.gz", "/made.csv");
  add("made.csv", "/made.csv.Z");
  server_.content["/made.csv"] = kText;
  server_.content["/made.csv.Z"] = test_compress(kText);

  fetch(entry_, data_dir());

  EXPECT_EQ(gunzip(stored("made.csv.gz"), ""), kText);
  EXPECT_EQ(stored("made.csv"), kText);
}

TEST_F(Fetch, TakesAMemberOfAnArchive) {
  for (const TestArchive kind : {TestArchive::zip, TestArchive::tar_gz}) {
    entry_.files.clear();
    std::filesystem::remove_all(data_dir());
    add("made.csv", "/archive").member = "a/made.csv";
    server_.content["/archive"] = test_archive(kind, {{"a/readme", "x"}, {"a/made.csv", kText}});

    fetch(entry_, data_dir());

    EXPECT_EQ(stored("made.csv"), kText);
    EXPECT_EQ(folder_.listing(), "data/made.csv\n");
  }
}

TEST_F(Fetch, TakesTheMirrorWhereTheFirstAddressFails) {
  add("made.csv", "/gone").mirror = server_.url("/mirror");
  server_.content["/mirror"] = kText;

  fetch(entry_, data_dir());

  EXPECT_EQ(stored("made.csv"), kText);
}

TEST_F(Fetch, RefusesAWrongChecksumAndLeavesNothingBehind) {
  add("made.csv", "/made.csv");
  server_.content["/made.csv"] = "1,2\n3,5\n";

  EXPECT_EQ(refusal(),
            server_.url("/made.csv") + ": sha256 " + sha256("1,2\n3,5\n") + "; " + sha256(kText) + " is expected");
  EXPECT_EQ(folder_.listing(), "");
}

TEST_F(Fetch, KeepsTheFilesBeforeTheOneThatFails) {
  add("good.csv", "/good");
  add("bad.csv", "/bad");
  server_.content["/good"] = kText;

  EXPECT_EQ(refusal(), server_.url("/bad") + ": HTTP status 404; 200 is expected");
  EXPECT_EQ(folder_.listing(), "data/good.csv\n");
}

TEST_F(Fetch, RefusesADownloadThatBreaksOff) {
  add("made.csv", "/broken");
  server_.content["/broken"] = TestServer::kBroken;

  EXPECT_NE(refusal().find(server_.url("/broken") + ": "), std::string::npos);
  EXPECT_EQ(folder_.listing(), "");
}

TEST_F(Fetch, RefusesAServerThatDoesNotAnswer) {
  add("made.csv", "/x").url = "http://127.0.0.1:1/x";

  const std::string message = refusal();

  EXPECT_EQ(message.substr(0, 43), "http://127.0.0.1:1/x: Failed to connect to ") << message;
  EXPECT_EQ(folder_.listing(), "");
}

TEST_F(Fetch, RefusesAddressesThatAreNotOfTheWeb) {
  add("made.csv", "/x").url = "file:///etc/hostname";
  EXPECT_NE(refusal().find("rotocol"), std::string::npos);
}

TEST_F(Fetch, RefusesAFileWithoutAnAddress) {
  add("made.csv", "/x").url = "";
  EXPECT_EQ(refusal(), (data_dir() / "made.csv").string() +
                           ": no address to download from; its publisher does not serve this content (see notes)");
}

TEST_F(Fetch, RefusesADataDirectoryThatCannotBe) {
  add("made.csv", "/x");
  folder_.write("data", "a file");
  EXPECT_THROW(fetch(entry_, data_dir()), ConfigError);
}

TEST_F(Fetch, VerifyTellsTheStateOfEveryFile) {
  for (const std::string name : {"plain", "packed.gz", "wrong", "truncated.gz", "missing"}) add(name, "/x");
  folder_.write("data/plain", kText);
  folder_.write("data/packed.gz", gzip(kText));
  folder_.write("data/wrong", "1,2\n");
  folder_.write("data/truncated.gz", gzip(kText).substr(0, 15));

  const std::vector<FileReport> reports = verify(entry_, data_dir());

  ASSERT_EQ(reports.size(), 5U);
  EXPECT_EQ(reports[0].state, FileState::ok);
  EXPECT_EQ(reports[1].state, FileState::ok);
  EXPECT_EQ(reports[2].state, FileState::wrong);
  EXPECT_EQ(reports[2].what, "sha256 " + sha256("1,2\n") + "; " + sha256(kText) + " is expected");
  EXPECT_EQ(reports[3].state, FileState::wrong);
  EXPECT_NE(reports[3].what.find("end too early"), std::string::npos);
  EXPECT_EQ(reports[4].state, FileState::missing);
  EXPECT_EQ(to_string(reports[4].state), "missing");
}

}  // namespace
}  // namespace elmx
