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

  /// What is refused behind the address, with nothing left in the data directory.
  std::string refused() const {
    const std::string message = refusal(), address = server_.url("/made.csv") + ": ";
    EXPECT_TRUE(message.starts_with(address)) << message;
    EXPECT_EQ(folder_.listing(), "");
    return message.substr(std::min(message.size(), address.size()));
  }

  void answers(TestAnswer answer) { server_.answer["/made.csv"] = std::move(answer); }
};

std::string a_line_of(std::size_t bytes) { return std::string(bytes - 1, '1') + "\n"; }

TEST_F(LyingServer, SendsAnotherContentOfTheSameLength) {
  add();
  server_.content["/made.csv"] = "1,2\n3,5\n";
  EXPECT_TRUE(names_all(refused(), {sha256("1,2\n3,5\n"), sha256(kTwoRows)}));
}

TEST_F(LyingServer, SendsLess) {
  add();
  server_.content["/made.csv"] = "1,2\n";
  EXPECT_TRUE(names_all(refusal(), {server_.url("/made.csv"), "4"}));
}

TEST_F(LyingServer, AnnouncesMore) {
  add();
  server_.content["/made.csv"] = a_line_of(9);
  EXPECT_NE(refused(), "no error");
}

TEST_F(LyingServer, SendsWithoutEnd) {
  const TestAnswer endless = [](const TestClient& client, const TestRequest&) {
    client.head("200 OK", "");
    while (client.send(a_line_of(1 << 16))) {
    }
  };
  add();
  answers(endless);
  EXPECT_TRUE(names_all(refused(), {"8"}));

  entry_.files.clear();
  add("gzip");
  EXPECT_TRUE(names_all(refused(), {"1048592"}));
}

TEST_F(LyingServer, SendsHeadersWithoutEnd) {
  add();
  answers([](const TestClient& client, const TestRequest&) {
    client.send("HTTP/1.1 200 OK\r\n");
    while (client.send("X-More: " + a_line_of(1 << 12))) {
    }
  });
  limits_.seconds = 2;
  refused();
}

TEST_F(LyingServer, SaysThatThereIsNothingOrSomethingElse) {
  add();
  for (const std::string status : {"204 No Content", "206 Partial Content", "302 Found", "404 Not Found", "503 Busy"}) {
    answers([&](const TestClient& client, const TestRequest&) {
      client.head(status, "Content-Length: 8\r\n");
      client.send("1,2\n3,5\n");
    });
    EXPECT_TRUE(names_all(refused(), {status.substr(0, 3)}));
  }
}

TEST_F(LyingServer, RedirectsInCirclesOrElsewhere) {
  add();
  server_.redirect["/made.csv"] = server_.url("/made.csv");
  EXPECT_NE(refused(), "no error");
  EXPECT_EQ(server_.requests().size(), 11U);

  for (const std::string address : {"file:///etc/hostname", "ftp://127.0.0.1/x", "gopher://127.0.0.1/x"}) {
    server_.redirect["/made.csv"] = address;
    EXPECT_NE(refused().find("not supported"), std::string::npos);
  }
}

TEST_F(LyingServer, PacksWhatWasNotToBePacked) {
  add();
  answers([](const TestClient& client, const TestRequest&) {
    const std::string packed = gzip("1");
    client.head("200 OK", "Content-Encoding: gzip\r\nContent-Length: " + std::to_string(packed.size()) + "\r\n");
    client.send(packed);
  });
  EXPECT_NE(refused(), "no error");
  entry_.files.back().size = 0;
  EXPECT_TRUE(names_all(refused(), {sha256(gzip("1")), sha256(kTwoRows)}));
}

TEST_F(LyingServer, SendsAPackedFileThatIsNotTheOneKnown) {
  add("gzip").packed_sha256 = sha256(gzip(kTwoRows));
  server_.content["/made.csv"] = gzip("another");
  EXPECT_TRUE(names_all(refused(), {sha256(gzip("another")), sha256(gzip(kTwoRows))}));
}

TEST_F(LyingServer, SendsABomb) {
  const std::string zeros(1 << 24, '\0');
  add("gzip");
  server_.content["/made.csv"] = gzip(zeros);
  EXPECT_TRUE(names_all(refused(), {"8"}));

  entry_.files.back().packed = "compress";
  server_.content["/made.csv"] = test_compress(zeros);
  EXPECT_TRUE(names_all(refused(), {"\"data\"", "8"}));

  entry_.files.back().packed = "tar.gz";
  entry_.files.back().member = "made.csv";
  server_.content["/made.csv"] = test_archive(TestArchive::tar_gz, {{"zeros", zeros}, {"made.csv", kTwoRows}});
  EXPECT_TRUE(names_all(refused(), {"1048592"}));
  server_.content["/made.csv"] = test_archive(TestArchive::tar_gz, {{"made.csv", kTwoRows + kTwoRows}});
  EXPECT_TRUE(names_all(refused(), {"\"made.csv\"", "8"}));
}

TEST_F(LyingServer, SendsAnArchiveThatReachesElsewhere) {
  CatalogueFile& file = add("tar.gz");
  file.member = "made.csv";
  const TestMembers others = {{"../../outside", "x"}, {(folder_.path() / "absolute").string(), "x"}};
  server_.content["/made.csv"] = test_archive(TestArchive::tar_gz, others);
  EXPECT_TRUE(refused().find("\"made.csv\"") != std::string::npos);

  server_.content["/made.csv"] = test_archive_of_link("made.csv", "/etc/hostname");
  EXPECT_TRUE(names_all(refused(), {"\"made.csv\""}));
}

TEST_F(LyingServer, SendsAPackedFileThatIsCut) {
  add("gzip");
  const std::string packed = gzip(kTwoRows);
  server_.content["/made.csv"] = packed.substr(0, packed.size() / 2);
  EXPECT_NE(refused(), "no error");

  entry_.files.back().packed = "tar.gz";
  entry_.files.back().member = "made.csv";
  const std::string tar = gunzip(test_archive(TestArchive::tar_gz, {{"made.csv", kTwoRows}}), "");
  server_.content["/made.csv"] = gzip(std::string_view(tar).substr(0, 515));
  EXPECT_TRUE(refused() != "no error");
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
      EXPECT_NE(refused().find(packed == "compress" ? "no file packed by compress" : "gzip data are damaged"),
                std::string::npos);
    }
  }
}

/// What a fetch of its own says, and how long it takes.
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
      const std::string message = message_of<DataError>([&] { fetch(entry, data_dir(), {}, limits); });
      return Ending{message, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count()};
    });
  };
  const DownloadLimits stalled{.stalled_seconds = 1}, short_of_time{.seconds = 1};
  std::vector<std::pair<std::string, std::future<Ending>>> endings;
  for (const std::string path : {"/silent", "/stalls", "/slow"})
    endings.emplace_back("less than 1024 bytes a second for 1 s; --stall-timeout allows another time",
                         ending(path, stalled));
  endings.emplace_back("not complete after 1 s; --timeout allows another time", ending("/steady", short_of_time));
  endings.emplace_back("not complete after 1 s; --timeout allows another time", ending("/silent", short_of_time));

  for (auto& [expected, future] : endings) {
    const Ending end = future.get();
    EXPECT_NE(end.message.find(expected), std::string::npos) << end.message;
    EXPECT_LT(end.seconds, 6);
  }
}

}  // namespace
}  // namespace elmx
