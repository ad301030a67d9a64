#include "experiment/records/sample_digests.hpp"

#include <gtest/gtest.h>

namespace elmx {
namespace {

/// Six samples with targets 0 to 5.
Dataset data_set() {
  Dataset data;
  data.name = "d.csv";
  data.X = arma::mat(6, 2, arma::fill::ones);
  data.Y = arma::regspace(0, 5);
  data.sha256 = {"abc"};
  return data;
}

Dataset classes_of(const std::vector<std::string>& names) {
  Dataset data = data_set();
  data.task = Task::classification;
  data.Y.reset();
  data.labels = arma::uvec{0, 1, 0, 1, 0, 1};
  data.classes = names;
  return data;
}

const Fold kFold{{0, 1, 2, 3}, {4, 5}, {}};

SampleDigests digests(const Dataset& data, const Fold& fold = kFold, std::uint64_t seed = 1) {
  ExperimentOptions options;
  options.seed = seed;
  return sample_digests(data, options, fold);
}

TEST(SampleDigests, AreTheSameWhateverTheFileIsCalledAndWhicheverSeedDrewTheFold) {
  Dataset renamed = data_set();
  renamed.name = "copy.csv";

  EXPECT_EQ(digests(renamed, kFold, 2), digests(data_set()));
}

TEST(SampleDigests, TellContentOfTheFilesRowsAndTargetsApart) {
  const SampleDigests plain = digests(data_set());
  Dataset other = data_set();
  other.sha256 = {"abd"};
  EXPECT_NE(digests(other).data, plain.data);
  EXPECT_EQ(digests(other).test, plain.test);

  Dataset target = data_set();
  target.Y(5) = 7;
  EXPECT_EQ(digests(target).data, plain.data);
  EXPECT_NE(digests(target).test, plain.test);
  target.Y = arma::regspace(0, 5);
  target.Y(0) = 7;  // of the training part
  EXPECT_EQ(digests(target).test, plain.test);

  const SampleDigests rows = digests(data_set(), {{0, 1, 2, 4}, {3, 5}, {}});
  EXPECT_NE(rows.test, plain.test);
  EXPECT_NE(rows.train, plain.train);
  const SampleDigests fewer = digests(data_set(), {{0, 1, 2}, {4, 5}, {}});
  EXPECT_EQ(fewer.test, plain.test);
  EXPECT_NE(fewer.train, plain.train);
  EXPECT_NE(digests(data_set(), {{0, 1, 2}, {4, 5}, {3}}).train, plain.train) << "unlabelled is not training";
}

TEST(SampleDigests, RowsAreThoseOfTheFileWhereSomeWereDropped) {
  Dataset all = data_set(), kept = data_set();
  kept.kept_rows = {0, 1, 2, 3, 5, 6};

  EXPECT_NE(digests(kept).test, digests(all).test);
  EXPECT_EQ(digests(kept).train, digests(all).train);
}

TEST(SampleDigests, ClassesAreTargetsByTheirNames) {
  EXPECT_EQ(digests(classes_of({"no", "yes"})), digests(classes_of({"no", "yes"})));
  EXPECT_NE(digests(classes_of({"no", "yes"})).test, digests(classes_of({"a", "b"})).test);
}

TEST(SampleDigests, GeneratedDataAreTheirOptionsAndSeed) {
  Dataset generated = data_set();
  generated.sha256.clear();

  EXPECT_EQ(digests(generated).data, digests(generated).data);
  EXPECT_NE(digests(generated, kFold, 2).data, digests(generated).data);
}

}  // namespace
}  // namespace elmx
