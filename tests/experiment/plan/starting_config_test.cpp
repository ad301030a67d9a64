#include <gtest/gtest.h>

#include <algorithm>

#include "experiment/plan/generated_config.hpp"

namespace elmx {
namespace {

constexpr TimeBudget kMinute{60, 80};

Dataset regression(arma::uword rows, arma::uword inputs) {
  Dataset dataset;
  dataset.X.randn(rows, inputs);
  dataset.Y.randn(rows, 1);
  for (arma::uword j = 0; j < inputs; ++j) dataset.inputs.push_back("x" + std::to_string(j));
  return dataset;
}

Json config_for(const Dataset& dataset, const TimeBudget& budget) {
  return starting_config("rows", {{"path", "rows.csv"}, {"target", "y"}}, dataset, budget);
}

std::vector<int> nodes_of(const Json& config, const std::string& name) {
  return config["cases"][name]["model"]["nodes"].get<std::vector<int>>();
}

/// Returns the flops for factorising a case in all folds and on all rows, counting only the largest size of
/// each network: N L^2 for the Gram matrix and L^3 / 3 for its factor.
double least_flops(const Json& config, const std::string& name, double rows) {
  const Json& model = config["cases"][name]["model"];
  const double most = nodes_of(config, name).back();
  double networks = 1;
  for (const char* swept : {"draw", "weight_scale", "length"})
    networks *= model.contains(swept) && model[swept].is_array() ? static_cast<double>(model[swept].size()) : 1;
  return networks * (5 * 0.8 + 1) * (rows * most * most + most * most * most / 3);
}

TEST(StartingConfig, TakesLandmarksWhereNoKernelMachineFits) {
  const Json few = config_for(regression(500, 4), kMinute)["cases"];
  EXPECT_TRUE(few.contains("kernel"));
  EXPECT_FALSE(few.contains("landmarks"));

  const Json config = config_for(regression(300000, 12), kMinute), many = config["cases"];
  EXPECT_FALSE(many.contains("kernel"));
  ASSERT_TRUE(many.contains("landmarks"));
  const std::vector<std::string> members = many["stack"]["model"]["of"];
  EXPECT_NE(std::ranges::find(members, "landmarks"), members.end());
  EXPECT_NO_THROW(expand(config));
}

TEST(StartingConfig, NetworksNeedNoMoreThanTheBudgetByCountedFlops) {
  for (const arma::uword rows : {arma::uword{1000}, arma::uword{20000}, arma::uword{300000}}) {
    const Json config = config_for(regression(rows, 8), kMinute);
    double flops = 0;
    for (const char* name : {"elm", "landmarks"}) {
      if (config["cases"].contains(name)) flops += least_flops(config, name, static_cast<double>(rows));
    }
    EXPECT_LT(flops, kMinute.seconds * 1e9 * kMinute.gflops) << rows;
  }
}

TEST(StartingConfig, ALargerBudgetHasNoSmallerNetworksOfTheSameSearch) {
  const Dataset dataset = regression(20000, 8);
  const auto search = [&](double seconds) {
    const Json config = config_for(dataset, {seconds, kMinute.gflops});
    Json model = config["cases"]["elm"]["model"];
    model.erase("nodes");
    return std::pair(model, config["preprocess"]);
  };
  std::size_t compared = 0;
  for (double seconds = 5; seconds < 1000; seconds *= 1.5) {
    if (search(seconds) != search(1.5 * seconds)) continue;
    ++compared;
    EXPECT_LE(nodes_of(config_for(dataset, {seconds, kMinute.gflops}), "elm").back(),
              nodes_of(config_for(dataset, {1.5 * seconds, kMinute.gflops}), "elm").back())
        << seconds;
  }
  EXPECT_GT(compared, 5u);
}

TEST(StartingConfig, NoNetworkHasMoreNodesThanItsTrainingSamples) {
  for (const arma::uword rows : {arma::uword{10}, arma::uword{40}, arma::uword{150}}) {
    EXPECT_LE(nodes_of(config_for(regression(rows, 3), kMinute), "elm").back(), static_cast<int>(rows - rows / 5))
        << rows;
  }
}

}  // namespace
}  // namespace elmx
