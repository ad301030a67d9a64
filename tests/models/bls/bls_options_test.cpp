#include <gtest/gtest.h>

#include "models/bls/bls.hpp"
#include "models/ridge/ridge_trainer.hpp"
#include "solvers/ridge_algorithms.hpp"
#include "support/judge.hpp"
#include "support/problem.hpp"
#include "support/refusal.hpp"
#include "support/status.hpp"
#include "support/thrown.hpp"

namespace elmx {
namespace {

constexpr auto read = read_model<BlsOptions>;

class BlsOptionsRefusal : public testing::TestWithParam<Refusal> {};

TEST_P(BlsOptionsRefusal, NamesThePlace) {
  const auto act = [] { read(GetParam().config); };
  EXPECT_EQ(place_thrown<ConfigError>(act), GetParam().place);
  EXPECT_NE(thrown<ConfigError>(act).find(GetParam().word), std::string::npos) << thrown<ConfigError>(act);
}

INSTANTIATE_TEST_SUITE_P(
    Each, BlsOptionsRefusal,
    testing::Values(Refusal{R"({"algorithms": []})", "/model/algorithms"},
                    Refusal{R"({"algorithms": ["chol-3"]})", "/model/algorithms", "\"chol-1\""},
                    Refusal{R"({"algorithms": ["alg1"]})", "/model/algorithms", "chol-2"},
                    Refusal{R"({"algorithms": ["orig", "orig"]})", "/model/algorithms", "\"orig\""},
                    Refusal{R"({"algorithms": ["chol-1"], "chol1_factor": "cholesky", "precision": "mixed"})",
                            "/model/chol1_factor", "\"cholesky\""},
                    Refusal{R"({"features": {"sparse_coding": false, "penalty": 0.1}})", "/model/features/penalty",
                            "sparse_coding"},
                    Refusal{R"({"features": {"nodes": 1}})", "/model/features/nodes", "sparse_coding"},
                    Refusal{R"({"growth": {"updates": 2, "enhancement_of_added": 5}})",
                            "/model/growth/enhancement_of_added", "5"},
                    Refusal{R"({"growth": {"enhancement": 5}})", "/model/growth/updates"},
                    Refusal{R"({"growth": {"updates": 2}})", "/model/growth", "feature_groups"}));

class BlsOptionsOutOfRange : public testing::TestWithParam<const char*> {};

TEST_P(BlsOptionsOutOfRange, IsRefused) {
  const std::string place = place_thrown<ConfigError>([] { read(GetParam()); });
  EXPECT_TRUE(place.starts_with("/model/")) << place;
}

INSTANTIATE_TEST_SUITE_P(Each, BlsOptionsOutOfRange,
                         testing::Values(R"({"ridge": -1})", R"({"features": {"groups": 0}})",
                                         R"({"features": {"nodes": 0}})", R"({"features": {"penalty": -1}})",
                                         R"({"features": {"steps": 0}})", R"({"enhancement": {"shrink": 0}})",
                                         R"({"enhancement": {"weights": "normal"}})", R"({"expanded_input": "held"})",
                                         R"({"chol1_factor": "qr"})",
                                         R"({"precision": "mixed", "algorithms": ["chol-2"]})",
                                         R"({"precision": {"features": "double", "solve": "single"}})",
                                         R"({"precision": {"features": "half"}})", R"({"reference": "lu"})",
                                         R"({"nodes": {"stop": 9}})"));

TEST(BlsOptions, DefaultsAreAllowedAndWrittenOut) {
  const BlsOptions defaults = read("{}");

  EXPECT_EQ(defaults.sizes(), (std::vector<std::size_t>{10 * 10 + 400}));
  EXPECT_EQ(write_options(defaults), write_options(read(write_options(defaults).dump())));
}

TEST(BlsOptions, Chol1FactorIsNoPartOfTheKeyUnlessGiven) {
  EXPECT_FALSE(write_options(read("{}")).contains("chol1_factor"));
  EXPECT_EQ(write_options(read(R"({"chol1_factor": "cholesky"})"))["chol1_factor"], "cholesky");
}

TEST(BlsOptions, Chol1FactorReachesTheSolver) {
  EXPECT_TRUE(read("{}").partial_setup().options.chol1.recursive());
  EXPECT_EQ(read(R"({"chol1_factor": "inverse_ldl"})").partial_setup().options.chol1.factor, "inverse_ldl");
}

TEST(BlsOptions, EdgesAreAllowed) {
  EXPECT_NO_THROW(read(
      R"({"ridge": 0, "features": {"groups": 1, "nodes": 1, "sparse_coding": false}, "enhancement": {"nodes": 0}})"));
  EXPECT_NO_THROW(read(R"({"features": {"groups": 1, "nodes": 2, "penalty": 0, "steps": 1}})"));
  EXPECT_NO_THROW(read(R"({"growth": {"updates": 2, "enhancement": 1}})"));
}

// Table II of the paper: from 60 feature and 3000 enhancement nodes, by 10 + 750 + 1250 in each of 11
// updates, to 170 + 25000.
TEST(BlsOptions, StepsAreTheInitialNetworkAndTheUpdates) {
  const BlsOptions options = read(R"({"features": {"groups": 6, "nodes": 10}, "enhancement": {"nodes": 3000},
      "growth": {"updates": 11, "feature_groups": 1, "enhancement_of_added": 750, "enhancement": 1250}})");

  const auto steps = options.steps();
  ASSERT_EQ(steps.size(), 12u);
  EXPECT_EQ(steps[0].feature_groups, 6u);
  EXPECT_EQ(steps[0].enhancement_of_added, 0u);
  EXPECT_EQ(steps[0].enhancement, 3000u);
  for (std::size_t i = 1; i < steps.size(); ++i) {
    EXPECT_EQ(steps[i].feature_groups, 1u);
    EXPECT_EQ(steps[i].enhancement_of_added, 750u);
    EXPECT_EQ(steps[i].enhancement, 1250u);
  }
  EXPECT_EQ(options.sizes().front(), 3060u);
  EXPECT_EQ(options.sizes()[1], 3060u + 2010);
  EXPECT_EQ(options.sizes().back(), 170u + 25000);
}

TEST(BlsOptions, ReachTheFeatureMap) {
  const BroadFeatureMap map = read(R"({"standardise": false, "features": {"nodes": 7, "penalty": 0.5, "steps": 9},
      "enhancement": {"shrink": 0.3, "weights": "orthonormal"}})")
                                  .feature_map();

  EXPECT_FALSE(map.standardise);
  EXPECT_EQ(map.group, 7u);
  EXPECT_TRUE(map.sparse_coding);
  EXPECT_FALSE(read(R"({"features": {"sparse_coding": false}})").feature_map().sparse_coding);
  EXPECT_EQ(map.penalty, 0.5);
  EXPECT_EQ(map.steps, 9u);
  EXPECT_TRUE(map.orthonormal);
  EXPECT_EQ(map.shrink, 0.3);
}

class BlsStorage : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Each, BlsStorage, testing::ValuesIn(names_of(block_algorithms())));

// 5000 training samples are three blocks of the streamed input: sums of the same terms in another order.
TEST_P(BlsStorage, StreamedIsStored) {
  const arma::mat X = normal_matrix(5500, 4, 7, 1), Y = arma::sin(X.head_cols(2));
  const arma::uvec train = arma::regspace<arma::uvec>(0, 4999), test = arma::regspace<arma::uvec>(5000, 5499);
  const Scaler scaler = Scaler::fit("none", X, train);
  const auto run = [&](const std::string& expanded_input) {
    BlsOptions options =
        read(R"({"features": {"groups": 2, "nodes": 4}, "enhancement": {"nodes": 20}, "ridge": 1, "reference": "qr",
        "growth": {"updates": 2, "feature_groups": 1, "enhancement_of_added": 2, "enhancement": 5}})");
    options.expanded_input = expanded_input;
    std::vector<Checkpoint> points;
    FakeClock clock;
    make_ridge_network<BlsOptions>({options}, {{X, train, scaler}, {X, test, scaler}, Y.rows(train), {X, {}, scaler}},
                                   Rng(5, Purpose::layer))
        ->train(GetParam(), clock, [&](const Checkpoint& point) { points.push_back(point); });
    return points;
  };

  const auto stored = run("stored"), streamed = run("streamed");

  ASSERT_EQ(stored.size(), 3u);
  ASSERT_EQ(streamed.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    ASSERT_EQ(streamed[i].status, Status::ok);
    EXPECT_EQ(streamed[i].nodes, stored[i].nodes);
    const double bound = tolerance(5000, 50) * stored[i].diagnostics.at("condition");
    EXPECT_LE(relative_difference(streamed[i].train_output, stored[i].train_output), bound);
    EXPECT_LE(relative_difference(streamed[i].test_output, stored[i].test_output), bound);
    EXPECT_NEAR(streamed[i].diagnostics.at("condition") / stored[i].diagnostics.at("condition"), 1, 1e-6);
    if (ridge_algorithm(GetParam()).ridge_solution) {
      EXPECT_LE(streamed[i].diagnostics.at("backward_error"), bound);
    }
  }
}

Sizes sizes_of(uword samples) { return {samples, 100, 20, 3}; }

class BlsCost : public testing::TestWithParam<std::string> {
 protected:
  static BlsOptions options(std::size_t enhancement = 100, std::size_t updates = 2) {
    BlsOptions one;
    one.algorithms = {GetParam()};
    one.enhancement.nodes = enhancement;
    one.growth.updates = updates;
    one.growth.feature_groups = 1;
    one.growth.enhancement_of_added = 10;
    one.growth.enhancement = 20;
    one.expanded_input = "stored";
    return one;
  }
};

INSTANTIATE_TEST_SUITE_P(Each, BlsCost, testing::ValuesIn(names_of(block_algorithms())));

TEST_P(BlsCost, GrowsWithNodesUpdatesSamplesAndModels) {
  const BlsOptions small = options();
  const Cost base = small.cost(1, sizes_of(1000));

  EXPECT_GE(base.bytes, 8.0 * 1000 * static_cast<double>(small.sizes().back())) << "the expanded input";
  EXPECT_GT(base.flops, 2.0 * 1000 * static_cast<double>(small.sizes().back()));
  for (const Cost& larger : {options(200).cost(1, sizes_of(1000)), options(100, 4).cost(1, sizes_of(1000)),
                             small.cost(1, sizes_of(2000)), small.cost(2, sizes_of(1000))}) {
    EXPECT_GT(larger.bytes, base.bytes);
    EXPECT_GE(larger.flops, base.flops);
  }
  EXPECT_LE(small.cost(2, sizes_of(1000)).flops, 2 * base.flops) << "a sweep shares";
}

TEST_P(BlsCost, StreamedIsSmallerAndSaysSo) {
  BlsOptions streamed = options();
  streamed.expanded_input = "streamed";
  const Cost of_stored = options().cost(1, sizes_of(100000)), of_streamed = streamed.cost(1, sizes_of(100000));

  EXPECT_LT(of_streamed.bytes, of_stored.bytes);
  EXPECT_GT(of_streamed.flops, of_stored.flops) << "the nodes are formed anew";
  EXPECT_TRUE(of_streamed.note.starts_with("expanded input streamed")) << of_streamed.note;
  EXPECT_EQ(of_stored.note, "");
}

}  // namespace
}  // namespace elmx
