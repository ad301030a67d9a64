#include <gtest/gtest.h>

#include <set>

#include "experiment/records/record.hpp"
#include "support/configs.hpp"

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

std::string key_of(const Json& config, const std::string& algorithm = "standard", arma::uword repeat = 0,
                   arma::uword fold = 0) {
  const CaseSpec spec = expand(config).front();
  return TrialKeys(spec, Dataset()).of(algorithm, repeat, fold);
}

TEST(TrialKey, IsSixteenHexadecimalDigits) {
  EXPECT_EQ(key_of(small_config()).size(), 16u);
  EXPECT_EQ(key_of(small_config()).find_first_not_of("0123456789abcdef"), std::string::npos);
}

TEST(TrialKey, ChangesWithWhateverDeterminesTheResult) {
  const Json base = small_config();
  std::set<std::string> keys{key_of(base), key_of(base, "alg2"), key_of(base, "standard", 1),
                             key_of(base, "standard", 0, 1)};
  std::size_t expected = 4;
  for (const std::string assignment : {"seed=9",
                                       "split.folds=3",
                                       "split.stratified=false",
                                       "split.kind=one_holdout",
                                       "split.test_samples=9",
                                       "split.train_samples=9",
                                       "split.kind=labelled",
                                       "split.labelled=3",
                                       "cases.regression.data.turns=1",
                                       "cases.regression.data.length=9",
                                       "cases.regression.data.vocabulary=9",
                                       "preprocess.pca.energy=0.9",
                                       "preprocess.pca.scale=centred",
                                       "cases.regression.data.samples=61",
                                       "cases.regression.data.noise=0.3",
                                       "preprocess.inputs=zero_one",
                                       "preprocess.targets.units=scaled",
                                       "model.ridge=0.3",
                                       "model.activation=tanh",
                                       "model.nodes.stop=13",
                                       "model.nodes.report=[3]",
                                       "model.weights=[-2,2]",
                                       "model.biases=[0,2]",
                                       "model.precision=single",
                                       "model.panel=64"}) {
    Json changed = base;
    set_by_path(changed, assignment);
    keys.insert(key_of(changed));
    EXPECT_EQ(keys.size(), ++expected) << assignment;
  }
  Dataset other;
  other.sha256 = {"00"};
  keys.insert(TrialKeys(expand(base).front(), other).of("standard", 0, 0));
  EXPECT_EQ(keys.size(), ++expected) << "content of the data files";
}

TEST(TrialKey, DoesNotChangeWithNamesOrTheOtherTrials) {
  const Json base = small_config();
  for (const std::string assignment :
       {"name=other", "repeats=9", "baseline=alg2", "model.algorithms=[\"alg2\",\"standard\"]", "cases.another={}",
        "cases.classification.model.ridge=9"}) {
    Json changed = base;
    set_by_path(changed, assignment);
    EXPECT_EQ(key_of(changed), key_of(base)) << assignment;
  }
}

TEST(TrialKey, DoesNotChangeWithTheOrderOfKeysOrDefaultsWrittenOut) {
  Json reordered;
  const Json base = small_config();
  for (auto entry = base.rbegin(); entry != base.rend(); ++entry) reordered[entry.key()] = entry.value();
  reordered["model"]["activation"] = "sigmoid";
  reordered["model"]["ridge"] = 1e-1;

  EXPECT_EQ(key_of(reordered), key_of(base));
}

TEST(TrialKey, KnowsNothingOfAnOptionThatIsNotGiven) {
  const Json identity = expand(small_config()).front().identity();
  for (const char* key : {"test_samples", "train_samples"}) EXPECT_FALSE(identity["split"].contains(key)) << key;
  for (const char* key : {"length", "vocabulary"}) EXPECT_FALSE(identity["data"].contains(key)) << key;
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
