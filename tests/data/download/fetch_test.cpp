#include "data/download/fetch.hpp"

#include <gtest/gtest.h>

#include "data/content/content.hpp"
#include "data/test_archive.hpp"
#include "data/test_fetch.hpp"

namespace elmx {
namespace {

const std::string kText = "1,2\n3,4\n";

class Fetch : public FetchTest {
 protected:
  using FetchTest::add;
  CatalogueFile& add(const std::string& path, const std::string& url_path) { return add(path, url_path, kText); }
};

TEST_F(Fetch, StoresAGoodFileBelowTheDataDirectory) {
  add("sub/made.csv", "/made.csv");
  server_.content["/made.csv"] = kText;

  const auto fetched = fetch_all();

  ASSERT_EQ(fetched.size(), 1U);
  EXPECT_EQ(fetched[0].path, data_dir() / "sub/made.csv");
  EXPECT_EQ(fetched[0].kept, "");
  EXPECT_EQ(stored("sub/made.csv"), kText);
  EXPECT_EQ(folder_.listing(), "data/sub/made.csv\n");
}

TEST_F(Fetch, SkipsFilesThatAreThere) {
  add("made.csv", "/made.csv");
  folder_.write("data/made.csv", kText);

  EXPECT_TRUE(fetch_all().empty());
  EXPECT_EQ(server_.requests().size(), 0U);
}

TEST_F(Fetch, KeepsBesideItWhatStoodInThePlaceOfAFile) {
  add("made.csv", "/made.csv");
  server_.content["/made.csv"] = kText;
  for (const std::string name : {"made.csv.replaced", "made.csv.replaced-2"}) {
    folder_.write("data/made.csv", name);

    EXPECT_EQ(fetch_all().at(0).kept, data_dir() / name);

    EXPECT_EQ(stored("made.csv"), kText);
    EXPECT_EQ(stored(name), name);
  }
}

TEST_F(Fetch, FollowsRedirects) {
  add("made.csv", "/old");
  server_.redirect["/old"] = server_.url("/new");
  server_.content["/new"] = kText;

  fetch_all();

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
  add("made.csv.gz", "/made.csv.gz").packed = "gzip";
  add("made.csv.Z", "/made.csv.Z").packed = "compress";
  server_.content["/made.csv.gz"] = gzip(kText) + gzip("");
  server_.content["/made.csv.Z"] = test_compress(kText);

  fetch_all();

  EXPECT_EQ(stored("made.csv.gz"), server_.content["/made.csv.gz"]);
  EXPECT_EQ(stored("made.csv.Z"), server_.content["/made.csv.Z"]);
}

TEST_F(Fetch, CompressesOrUncompressesAsTheNameSays) {
  add("made.csv.gz", "/made.csv");
  add("made.csv", "/made.csv.Z").packed = "compress";
  server_.content["/made.csv"] = kText;
  server_.content["/made.csv.Z"] = test_compress(kText);

  fetch_all();

  EXPECT_EQ(gunzip(stored("made.csv.gz"), ""), kText);
  EXPECT_EQ(stored("made.csv"), kText);
}

TEST_F(Fetch, TakesAMemberOfAnArchive) {
  CatalogueFile& file = add("made.csv", "/archive");
  file.packed = "tar.gz";
  file.member = "a/made.csv";
  server_.content["/archive"] = test_archive(TestArchive::tar_gz, {{"a/readme", "x"}, {"a/made.csv", kText}});
  file.packed_sha256 = sha256(server_.content["/archive"]);

  fetch_all();

  EXPECT_EQ(stored("made.csv"), kText);
  EXPECT_EQ(folder_.listing(), "data/made.csv\n");
}

TEST_F(Fetch, TakesTheMirrorWhereTheFirstAddressFails) {
  add("made.csv", "/gone").mirror = server_.url("/mirror");
  server_.content["/mirror"] = kText;

  fetch_all();

  EXPECT_EQ(stored("made.csv"), kText);
}

TEST_F(Fetch, LeavesTheMirrorTheTimeThatTheFirstAddressDidNotTake) {
  limits_.seconds = 1;
  add("made.csv", "/slow").mirror = server_.url("/mirror");
  server_.answer["/slow"] = [](const TestClient& client, const TestRequest&) { client.wait_for_the_end(); };
  server_.answer["/mirror"] = [](const TestClient& client, const TestRequest& request) {
    client.wait(300);
    serves(kText)(client, request);
  };

  EXPECT_TRUE(names_all(refusal(), {server_.url("/slow") + ": ", server_.url("/mirror") + ": "}));
}

TEST_F(Fetch, NamesBothAddressesIfBothFail) {
  add("made.csv", "/gone").mirror = server_.url("/mirror");

  EXPECT_EQ(place(), server_.url("/gone"));
  EXPECT_TRUE(names_all(refusal(), {"404", server_.url("/mirror") + ": "}));
}

TEST_F(Fetch, RefusesAWrongChecksumAndLeavesNothingBehind) {
  add("made.csv", "/made.csv");
  server_.content["/made.csv"] = "1,2\n3,5\n";

  EXPECT_TRUE(names_all(refusal(), {server_.url("/made.csv") + ": ", sha256("1,2\n3,5\n"), sha256(kText)}));
  EXPECT_EQ(folder_.listing(), "");
}

TEST_F(Fetch, KeepsTheFilesBeforeTheOneThatFails) {
  add("good.csv", "/good");
  add("bad.csv", "/bad");
  server_.content["/good"] = kText;

  EXPECT_EQ(place(), server_.url("/bad"));
  EXPECT_EQ(folder_.listing(), "data/good.csv\n");
}

TEST_F(Fetch, RefusesAServerThatDoesNotAnswer) {
  add("made.csv", "/x").url = "http://127.0.0.1:1/x";

  EXPECT_EQ(place(), "http://127.0.0.1:1/x");
  EXPECT_EQ(folder_.listing(), "");
}

TEST_F(Fetch, RefusesAddressesThatAreNotOfTheWeb) {
  add("made.csv", "/x").url = "file:///etc/hostname";
  EXPECT_TRUE(names_all(refusal(), {"file:///etc/hostname: ", "rotocol"}));
}

TEST_F(Fetch, RefusesAFileWithoutAnAddress) {
  add("made.csv", "/x").url = "";
  entry_.name = "made";
  EXPECT_EQ(place(), (data_dir() / "made.csv").string());
}

TEST_F(Fetch, StoresTheFilesOfTheSetThatHaveAnAddress) {
  add("unserved.csv", "/x").url = "";
  add("good.csv", "/good");
  server_.content["/good"] = kText;

  EXPECT_EQ(place(), (data_dir() / "unserved.csv").string());
  EXPECT_EQ(folder_.listing(), "data/good.csv\n");
}

TEST_F(Fetch, RefusesADataDirectoryThatIsAFile) {
  add("made.csv", "/x");
  folder_.write("data", "a file");
  EXPECT_EQ(place_thrown<ConfigError>([&] { fetch(entry_, data_dir()); }), data_dir().string());
}

TEST_F(Fetch, VerifyTellsTheStateOfEveryFile) {
  for (const std::string name : {"plain", "packed.gz", "wrong", "truncated.gz", "missing", "short", "device"})
    add(name, "/x");
  folder_.write("data/plain", kText);
  folder_.write("data/packed.gz", gzip(kText));
  folder_.write("data/wrong", "1,2\n3,5\n");
  folder_.write("data/short", "1,2\n");
  std::filesystem::create_symlink("/dev/zero", data_dir() / "device");
  folder_.write("data/truncated.gz", gzip(kText).substr(0, 15));

  const std::vector<FileReport> reports = verify(entry_, data_dir());

  ASSERT_EQ(reports.size(), 7U);
  EXPECT_EQ(reports[0].state, FileState::ok);
  EXPECT_EQ(reports[1].state, FileState::ok);
  EXPECT_EQ(reports[2].state, FileState::wrong);
  EXPECT_TRUE(names_all(reports[2].what, {sha256("1,2\n3,5\n"), sha256(kText)}));
  EXPECT_EQ(reports[3].state, FileState::wrong);
  EXPECT_FALSE(reports[3].what.empty() || contains_text(reports[3].what, "truncated.gz")) << "printed with its path";
  EXPECT_EQ(reports[4].state, FileState::missing);
  EXPECT_EQ(to_string(reports[4].state), "missing");
  EXPECT_TRUE(names_all(reports[5].what, {"8", "4"}));
  EXPECT_FALSE(reports[6].what.empty());
}

}  // namespace
}  // namespace elmx
