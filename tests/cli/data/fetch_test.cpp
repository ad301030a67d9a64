#include <gtest/gtest.h>

#include "base/files/sha256.hpp"
#include "cli/program.hpp"
#include "data/content/content.hpp"
#include "data/test_server.hpp"

namespace elmx {
namespace {

const std::string kFetchedRows = "1,2,3\n4,5,6\n7,8,9\n2,3,4\n";

/// Tests `elmx data fetch` with a catalogue of one set, which is stored as made/made.csv.
class FetchProgram : public ProgramTest {
 protected:
  FetchProgram() {
    file_ = {{"path", "made/made.csv"},
             {"sha256", sha256(kFetchedRows)},
             {"size", kFetchedRows.size()},
             {"url", server_.url("/made.csv")}};
    write("stored/mine", "a file of the user");
  }

  Environment home() const {
    const Json set = {{"name", "made"}, {"title", "Made up"}, {"target", {"-1"}},
                      {"rows", 4},      {"features", 2},      {"files", {file_}}};
    write("home/data/catalogue.json", Json{{"sets", Json::array({set})}}.dump());
    return {{"ELMX_HOME", (work() / "home").string()}, {"ELMX_DATA", (work() / "stored").string()}};
  }

  TestServer server_;
  Json file_;
};

TEST_F(FetchProgram, FetchesOnceAndReportsIt) {
  server_.content["/made.csv"] = kFetchedRows;
  EXPECT_EQ(run({"data", "fetch", "made"}, home()).out, "made: fetched\n");
  EXPECT_EQ(run({"data", "fetch"}, home()).out, "made: already here\n");
  EXPECT_EQ(read("stored/made/made.csv"), kFetchedRows);
  EXPECT_TRUE(run({"data", "fetch", "sinc"}, home()).out.starts_with("sinc: generated"));
}

TEST_F(FetchProgram, NamesWhereAnotherContentIsKept) {
  server_.content["/made.csv"] = kFetchedRows;
  write("stored/made/made.csv", "an edited copy\n");

  const Outcome outcome = run({"data", "fetch", "made"}, home());

  const std::string path = (work() / "stored/made/made.csv").string();
  EXPECT_EQ(outcome.code, 0);
  EXPECT_TRUE(is_one_line(outcome.err) && outcome.err.starts_with("elmx: " + path)) << outcome.err;
  EXPECT_NE(outcome.err.find(path + ".replaced"), std::string::npos) << outcome.err;
  EXPECT_EQ(read("stored/made/made.csv.replaced"), "an edited copy\n");
}

TEST_F(FetchProgram, ContinuesAfterASetThatCannotBeWritten) {
  write("stored/made", "a file where a folder is to be");

  const Outcome outcome = run({"data", "fetch", "made", "sinc"}, home());

  EXPECT_EQ(outcome.code, 3);
  EXPECT_TRUE(outcome.err.starts_with("elmx: " + (work() / "stored/made").string() + ": ")) << outcome.err;
  EXPECT_TRUE(outcome.out.starts_with("sinc: generated")) << outcome.out;
}

TEST_F(FetchProgram, GivesUpWhatIsTooSlow) {
  server_.answer["/made.csv"] = [](const TestClient& client, const TestRequest&) {
    client.head("200 OK", kFetchedRows.size());
    client.wait_for_the_end();
  };
  std::filesystem::create_directories(work() / "stored/made");
  const Environment environment = home();

  refuses(3, {"data", "fetch", "made", "--timeout", "1"}, {server_.url("/made.csv") + ": ", " 1 s", "--timeout"},
          environment);
  refuses(2, {"data", "fetch", "made", "--timeout", "0"}, {"--timeout"}, environment);
}

TEST_F(FetchProgram, ThreeAtOnceEndWell) {
  server_.answer["/made.csv"] = [](const TestClient& client, const TestRequest&) {
    client.head("200 OK", kFetchedRows.size());
    client.send(kFetchedRows.substr(0, 5));
    client.wait(300);
    client.send(kFetchedRows.substr(5));
  };
  const Environment environment = home();

  std::vector<pid_t> fetches;
  for (int i = 0; i < 3; ++i) fetches.push_back(start({"data", "fetch", "made"}, environment));
  for (const pid_t fetch : fetches) EXPECT_EQ(finish(fetch).code, 0);

  EXPECT_EQ(read("stored/made/made.csv"), kFetchedRows);
}

TEST_F(FetchProgram, ResumesTheDownloadOfAKilledFetch) {
  server_.answer["/made.csv"] = in_turn({[](const TestClient& client, const TestRequest&) {
                                           client.head("200 OK", kFetchedRows.size());
                                           client.send(kFetchedRows.substr(0, 5));
                                           client.wait_for_the_end();
                                         },
                                         serves(kFetchedRows)});
  const Environment environment = home();
  const pid_t fetch = start({"data", "fetch", "made"}, environment);
  const auto arrived = [&] {
    for (const auto& [name, content] : snapshot()) {
      if (name.ends_with(".part") && content.size() == 5) return true;
    }
    return false;
  };
  for (int i = 0; i < 1000 && !arrived(); ++i) ::usleep(10000);
  ::kill(fetch, SIGKILL);
  finish(fetch);

  EXPECT_EQ(run({"data", "fetch", "made"}, environment).code, 0);

  EXPECT_EQ(read("stored/made/made.csv"), kFetchedRows);
  EXPECT_EQ(server_.requests().back().range, "5-");
}

TEST_F(FetchProgram, StartsNoProgramToUnpack) {
  Environment environment = home();
  environment["PATH"] = (work() / "bin").string();
  for (const std::string name : {"lrzip", "lzop", "grzip", "gzip", "xz", "uudecode"}) {
    write("bin/" + name, "#!/bin/sh\necho started >> '" + (work() / "started").string() + "'\n");
    std::filesystem::permissions(work() / "bin" / name, std::filesystem::perms::owner_all);
  }
  for (const std::string packed : {"gzip", "compress", "tar.gz", "xlsx", "pictures"}) {
    file_["packed"] = packed;
    file_["member"] = packed == "tar.gz" ? "made.csv" : "";
    for (const std::string& magic :
         {std::string("LRZI\0\6", 6), std::string("\x89LZO\0\r\n\x1a\n", 9), std::string("GRZipII\0\2\4:)", 12)}) {
      server_.content["/made.csv"] = magic + std::string(1000, '\0');
      home();
      EXPECT_EQ(run({"data", "fetch", "made"}, environment).code, 3);
    }
  }
  EXPECT_FALSE(exists("started"));
}

}  // namespace
}  // namespace elmx
