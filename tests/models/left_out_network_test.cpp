#include <gtest/gtest.h>

#include "models/registry/registry.hpp"
#include "models/trained_network.hpp"
#include "support/framed.hpp"
#include "support/judge.hpp"
#include "support/models.hpp"
#include "support/problem.hpp"
#include "support/thrown.hpp"

// Networks that keep leave-one-out solutions, against networks that are trained without the sample.

namespace elmx {
namespace {

struct LeftOutCase {
  const char* name;
  const char* algorithm;
  const char* model;
  double tolerance;
  bool map_of_data = false;  ///< its nodes depend on the training samples, so that a network without one has others
};

void PrintTo(const LeftOutCase& one, std::ostream* out) { *out << one.name; }

class LeftOutNetwork : public testing::TestWithParam<LeftOutCase> {
 protected:
  static constexpr uword kTrain = 40;

  Inputs part(const arma::uvec& rows) const { return {X_, rows, scaler_}; }

  /// The last network of a training on `train`, by which its leave-one-out solutions of `left_out` are kept.
  TrainedNetwork trained(const arma::uvec& train, const arma::uvec& left_out = {}) const {
    FoldView fold{part(train), part(test_), Y_.rows(train), part({})};
    fold.left_out = left_out;
    return last_network(given_, std::move(fold), GetParam().algorithm);
  }
  std::unique_ptr<Predictor> restored(const TrainedNetwork& network) const { return model_->restore(network, {3, 2}); }

  arma::mat X_ = normal_matrix(60, 3, 3), Y_ = normal_matrix(60, 2, 4);
  arma::uvec all_ = arma::regspace<arma::uvec>(0, kTrain - 1), test_ = arma::regspace<arma::uvec>(kTrain, 59),
             left_out_ = {0, 7, 39};
  Scaler scaler_ = Scaler::fit("none", X_, all_);
  Json given_ = Json::parse(GetParam().model);
  ModelPtr model_ = parsed(given_);
};

INSTANTIATE_TEST_SUITE_P(
    Each, LeftOutNetwork,
    testing::Values(
        LeftOutCase{"elm", "panel", R"({"family": "elm", "ridge": 0.1, "nodes": {"start": 2, "stop": 12}})", 1e-9},
        LeftOutCase{"elm_by_nodes", "existing", R"({"family": "elm", "ridge": 0.1, "nodes": {"start": 2, "stop": 12}})",
                    1e-8},
        LeftOutCase{"elm_single", "standard",
                    R"({"family": "elm", "ridge": 0.1, "nodes": {"start": 2, "stop": 12}, "precision": "single"})",
                    1e-3},
        LeftOutCase{"elm_mixed", "panel",
                    R"({"family": "elm", "ridge": 0.1, "nodes": {"start": 2, "stop": 12}, "precision": "mixed"})",
                    1e-5},
        LeftOutCase{"rvfl", "chol-1", R"({"family": "rvfl", "ridge": 0.1, "nodes": 9})", 1e-9},
        LeftOutCase{"ensemble", "standard",
                    R"({"family": "rvfl", "ridge": 0.1, "nodes": 5, "layers": 3, "ensemble": true})", 1e-9},
        LeftOutCase{
            "bls", "chol-2",
            R"({"family": "bls", "ridge": 0.1, "features": {"groups": 2, "nodes": 3}, "enhancement": {"nodes": 5},
                        "growth": {"updates": 1, "enhancement": 4}})",
            1e-6, true},
        LeftOutCase{"linear", "standard", R"({"family": "linear", "ridge": 0.1})", 1e-9},
        LeftOutCase{"mean", "standard", R"({"family": "mean"})", 1e-9}),
    [](const auto& test) { return test.param.name; });

TEST_P(LeftOutNetwork, PredictsAsTrainedWithoutEachSample) {
  if (GetParam().map_of_data) return;
  const auto predictor = restored(trained(all_, left_out_));
  const arma::mat Z = predictor->outputs(part(test_));
  const LeftOutOutputs of = predictor->left_out(part(test_));
  ASSERT_EQ(of.changes.n_cols, left_out_.n_elem);
  for (uword j = 0; j < left_out_.n_elem; ++j) {
    arma::uvec others = all_;
    others.shed_row(left_out_(j));
    const auto without = restored(trained(others));
    const arma::mat expected = without->outputs(part(test_));
    for (uword target = 0; target < 2; ++target) {
      const arma::vec found = Z.col(target) - of.changes.slice(target).col(j);
      EXPECT_LE(arma::abs(found - expected.col(target)).max(), GetParam().tolerance) << j << ' ' << target;
    }
    const arma::mat at_sample = without->outputs(part(arma::uvec{left_out_(j)}));
    EXPECT_LE(arma::abs(of.residuals.row(j) - (Y_.row(left_out_(j)) - at_sample)).max(), GetParam().tolerance) << j;
  }
}

// At its own sample a solution without it is off by the leave-one-out residual.
TEST_P(LeftOutNetwork, ResidualsAreThoseOfThePredictionsWithoutTheSample) {
  const auto predictor = restored(trained(all_, left_out_));
  const arma::mat Z = predictor->outputs(part(left_out_));
  const LeftOutOutputs of = predictor->left_out(part(left_out_));
  ASSERT_EQ(of.residuals.n_rows, left_out_.n_elem);
  for (uword j = 0; j < left_out_.n_elem; ++j) {
    for (uword target = 0; target < 2; ++target)
      EXPECT_NEAR(Y_(left_out_(j), target) - (Z(j, target) - of.changes(j, j, target)), of.residuals(j, target),
                  10 * GetParam().tolerance);
  }
}

TEST_P(LeftOutNetwork, AreKeptWhereTheyAreAskedForAlone) {
  const TrainedNetwork plain = trained(all_);
  EXPECT_TRUE(restored(plain)->left_out(part(test_)).residuals.is_empty());
  const TrainedNetwork with = trained(all_, left_out_);
  EXPECT_GT(with.matrices.size(), plain.matrices.size());
  EXPECT_TRUE(identical(restored(with)->outputs(part(test_)), restored(plain)->outputs(part(test_))));
}

TEST_P(LeftOutNetwork, OfOtherShapesAreRefused) {
  TrainedNetwork network = trained(all_, left_out_);
  for (auto& [name, matrix] : network.matrices) {
    if (name.ends_with("jackknife_residuals")) matrix = arma::mat(left_out_.n_elem + 1, 2);
  }
  const std::string place = place_thrown<DataError>([&] { restored(network); });
  EXPECT_TRUE(place.starts_with("network/") && place.ends_with("jackknife_residuals")) << place;
}

}  // namespace
}  // namespace elmx
