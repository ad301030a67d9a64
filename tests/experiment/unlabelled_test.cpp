#include <gtest/gtest.h>

#include <limits>

#include "data/transforms/pca.hpp"
#include "experiment/plan/plan.hpp"
#include "experiment/run/fold_trainer.hpp"
#include "support/configs.hpp"
#include "support/judge.hpp"

namespace elmx {
namespace {

/// 3 labelled samples of each class, 14 test samples, 40 without labels.
Json labelled_config() {
  return Json::parse(R"({
    "data": {"set": "gaussian_blobs", "samples": 63, "noise": 0.3},
    "split": {"kind": "labelled", "labelled": 3, "test_fraction": 0.25},
    "model": {"algorithms": ["standard"], "nodes": {"start": 2, "stop": 5}}
  })");
}

arma::mat gathered(const Inputs& inputs) {
  arma::mat Z(inputs.samples(), inputs.dimension());
  inputs.block(0, inputs.samples(), Z.memptr());
  return Z;
}

/// Returns outputs that predict class `(row + shift) mod 3`; the true class is row mod 3.
arma::mat outputs(const Inputs& inputs, arma::uword shift) {
  arma::mat Z(inputs.samples(), 3, arma::fill::zeros);
  for (arma::uword i = 0; i < Z.n_rows; ++i) Z(i, (inputs.rows(i) + shift) % 3) = 1;
  return Z;
}

/// The data that a family received last, and the outputs of its models.
struct Stage {
  arma::mat train, test, unlabelled, targets;
  SharedWork* shared = nullptr;
  arma::uword wrong_classes = 0;  // number of wrong classes of the unlabelled samples
  bool names_unlabelled = true, finite = true;
};

Stage& stage() {
  static Stage one;
  return one;
}

class Shown : public Trainer {
 public:
  explicit Shown(FoldView fold) : fold_(std::move(fold)) {}

  void train(const std::string&, Clock&, const Observer& observe) override {
    stage().train = gathered(fold_.train);  // here and not in prepare, because the data must still exist
    stage().test = gathered(fold_.test);
    stage().unlabelled = gathered(fold_.unlabelled);
    stage().targets = fold_.targets;
    stage().shared = fold_.shared;
    Checkpoint point;
    point.train_output = outputs(fold_.train, 0);
    point.test_output = outputs(fold_.test, 1);
    if (stage().names_unlabelled) point.unlabelled_output = outputs(fold_.unlabelled, stage().wrong_classes);
    if (!stage().finite) point.unlabelled_output(0) = std::numeric_limits<double>::quiet_NaN();
    observe(point);
  }

 private:
  FoldView fold_;
};

/// Runs the only task of a config with the family of a stage.
class Unlabelled : public testing::Test {
 protected:
  Unlabelled() { stage() = Stage(); }

  StepRecord run(const Json& config, SharedWork* shared = nullptr) {
    plan = make_plan(config, "no data directory");
    PlannedCase& c = plan.cases[0];
    Family family = *c.spec().family;
    family.prepare = [](const std::vector<ModelPtr>&, FoldView view, const Rng&) -> std::unique_ptr<Trainer> {
      return std::make_unique<Shown>(std::move(view));
    };
    c.specs[0].family = &family;
    data = *c.data;
    fold = c.folds[0][0];
    FakeClock clock;
    std::vector<Record> records;
    run_task(
        {&c.specs, &data, fold, 0, 0, {"standard"}, shared}, clock, [] { return false; },
        [&](Record record) { records.push_back(std::move(record)); });
    return records.at(0).steps.at(0);
  }

  Plan plan;
  Dataset data;
  Fold fold;
};

TEST_F(Unlabelled, SamplesAreScaledWithTheLabelledOnes) {
  run(labelled_config());

  const arma::uvec seen = arma::join_cols(fold.train, fold.unlabelled);
  const Scaler scaler = Scaler::fit("minus_one_one", data.X, seen);
  EXPECT_TRUE(arma::approx_equal(stage().train, scaler.apply(data.X, fold.train), "absdiff", 0));
  EXPECT_TRUE(arma::approx_equal(stage().test, scaler.apply(data.X, fold.test), "absdiff", 0));
  EXPECT_TRUE(arma::approx_equal(stage().unlabelled, scaler.apply(data.X, fold.unlabelled), "absdiff", 0));
  EXPECT_EQ(stage().targets.n_rows, 9u);
  EXPECT_EQ(stage().unlabelled.n_rows, 40u);
  EXPECT_EQ(stage().test.n_rows, 14u);
}

TEST_F(Unlabelled, SamplesAreTheTestPartWhereItIsAllThatIsNotLabelled) {
  Json config = labelled_config();
  config["split"].erase("test_fraction");

  run(config);

  EXPECT_EQ(stage().test.n_rows, 54u);
  EXPECT_TRUE(arma::approx_equal(stage().test, stage().unlabelled, "absdiff", 0));
}

TEST_F(Unlabelled, OutputsHaveMetricsOfTheirOwn) {
  StepRecord step = run(labelled_config());
  EXPECT_EQ(step.metrics.at("train_acc"), 1);
  EXPECT_EQ(step.metrics.at("test_acc"), 0);
  EXPECT_EQ(step.metrics.at("unlabelled_acc"), 1);

  stage().wrong_classes = 2;
  EXPECT_EQ(run(labelled_config()).metrics.at("unlabelled_acc"), 0);

  stage().names_unlabelled = false;
  step = run(labelled_config());
  EXPECT_TRUE(step.metrics.contains("test_acc"));
  EXPECT_FALSE(step.metrics.contains("unlabelled_acc"));
}

TEST_F(Unlabelled, OutputsThatAreNotFiniteAreAStatus) {
  stage().finite = false;
  const StepRecord step = run(labelled_config());
  EXPECT_EQ(step.status, Status::not_finite);
  EXPECT_TRUE(step.metrics.empty());
}

TEST_F(Unlabelled, WorkOfOtherTasksIsAtHand) {
  SharedWork shared(1);
  run(labelled_config(), &shared);
  EXPECT_EQ(stage().shared, &shared);
  run(labelled_config());
  EXPECT_EQ(stage().shared, nullptr);
}

TEST_F(Unlabelled, AndLabelledSamplesHaveTheirPrincipalComponents) {
  Json config = labelled_config();
  config["preprocess"] = {{"inputs", "standard"}, {"pca", {{"energy", 0.5}, {"scale", "centred"}}}};

  run(config);

  const arma::uvec seen = arma::sort(arma::join_cols(fold.train, fold.unlabelled));
  const Scaler scaler = Scaler::fit("standard", data.X, seen);
  const Pca pca = Pca::fit(scaler.apply(data.X, arma::regspace<arma::uvec>(0, 62)), seen, 0.5);
  ASSERT_EQ(pca.V.n_cols, 1u) << "one of two standardised inputs' components holds half";
  const arma::mat Y = pca.apply(scaler.apply(data.X, arma::regspace<arma::uvec>(0, 62)));
  const Scaler centred = Scaler::fit("centred", Y, seen);
  for (const auto& [given, rows] : {std::pair(stage().train, fold.train), std::pair(stage().test, fold.test),
                                    std::pair(stage().unlabelled, fold.unlabelled)}) {
    EXPECT_LE(relative_difference(given, centred.apply(Y, rows)), tolerance(63, 2));
  }
}

TEST_F(Unlabelled, PrincipalComponentsWithoutAnyAreThoseOfTheTrainingPart) {
  Json config = labelled_config();
  config["split"] = {{"kind", "holdout"}};
  config["preprocess"]["pca"]["energy"] = 1;

  run(config);

  const Scaler scaler = Scaler::fit("minus_one_one", data.X, fold.train);
  const arma::mat Z = scaler.apply(data.X, arma::regspace<arma::uvec>(0, 62));
  const arma::mat Y = Pca::fit(Z, fold.train, 1).apply(Z);
  EXPECT_LE(relative_difference<double>(stage().test, Y.rows(fold.test)), tolerance(63, 2));
  EXPECT_EQ(stage().unlabelled.n_rows, 0u);
}

TEST_F(Unlabelled, InputsAreTheSameInEveryRepeatWhereAllSamplesAreSeen) {
  Json config = labelled_config();
  config["data"]["samples"] = 900;
  config["preprocess"] = {{"inputs", "centred"}, {"pca", {{"energy", 1}}}};
  std::vector<arma::mat> seen;
  for (const arma::uword labelled : {2u, 200u}) {
    config["split"] = {{"kind", "labelled"}, {"labelled", labelled}};
    run(config);
    seen.emplace_back(900, 2);
    seen.back().rows(fold.train) = stage().train;
    seen.back().rows(fold.test) = stage().test;
  }
  EXPECT_TRUE(arma::approx_equal(seen[0], seen[1], "absdiff", 0)) << "to the last bit";
}

TEST(PlanOfLabelled, CountsUnlabelledSamplesAndComponents) {
  Json config = labelled_config();
  const PlannedCase plain = make_plan(config, "no data directory").cases.at(0);
  EXPECT_EQ(plain.sizes.train, 9u);
  EXPECT_EQ(plain.sizes.test, 14u);
  EXPECT_EQ(plain.sizes.unlabelled, 40u);
  EXPECT_EQ(plain.sizes.inputs, 2u);
  EXPECT_DOUBLE_EQ(plain.fold_bytes, 2 * 8.0 * 63 + 1000)
      << "a row number in two parts, and what a fold is beside them";

  config["preprocess"]["pca"]["energy"] = 0.99;
  const PlannedCase reduced = make_plan(config, "no data directory").cases.at(0);
  EXPECT_GE(reduced.cost.bytes - plain.cost.bytes, 8.0 * 63 * 2) << "the components of all samples";

  config["data"] = {{"set", "friedman1"}, {"samples", 6}};
  config["split"] = {{"kind", "holdout"}};
  EXPECT_EQ(make_plan(config, "no data directory").cases.at(0).sizes.inputs, 6u) << "10 inputs of 6 samples";
}

TEST(ResolvedSplit, HasTheDefaultsOfItsKindAndIsAsItWasForTheOthers) {
  Json config = labelled_config();
  config["split"] = {{"kind", "labelled"}};
  const Json split = expand(config).front().identity()["split"];
  EXPECT_EQ(split["labelled"], 2);
  EXPECT_EQ(split["test_fraction"], 0);

  const Json earlier = expand(small_config()).front().identity();
  EXPECT_EQ(earlier["split"]["test_fraction"], 0.2);
  EXPECT_FALSE(earlier["split"].contains("labelled"));
  EXPECT_FALSE(earlier["preprocess"].contains("pca"));
  EXPECT_FALSE(earlier["data"].contains("turns"));
}

}  // namespace
}  // namespace elmx
