#include <gtest/gtest.h>

#include "support/judge.hpp"
#include "support/models.hpp"
#include "support/problem.hpp"
#include "support/ridge_solution.hpp"
#include "support/thrown.hpp"

// Direct links, layers and ensembles by their definition: features formed with loops, solutions by singular
// values.

namespace elmx {
namespace {

constexpr uword kSamples = 60, kTrained = 40, kInputs = 3, kNodes = 7;

struct Data {
  arma::mat X = normal_matrix(kSamples, kInputs, 3, 1), Y = normal_matrix(kSamples, 2, 3, 2);
  arma::uvec train = arma::regspace<arma::uvec>(0, kTrained - 1),
             test = arma::regspace<arma::uvec>(kTrained, kSamples - 1);
  Scaler as_it_is = Scaler::fit("none", X, train);

  FoldView fold() const { return {{X, train, as_it_is}, {X, test, as_it_is}, Y.rows(train), {X, {}, as_it_is}}; }
};

/// H_1 ... H_S of all samples: H_s = sigmoid([H_{s-1} X] A_s + 1 b_s), node j of layer s with the draws that
/// follow those of the nodes before it.
std::vector<arma::mat> layers_by_definition(const arma::mat& X, const Rng& rng, uword layers) {
  std::vector<arma::mat> all;
  std::uint64_t draw = 0;
  for (uword s = 0; s < layers; ++s) {
    const arma::mat below = s == 0 ? X : arma::mat(arma::join_rows(all.back(), X));
    arma::mat H(X.n_rows, kNodes);
    for (uword j = 0; j < kNodes; ++j) {
      arma::vec a(below.n_cols);
      for (double& one : a) one = -1 + 2 * rng.uniform(draw++);
      const double b = rng.uniform(draw++);
      for (uword i = 0; i < X.n_rows; ++i) H(i, j) = 1 / (1 + std::exp(-(arma::dot(below.row(i), a) + b)));
    }
    all.push_back(H);
  }
  return all;
}

std::vector<Checkpoint> trained(const Data& data, const Json& changes, const Rng& rng) {
  Json model = {
      {"family", "rvfl"}, {"nodes", kNodes}, {"ridge", 0.1}, {"algorithms", {"standard"}}, {"reference", "qr"}};
  model.merge_patch(changes);
  const Family& family = family_of(model, "/model");
  FakeClock clock;
  std::vector<Checkpoint> points;
  family.prepare({parsed(model)}, data.fold(), rng)->train("standard", clock, [&](const Checkpoint& point) {
    points.push_back(point);
  });
  return points;
}

/// Outputs on the test part of the ridge solution over the columns of A.
arma::mat outputs_by_definition(const Data& data, const arma::mat& A) {
  return A.rows(data.test) *
         solve_by_svd(arma::mat(A.rows(data.train)), arma::mat(data.Y.rows(data.train)), 0.1).weights;
}

class Rvfl : public testing::Test {
 protected:
  const Data data{};
  const Rng rng{5, Purpose::layer};
  const std::vector<arma::mat> H = layers_by_definition(data.X, rng, 3);
};

TEST_F(Rvfl, OneLayerIsTheRidgeSolutionOfNodesAndDirectLinks) {
  const std::vector<Checkpoint> points = trained(data, Json::object(), rng);

  ASSERT_EQ(points.size(), 1u);
  EXPECT_EQ(points[0].nodes, kNodes) << "direct links are no nodes";
  EXPECT_LE(relative_difference(points[0].test_output, outputs_by_definition(data, arma::join_rows(data.X, H[0]))),
            1e-11);
}

TEST_F(Rvfl, DeepLayersAreFedByTheLayerBelowAndTheInputsAndAllAreLinkedToTheOutputs) {
  const std::vector<Checkpoint> points = trained(data, {{"layers", 3}}, rng);

  ASSERT_EQ(points.size(), 3u);
  arma::mat A = data.X;
  for (uword s = 0; s < 3; ++s) {
    A = arma::join_rows(A, H[s]);
    EXPECT_EQ(points[s].nodes, (s + 1) * kNodes);
    EXPECT_LE(relative_difference(points[s].test_output, outputs_by_definition(data, A)), 1e-11) << s;
  }
}

TEST_F(Rvfl, AnEnsembleIsTheMeanOfTheSolutionsOfItsLayers) {
  const std::vector<Checkpoint> points = trained(data, {{"layers", 3}, {"ensemble", true}}, rng);

  ASSERT_EQ(points.size(), 3u);
  arma::mat sum(data.test.n_elem, 2);
  for (uword s = 0; s < 3; ++s) {
    sum += outputs_by_definition(data, arma::join_rows(data.X, H[s]));
    EXPECT_EQ(points[s].nodes, (s + 1) * kNodes);
    EXPECT_LE(relative_difference(points[s].test_output, arma::mat(sum / static_cast<double>(s + 1))), 1e-11) << s;
    EXPECT_LE(points[s].diagnostics.at("backward_error"), tolerance(kTrained, kInputs + kNodes));
  }
}

// The mean of leave-one-out errors is not that of the mean: what is not known is refused.
TEST_F(Rvfl, AnEnsembleHasNoLeaveOneOutErrors) {
  EXPECT_EQ(place_thrown<ConfigError>([] {
              parsed({{"family", "rvfl"}, {"ensemble", true}, {"leave_one_out", true}});
            }),
            "/model/ensemble");
}

TEST_F(Rvfl, LeveragesOfFewNodesAndManyDirectLinksAreThoseOfAllColumns) {
  const std::vector<Checkpoint> points = trained(data, {{"nodes", 1}, {"ridge", 1e-12}, {"leave_one_out", true}}, rng);

  EXPECT_EQ(points[0].leverages.columns, kInputs + 1);
  EXPECT_NEAR(arma::accu(points[0].leverages.h), kInputs + 1, 1e-6);
}

TEST_F(Rvfl, AlgorithmsThatAddSingleNodesAreRefused) {
  const auto act = [] { parsed({{"family", "rvfl"}, {"algorithms", {"alg2"}}}); };
  EXPECT_EQ(place_thrown<ConfigError>(act), "/model/algorithms");
  for (const std::string& name : names_of(block_algorithms()))
    EXPECT_NE(thrown<ConfigError>(act).find(name), std::string::npos) << name;
}

}  // namespace
}  // namespace elmx
