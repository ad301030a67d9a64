#include "data/formats/reviews.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/files/files.hpp"
#include "base/files/sha256.hpp"
#include "data/content/content.hpp"
#include "data/load.hpp"
#include "data/table/table.hpp"
#include "data/test_archive.hpp"
#include "data/test_files.hpp"
#include "data/test_tables.hpp"

namespace elmx {
namespace {

using Names = std::vector<std::string>;

/// Training part: good 4, film 3, bad 2, a 2 (one of them a "A"), fine 1.
const TestMembers kReviews{{"aclImdb/README", "good good good good good"},
                           {"aclImdb/train/neg/0_2.txt", "Bad film!<br /><br />Bad."},
                           {"aclImdb/train/neg/10_1.txt", "A film"},
                           {"aclImdb/train/neg/9_4.txt", ""},
                           {"aclImdb/train/pos/2_10.txt", "good Good GOOD, fine film; a good"},
                           {"aclImdb/test/neg/0_1.txt", "dull dull dull dull dull bad"},
                           {"aclImdb/test/pos/0_7.txt", "fine"}};

class Reviews : public testing::Test {
 protected:
  Reviews() {
    options_.format = "reviews";
    options_.length = 4;
    use(kReviews);
  }

  void use(const TestMembers& members) { use_bytes(test_archive(TestArchive::tar_gz, members)); }
  void use_bytes(const std::string& bytes) { options_.path = folder_.write("x.tar.gz", bytes).string(); }

  /// The archive without the members whose name begins so.
  void use_without(const std::string& prefix) {
    TestMembers members = kReviews;
    std::erase_if(members, [&](const auto& member) { return member.first.starts_with(prefix); });
    use(members);
  }

  Dataset load() const { return load_dataset(options_, {}, "", 1); }

  void expect_refused() const {
    EXPECT_EQ(place_thrown<DataError>([&] { load(); }), options_.path);
  }

  TestFolder folder_;
  DataOptions options_;
};

TEST_F(Reviews, AreTheIndicesOfTheirLastWords) {
  const Dataset data = load();

  // 2 good, 3 film, 4 a, 5 bad, 6 fine; 1 dull
  EXPECT_TRUE(arma::approx_equal(data.X,
                                 arma::mat{{0, 5, 3, 5},   // train/neg/0
                                           {0, 0, 0, 0},   // train/neg/9
                                           {0, 0, 4, 3},   // train/neg/10
                                           {6, 3, 4, 2},   // train/pos/2
                                           {1, 1, 1, 5},   // test/neg/0
                                           {0, 0, 0, 6}},  // test/pos/0
                                 "absdiff", 0));
  EXPECT_EQ(data.task, Task::classification);
  EXPECT_EQ(data.classes, (Names{"neg", "pos"}));
  EXPECT_TRUE(arma::all(data.labels == arma::uvec{0, 0, 0, 1, 0, 1}));
  EXPECT_EQ(data.published_train, 4U);
  EXPECT_EQ(data.inputs, (Names{"t1", "t2", "t3", "t4"}));
  EXPECT_EQ(data.sha256, Names{sha256(gunzip(read_file(options_.path), ""))});
  EXPECT_TRUE(names_all(data.report.notes.at(0), {"5", "26.3 %", "2", "4"})) << "5 of 19 tokens are unknown";
}

TEST_F(Reviews, HaveAVocabularyThatCountsPaddingAndUnknownWords) {
  options_.reviews.vocabulary = 4;
  options_.length = 3;

  const Dataset data = load();

  EXPECT_TRUE(arma::approx_equal(data.X, arma::mat{{1, 3, 1}, {0, 0, 0}, {0, 1, 3}, {3, 1, 2}, {1, 1, 1}, {0, 0, 1}},
                                 "absdiff", 0));
  EXPECT_TRUE(names_all(data.report.notes.at(0), {"63.2 %"})) << "12 of 19 tokens are unknown";
}

TEST_F(Reviews, AreCutOnlyWhereTheyAreLonger) {
  options_.length = 7;
  const Dataset data = load();
  EXPECT_TRUE(arma::all(data.X.row(3) == arma::rowvec{2, 2, 2, 6, 3, 4, 2}));
}

TEST_F(Reviews, AreTwoHundredTokensLongUnlessSaidOtherwise) {
  options_.length.reset();
  const Dataset data = load();
  EXPECT_EQ(data.X.n_cols, 200U);
  EXPECT_EQ(data.X(5, 199), 6);
  EXPECT_EQ(data.X.col(0).max(), 0);
}

TEST_F(Reviews, HaveTenThousandIndicesUnlessSaidOtherwise) {
  std::string many;
  for (int i = 10000; i < 20001; ++i) many += std::to_string(i) + " ";  // ties: in alphabetical order
  use({{"aclImdb/train/neg/0_1.txt", many},
       {"aclImdb/train/pos/0_1.txt", ""},
       {"aclImdb/test/neg/0_1.txt", "19997 19998"},
       {"aclImdb/test/pos/0_1.txt", "20000 10000"}});

  const Dataset data = load();

  EXPECT_TRUE(arma::all(data.X.row(2) == arma::rowvec{0, 0, 9999, 1}));
  EXPECT_TRUE(arma::all(data.X.row(3) == arma::rowvec{0, 0, 1, 2}));
}

TEST_F(Reviews, DoNotDependOnTheOrderOfTheArchive) {
  const arma::mat X = load().X;
  TestMembers members = kReviews;
  std::ranges::sort(members);
  do {
    use(members);
    const Dataset data = load();
    EXPECT_TRUE(arma::approx_equal(data.X, X, "absdiff", 0));
    EXPECT_TRUE(arma::all(data.labels == arma::uvec{0, 0, 0, 1, 0, 1}));
    std::rotate(members.begin(), members.begin() + 3, members.end());
  } while (!std::ranges::is_sorted(members));
}

TEST_F(Reviews, AreTheMembersOfTheirNameOnly) {
  TestMembers members = kReviews;
  for (const std::string name :
       {"aclImdb/train/unsup/0_0.txt", "aclImdb/train/labeledBow.feat", "aclImdb/imdb.vocab",
        "aclImdb/train/neg/1_1.txt.gz", "aclImdb/train/neg/1.txt", "aclImdb/train/neg/_1.txt",
        "aclImdb/train/neg/1_.txt", "aclImdb/train/neg/x1_1.txt", "aclImdb/train/neg/a/1_1.txt",
        "aclImdb/train/negative/1_1.txt", "aclImdb/valid/neg/1_1.txt", "other/train/neg/1_1.txt", "train/neg/1_1.txt",
        "aclImdb/train/neg/99999999999999999999_1.txt", "aclImdb/train/neg/-1_1.txt", "aclImdb/train/neg/._1_1.txt"}) {
    members.emplace_back(name, "dull");
  }
  const arma::mat X = load().X;
  use(members);
  EXPECT_TRUE(arma::approx_equal(load().X, X, "absdiff", 0));

  members = kReviews;
  for (auto& member : members) member.first = "./" + member.first;
  use(members);
  EXPECT_TRUE(arma::approx_equal(load().X, X, "absdiff", 0)) << "as tar names members of the folder itself";
}

TEST_F(Reviews, MayBeUnpackedByGunzip) {
  const arma::mat X = load().X;
  use_bytes(gunzip(read_file(options_.path), ""));
  EXPECT_TRUE(arma::approx_equal(load().X, X, "absdiff", 0));
}

TEST_F(Reviews, RefuseOtherFilesThanTheirArchive) {
  for (const std::string& bytes :
       {std::string("1,2\n3,4\n"), gzip("1,2\n3,4\n"), std::string(), test_archive(TestArchive::zip, kReviews),
        test_archive(TestArchive::tar_gz, {}), test_archive(TestArchive::tar_gz, {{"aclImdb/README", "text"}})}) {
    use_bytes(bytes);
    expect_refused();
  }
}

TEST_F(Reviews, RefuseATruncatedArchive) {
  const std::string tar = gunzip(read_file(options_.path), "");
  for (const std::size_t length : {3 * 512 + 5, 3 * 512 + 300, 4 * 512 + 100}) {  // in a content, in a header
    use_bytes(gzip(tar.substr(0, length)));
    expect_refused();
  }
}

TEST_F(Reviews, RefuseAPartWithoutAClass) {
  for (const std::string folder : {"aclImdb/train/neg", "aclImdb/train/pos", "aclImdb/test/neg", "aclImdb/test/pos"}) {
    use_without(folder);
    expect_refused();
    EXPECT_TRUE(names_all(thrown<DataError>([&] { load(); }), {folder}));
  }
  for (const std::string part : {"aclImdb/test", "aclImdb/train"}) {
    use_without(part);
    expect_refused();
  }
}

TEST_F(Reviews, RefuseATrainingPartWithoutWords) {
  use({{"aclImdb/train/neg/0_1.txt", "..."},
       {"aclImdb/train/pos/0_1.txt", "<br />"},
       {"aclImdb/test/neg/0_1.txt", "words"},
       {"aclImdb/test/pos/0_1.txt", "words"}});
  expect_refused();
}

TEST_F(Reviews, RefuseTwoOfOneNumber) {
  TestMembers members = kReviews;
  members.emplace_back("aclImdb/train/pos/02_8.txt", "fine");
  use(members);
  expect_refused();
  EXPECT_TRUE(names_all(thrown<DataError>([&] { load(); }), {"\"aclImdb/train/pos/02_8.txt\""}));
}

TEST_F(Reviews, RefuseALengthBeyondTheMemory) {
  options_.length = 1'000'000'000'000;
  EXPECT_EQ(place_thrown<ConfigError>([&] { load(); }), "/data/length");
}

TEST(ReviewOptions, AreNotPartOfConfigsThatDoNotNameThem) {
  const Json written = write_options(DataOptions());
  EXPECT_FALSE(written.contains("length"));
  EXPECT_FALSE(written.contains("vocabulary"));
}

TEST(ReviewOptions, AreRefusedWhereTheyLeaveNothing) {
  DataOptions options;
  for (const std::string key : {"vocabulary", "length"})
    EXPECT_EQ(place_thrown<ConfigError>([&] { read_options(Json{{key, 1}}, "/data", options); }), "/data/" + key);
}

}  // namespace
}  // namespace elmx
