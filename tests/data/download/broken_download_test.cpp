#include <gtest/gtest.h>
#include <sys/stat.h>

#include <future>

#include "data/content/content.hpp"
#include "data/test_fetch.hpp"

namespace elmx {
namespace {

std::string numbers() {
  std::string text;
  for (int i = 0; i < 20000; ++i) text += std::to_string(i) + "\n";
  return text;
}

const std::string kNumbersText = numbers();
const std::size_t kHalf = kNumbersText.size() / 2;
const std::string kRest = std::to_string(kHalf) + "-";

TestAnswer hangs_up() {
  return [](const TestClient&, const TestRequest&) {};
}

/// 206 with this range, whatever was asked for.
TestAnswer answers_range(const std::string& range, const std::string& body) {
  return [range, body](const TestClient& client, const TestRequest&) {
    client.head("206 Partial Content", range + "Content-Length: " + std::to_string(body.size()) + "\r\n");
    client.send(body);
  };
}

/// A download of kNumbersText that is broken in one way or another.
class BrokenDownload : public FetchTest {
 protected:
  BrokenDownload() { file_ = &add("made.csv", "/made.csv", kNumbersText); }

  void serve(std::vector<TestAnswer> answers) { server_.answer["/made.csv"] = in_turn(std::move(answers)); }

  /// The ranges that were asked for, one after the other.
  std::vector<std::string> ranges() const {
    std::vector<std::string> ranges;
    for (const TestRequest& request : server_.requests()) ranges.push_back(request.range);
    return ranges;
  }

  void arrives() {
    fetch_all();
    EXPECT_TRUE(stored("made.csv") == kNumbersText);
    EXPECT_EQ(folder_.listing(), "data/made.csv\n");
  }

  CatalogueFile* file_;
};

using Ranges = std::vector<std::string>;

TEST_F(BrokenDownload, GoesOnWhereItBroke) {
  serve({breaks_off(kNumbersText, kHalf), serves(kNumbersText)});

  arrives();

  EXPECT_EQ(ranges(), (Ranges{"", kRest}));
}

TEST_F(BrokenDownload, IsGoneOnWithByTheNextFetch) {
  serve({breaks_off(kNumbersText, kHalf), hangs_up(), serves(kNumbersText)});

  EXPECT_TRUE(names_all(refusal(), {file_->url + ": ", std::to_string(kHalf) + " bytes"}));
  EXPECT_TRUE(read_file(kept_beginning(*file_)) == kNumbersText.substr(0, kHalf));
  arrives();

  EXPECT_EQ(ranges(), (Ranges{"", kRest, kRest}));
}

TEST_F(BrokenDownload, IsNotAskedForAgainWhereAllOfItArrived) {
  std::filesystem::create_directories(data_dir());
  folder_.write(std::filesystem::relative(kept_beginning(*file_), folder_.path()).string(), kNumbersText);

  arrives();

  EXPECT_EQ(ranges(), Ranges{});
}

TEST_F(BrokenDownload, BeginsAnewWhereTheServerIgnoresRanges) {
  const TestAnswer whole = [](const TestClient& client, const TestRequest&) {
    client.head("200 OK", kNumbersText.size());
    client.send(kNumbersText);
  };
  serve({breaks_off(kNumbersText, kHalf), whole});

  arrives();

  EXPECT_EQ(ranges(), (Ranges{"", kRest}));
}

TEST_F(BrokenDownload, BeginsAnewAfterAWrongRange) {
  const std::string size = std::to_string(kNumbersText.size()), last = std::to_string(kNumbersText.size() - 1),
                    half = std::to_string(kHalf);
  const std::string body = kNumbersText.substr(kHalf);
  const TestAnswer nothing_left = [](const TestClient& client, const TestRequest&) {
    client.head("416 Range Not Satisfiable", 0);
  };
  for (const TestAnswer& wrong :
       {answers_range("Content-Range: bytes 0-" + last + "/" + size + "\r\n", body),
        answers_range("Content-Range: bytes " + half + "-" + last + "/1\r\n", body),
        answers_range("Content-Range: furlongs\r\n", body), answers_range("", body), nothing_left}) {
    std::filesystem::remove_all(data_dir());
    serve({breaks_off(kNumbersText, kHalf), wrong, serves(kNumbersText)});

    arrives();

    EXPECT_EQ(server_.requests().back().range, "");
  }
}

TEST_F(BrokenDownload, BeginsAnewWherePiecesOfTwoContentsMet) {
  serve({breaks_off(std::string(kNumbersText.size(), 'x'), kHalf), serves(kNumbersText)});

  arrives();

  EXPECT_EQ(ranges(), (Ranges{"", kRest, ""}));
}

TEST_F(BrokenDownload, EndsWhereNothingMoreComes) {
  serve({breaks_off(kNumbersText, 5)});

  EXPECT_TRUE(names_all(refusal(), {file_->url + ": ", " 5 bytes"}));

  EXPECT_EQ(ranges(), (Ranges{"", "5-"}));
  EXPECT_FALSE(std::filesystem::exists(data_dir() / "made.csv"));
}

TEST_F(BrokenDownload, AsksFiveTimesAtMost) {
  const TestAnswer one_byte = [](const TestClient& client, const TestRequest& request) {
    const std::size_t begin = request.begin();
    const std::string range =
        "Content-Range: bytes " + std::to_string(begin) + "-" + std::to_string(kNumbersText.size() - 1) + "/*\r\n";
    client.head(begin == 0 ? "200 OK" : "206 Partial Content", range + "Content-Length: 100\r\n");
    client.send(kNumbersText.substr(begin, 1));
  };
  serve({one_byte});

  EXPECT_TRUE(names_all(refusal(), {file_->url + ": ", " 5 bytes"}));
}

TEST_F(BrokenDownload, FollowsNoLinkInThePlaceOfWhatIsKept) {
  const auto victim = folder_.write("victim", "mine");
  for (const std::filesystem::path& link : {kept_beginning(*file_), data_dir() / "made.csv.part"}) {
    std::filesystem::remove_all(data_dir());
    std::filesystem::create_directories(data_dir());
    std::filesystem::create_symlink(victim, link);
    serve({breaks_off(kNumbersText, kHalf), serves(kNumbersText)});

    fetch_all();

    EXPECT_TRUE(stored("made.csv") == kNumbersText);
    EXPECT_EQ(read_file(victim), "mine");
    EXPECT_TRUE(std::filesystem::is_symlink(link));
  }
}

TEST_F(BrokenDownload, LeavesAloneWhatElseStandsUnderTheNameOfWhatIsKept) {
  serve({breaks_off(kNumbersText, kHalf), serves(kNumbersText)});
  std::filesystem::create_directories(data_dir());
  const std::filesystem::path name = kept_beginning(*file_);
  const auto fetched_beside = [&] {
    serve({breaks_off(kNumbersText, kHalf), serves(kNumbersText)});
    fetch_all();
    EXPECT_TRUE(stored("made.csv") == kNumbersText);
    std::filesystem::remove(data_dir() / "made.csv");
  };

  ASSERT_EQ(::mkfifo(name.c_str(), 0600), 0);
  fetched_beside();
  EXPECT_TRUE(std::filesystem::is_fifo(name));

  std::filesystem::remove(name);
  const auto second_name = folder_.write("second name", "mine");
  std::filesystem::create_hard_link(second_name, name);
  fetched_beside();
  EXPECT_EQ(read_file(second_name), "mine");

  std::filesystem::remove(name);
  std::filesystem::create_directories(name);
  fetched_beside();
  EXPECT_TRUE(std::filesystem::is_directory(name));
}

TEST_F(BrokenDownload, FollowsNoLinkInThePlaceOfTheFile) {
  const auto victim = folder_.write("victim", "mine");
  std::filesystem::create_directories(data_dir());
  for (const std::filesystem::path& target : {victim, folder_.path() / "nowhere"}) {
    std::filesystem::remove(data_dir() / "made.csv");
    std::filesystem::create_symlink(target, data_dir() / "made.csv");
    serve({serves(kNumbersText)});

    const std::vector<FetchedFile> fetched = fetch_all();

    EXPECT_TRUE(std::filesystem::is_regular_file(std::filesystem::symlink_status(data_dir() / "made.csv")));
    EXPECT_EQ(std::filesystem::read_symlink(fetched.at(0).kept), target);
    EXPECT_EQ(read_file(victim), "mine");
  }
}

TEST_F(BrokenDownload, OfSeveralFetchesAtOnceEachEndsWell) {
  serve({[](const TestClient& client, const TestRequest&) {
    client.head("200 OK", kNumbersText.size());
    client.send(kNumbersText.substr(0, kHalf));
    client.wait(100);
    client.send(kNumbersText.substr(kHalf));
  }});

  std::vector<std::future<std::vector<FetchedFile>>> fetches;
  for (int i = 0; i < 3; ++i) fetches.push_back(std::async(std::launch::async, [&] { return fetch_all(); }));
  for (auto& fetch : fetches) EXPECT_NO_THROW(fetch.get());

  EXPECT_TRUE(stored("made.csv") == kNumbersText);
  EXPECT_EQ(folder_.listing(), "data/made.csv\n");
}

}  // namespace
}  // namespace elmx
