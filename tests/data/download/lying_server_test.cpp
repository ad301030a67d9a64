#include <gtest/gtest.h>

#include <chrono>
#include <future>

#include "data/content/content.hpp"
#include "data/test_archive.hpp"
#include "data/test_fetch.hpp"

namespace elmx {
namespace {

const std::string kTwoRows = "1,2\n3,4\n";

/// A server that does not serve what the catalogue says. Nothing is stored, and nothing is left behind unless
/// a test says so.
class LyingServer : public FetchTest {
 protected:
  CatalogueFile& add(const std::string& packed = "no") {
    CatalogueFile& file = FetchTest::add("made.csv", "/made.csv", kTwoRows);
    file.packed = packed;
    return file;
  }

  /// Expects that the fetch is refused with the address as the place and all `parts` in the message, and that
  /// nothing is left in the data directory.
  void expect_refused(const std::vector<std::string>& parts = {}) const {
    std::vector<std::string> all{server_.url("/made.csv") + ": "};
    all.insert(all.end(), parts.begin(), parts.end());
    EXPECT_TRUE(names_all(refusal(), all));
    EXPECT_EQ(folder_.listing(), "");
  }

  void answers(TestAnswer answer) { server_.answer["/made.csv"] = std::move(answer); }
};

std::string a_line_of(std::size_t bytes) { return std::string(bytes - 1, '1') + "\n"; }

TEST_F(LyingServer, SendsAnotherContentOfTheSameLength) {
  add();
  server_.content["/made.csv"] = "1,2\n3,5\n";
  expect_refused({sha256("1,2\n3,5\n"), sha256(kTwoRows)});
}

TEST_F(LyingServer, SendsLess) {
  add();
  server_.content["/made.csv"] = "1,2\n";
  EXPECT_EQ(place(), server_.url("/made.csv"));
}

TEST_F(LyingServer, AnnouncesMore) {
  add();
  server_.content["/made.csv"] = a_line_of(9);
  expect_refused();
}

TEST_F(LyingServer, SendsWithoutEnd) {
  const TestAnswer endless = [](const TestClient& client, const TestRequest&) {
    client.head("200 OK", "");
    while (client.send(a_line_of(1 << 16))) {
    }
  };
  add();
  answers(endless);
  expect_refused({" 8 bytes"});

  entry_.files.clear();
  add("gzip");
  expect_refused({" 1048592 bytes"});
}

TEST_F(LyingServer, SendsHeadersWithoutEnd) {
  add();
  answers([](const TestClient& client, const TestRequest&) {
    client.send("HTTP/1.1 200 OK\r\n");
    while (client.send("X-More: " + a_line_of(1 << 12))) {
    }
  });
  limits_.seconds = 2;
  expect_refused();
}

TEST_F(LyingServer, SaysThatThereIsNothingOrSomethingElse) {
  add();
  for (const std::string status : {"204 No Content", "206 Partial Content", "302 Found", "404 Not Found", "503 Busy"}) {
    answers([&](const TestClient& client, const TestRequest&) {
      client.head(status, "Content-Length: 8\r\n");
      client.send("1,2\n3,5\n");
    });
    expect_refused({status.substr(0, 3)});
  }
}

TEST_F(LyingServer, RedirectsInCirclesOrElsewhere) {
  add();
  server_.redirect["/made.csv"] = server_.url("/made.csv");
  expect_refused();
  EXPECT_EQ(server_.requests().size(), 11U);

  for (const std::string address : {"file:///etc/hostname", "ftp://127.0.0.1/x", "gopher://127.0.0.1/x"}) {
    server_.redirect["/made.csv"] = address;
    expect_refused({"not supported"});
  }
}

TEST_F(LyingServer, PacksWhatWasNotToBePacked) {
  add();
  answers([](const TestClient& client, const TestRequest&) {
    const std::string packed = gzip("1");
    client.head("200 OK", "Content-Encoding: gzip\r\nContent-Length: " + std::to_string(packed.size()) + "\r\n");
    client.send(packed);
  });
  expect_refused();
  entry_.files.back().size = 0;
  expect_refused({sha256(gzip("1")), sha256(kTwoRows)});
}

TEST_F(LyingServer, SendsAPackedFileThatIsNotTheOneKnown) {
  add("gzip").packed_sha256 = sha256(gzip(kTwoRows));
  server_.content["/made.csv"] = gzip("another");
  expect_refused({sha256(gzip("another")), sha256(gzip(kTwoRows))});
}

TEST_F(LyingServer, SendsABomb) {
  const std::string zeros(1 << 24, '\0');
  add("gzip");
  server_.content["/made.csv"] = gzip(zeros);
  expect_refused({" 8 bytes"});

  entry_.files.back().packed = "compress";
  server_.content["/made.csv"] = test_compress(zeros);
  expect_refused({"\"data\"", " 8 bytes"});

  entry_.files.back().packed = "tar.gz";
  entry_.files.back().member = "made.csv";
  server_.content["/made.csv"] = test_archive(TestArchive::tar_gz, {{"zeros", zeros}, {"made.csv", kTwoRows}});
  expect_refused({" 1048592 bytes"});
  server_.content["/made.csv"] = test_archive(TestArchive::tar_gz, {{"made.csv", kTwoRows + kTwoRows}});
  expect_refused({"\"made.csv\"", " 8 bytes"});
}

TEST_F(LyingServer, SendsAnArchiveThatReachesElsewhere) {
  CatalogueFile& file = add("tar.gz");
  file.member = "made.csv";
  const TestMembers others = {{"../../outside", "x"}, {(folder_.path() / "absolute").string(), "x"}};
  server_.content["/made.csv"] = test_archive(TestArchive::tar_gz, others);
  expect_refused({"\"made.csv\""});

  server_.content["/made.csv"] = test_archive_of_link("made.csv", "/etc/hostname");
  expect_refused({"\"made.csv\""});
}

TEST_F(LyingServer, SendsAPackedFileThatIsCut) {
  add("gzip");
  const std::string packed = gzip(kTwoRows);
  server_.content["/made.csv"] = packed.substr(0, packed.size() / 2);
  expect_refused();

  entry_.files.back().packed = "tar.gz";
  entry_.files.back().member = "made.csv";
  const std::string tar = gunzip(test_archive(TestArchive::tar_gz, {{"made.csv", kTwoRows}}), "");
  server_.content["/made.csv"] = gzip(std::string_view(tar).substr(0, 515));
  expect_refused();
}

TEST_F(LyingServer, SendsOtherFormatsUnderTheName) {
  const std::vector<std::string> others = {std::string("7z\xBC\xAF\x27\x1C\0\4", 8),
                                           std::string("Rar!\x1A\7\0", 7),
                                           std::string("\xFD"
                                                       "7zXZ\0",
                                                       6),
                                           std::string("LRZI\0\6", 6),
                                           std::string("\x89LZO\0\r\n\x1a\n", 9),
                                           "GRZipII\x00\2",
                                           "BZh9",
                                           "begin 644 x\n",
                                           test_archive(TestArchive::zip, {{"made.csv", kTwoRows}})};
  for (const std::string packed : {"gzip", "compress", "tar.gz"}) {
    entry_.files.clear();
    add(packed).member = packed == "tar.gz" ? "made.csv" : "";
    for (const std::string& other : others) {
      server_.content["/made.csv"] = other + std::string(1000, '\0');
      expect_refused({packed == "compress" ? "compress" : "gzip"});
    }
  }
}

/// The error of a fetch, and how long the fetch takes.
struct Ending {
  std::string message;
  double seconds;
};

TEST_F(LyingServer, KeepsNobodyWaiting) {
  const std::string whole = a_line_of(100000);
  server_.answer["/silent"] = [](const TestClient& client, const TestRequest&) { client.wait_for_the_end(); };
  server_.answer["/stalls"] = [&](const TestClient& client, const TestRequest&) {
    client.head("200 OK", whole.size());
    client.wait_for_the_end();
  };
  server_.answer["/slow"] = [&](const TestClient& client, const TestRequest&) {
    client.head("200 OK", whole.size());
    while (client.send("1") && client.wait(500)) {
    }
  };
  server_.answer["/steady"] = [&](const TestClient& client, const TestRequest&) {
    client.head("200 OK", whole.size());
    while (client.send(std::string(1000, '1')) && client.wait(100)) {
    }
  };
  const auto ending = [&](const std::string& path, const DownloadLimits& limits) {
    return std::async(std::launch::async, [this, path, limits, &whole] {
      CatalogueEntry entry;
      CatalogueFile& file = entry.files.emplace_back();
      file.path = path.substr(1);
      file.sha256 = sha256(whole);
      file.size = whole.size();
      file.url = server_.url(path);
      const auto begin = std::chrono::steady_clock::now();
      const std::string message = thrown<DataError>([&] { fetch(entry, data_dir(), {}, limits); });
      return Ending{message, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count()};
    });
  };
  const DownloadLimits stalled{.stalled_seconds = 1}, short_of_time{.seconds = 1};
  std::vector<std::pair<std::string, std::future<Ending>>> endings;
  for (const std::string path : {"/silent", "/stalls", "/slow"})
    endings.emplace_back("--stall-timeout", ending(path, stalled));
  for (const std::string path : {"/steady", "/silent"}) endings.emplace_back(" --timeout", ending(path, short_of_time));

  for (auto& [option, future] : endings) {
    const Ending end = future.get();
    EXPECT_TRUE(names_all(end.message, {server_.url("/"), option}));
    EXPECT_LT(end.seconds, 6);
  }
}

}  // namespace
}  // namespace elmx
