#include "models/bls/bls.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <memory>

#include "base/machine/machine.hpp"
#include "linalg/blas.hpp"

namespace elmx {

void BlsOptions::Features::fields(FieldVisitor& field) {
  field("groups", groups, "number of groups of feature nodes in the initial network", between(1, 1e6));
  field("nodes", nodes, "number of feature nodes in a group", between(1, 1e6));
  field("sparse_coding", sparse_coding, "whether random weights are replaced by sparse codes of the inputs");
  field("penalty", penalty, "penalty on the 1-norm in the sparse coding", at_least(0));
  field("steps", steps, "number of steps of the sparse coding (ADMM)", between(1, 1e6));
}

void BlsOptions::Enhancement::fields(FieldVisitor& field) {
  field("nodes", nodes, "number of enhancement nodes in the initial network, which are fed by all feature nodes",
        between(0, 1e8));
  field("shrink", shrink, "largest input of an enhancement node on the training samples", more_than(0));
  field("weights", weights,
        "uniform on [-1, 1] (as in the paper), or an orthonormal basis of such weights (as in the program of the "
        "original BLS)",
        one_of({"uniform", "orthonormal"}));
}

void BlsOptions::Growth::fields(FieldVisitor& field) {
  field("updates", updates, "number of updates, each of which adds nodes", between(0, 1e6));
  field("feature_groups", feature_groups, "number of groups of feature nodes that an update adds", between(0, 1e6));
  field("enhancement_of_added", enhancement_of_added,
        "number of enhancement nodes that an update adds and that are fed by the feature nodes of the update only",
        between(0, 1e8));
  field("enhancement", enhancement,
        "number of enhancement nodes that an update adds and that are fed by all feature nodes", between(0, 1e8));
  SampleGrowth::fields(field);
}

void BlsOptions::fields(FieldVisitor& field) {
  first_fields(field, "algorithms to compare, which use the same random nodes");
  field("ridge", ridge,
        "ridge penalty lambda; a sweep shares the products with the samples; auto: chosen in each training part by "
        "algorithm path");
  field("standardise", standardise, "whether each sample is scaled to mean 0 and standard deviation 1");
  field("features", features, "feature nodes");
  field("enhancement", enhancement, "enhancement nodes");
  field("growth", growth, "the nodes or the training samples that each update adds");
  own.chol1.fields(field);
  own.chol2.fields(field);
  solution_fields(field);
  field("leave_one_out", leave_one_out,
        "whether leave-one-out errors, GCV and degrees of freedom are computed after each update; 2 N k^2 flops each, "
        "not timed; not available for orig and exg-e; false");
}

std::vector<BroadStep> BlsOptions::steps() const {
  std::vector<BroadStep> all{{features.groups, 0, enhancement.nodes}};
  all.resize(1 + growth.updates, {growth.feature_groups, growth.enhancement_of_added, growth.enhancement});
  return all;
}

std::vector<std::size_t> BlsOptions::sizes() const {
  std::vector<std::size_t> all;
  std::size_t nodes = 0;
  for (const BroadStep& step : steps()) {
    nodes += step.feature_groups * features.nodes + step.enhancement_of_added + step.enhancement;
    all.push_back(nodes);
  }
  return all;
}

BroadFeatureMap BlsOptions::feature_map() const {
  return {standardise,       features.nodes, features.sparse_coding,
          features.penalty,  features.steps, enhancement.weights == "orthonormal",
          enhancement.shrink};
}

RidgeSetup BlsOptions::setup(std::size_t) const {
  RidgeSetup setup = partial_setup();
  for (const std::size_t size : sizes()) setup.columns.push_back(size);
  setup.first = setup.columns.front();
  setup.capacity = setup.columns.back();
  return setup;
}

template <class T>
std::vector<Expansion<T>> BlsOptions::expansions(const FoldView&, const Rng& rng, bool stored) const {
  const auto fit = [options = *this, rng](const Inputs& train) -> FittedMap<T> {
    const auto Z = std::make_shared<arma::Mat<T>>();  // the feature nodes of the training samples
    const auto fitted =
        std::make_shared<const BroadFeatures<T>>(options.feature_map(), options.steps(), train, rng, *Z);
    return {FeatureMap<T>(fitted), [fitted, Z](uword first, View<T> A) {
              fitted->expand(View<const T>(*Z).block(first, 0, A.rows, Z->n_cols), A);
            }};
  };
  return {Expansion<T>(fit, stored)};
}

template std::vector<Expansion<double>> BlsOptions::expansions(const FoldView&, const Rng&, bool) const;
template std::vector<Expansion<float>> BlsOptions::expansions(const FoldView&, const Rng&, bool) const;

ExpansionCost BlsOptions::expansion_cost(const RidgeSetup& setup, const Sizes& sizes, bool stored) const {
  const auto N = static_cast<double>(sizes.train), d = static_cast<double>(sizes.inputs) + 1,
             tested = static_cast<double>(sizes.test);
  const auto k = static_cast<double>(setup.capacity);
  double f = 0;
  for (const BroadStep& step : steps()) f += static_cast<double>(step.feature_groups * features.nodes);

  ExpansionCost cost;
  cost.word = setup.word;
  cost.block_rows = static_cast<double>(Expansion<double>::kStreamedRows);
  const double once = 2 * N * std::max(f, 1.0) * k;  // upper bound for forming all nodes
  cost.flops = 2 * N * d * f * (features.sparse_coding ? 3 : 1) + 2 * once;
  cost.again = stored ? 0 : once;
  cost.passes = features.sparse_coding ? 2 : 1;
  cost.test = 2 * tested * d * f;
  cost.test_column = 2 * tested * std::max(f, 1.0);
  // The projection and its products, and the inputs of a block that are multiplied by it.
  const double rows = std::max(std::min(N, 2048.0), 512.0 * threads());
  cost.bytes = cost.word * (d * (2 * f + rows) + (stored ? N : cost.block_rows) * k + N * f);
  return cost;
}

void BlsOptions::check(const std::string& place) const {
  check_block_algorithms(place, "an update adds blocks of nodes");
  RidgeNetworkOptions::check(place);
  for (const std::string_view key : given_options(features)) {
    if (!features.sparse_coding && (key == "penalty" || key == "steps"))
      throw ConfigError(
          place + "/features/" + std::string(key),
          "has no effect without sparse coding; use model.features.sparse_coding=true or remove this key");
  }
  if (features.sparse_coding && features.nodes == 1) {
    throw ConfigError(place + "/features/nodes",
                      "expected at least 2 with model.features.sparse_coding, which scales the nodes of a group "
                      "in each sample, found 1");
  }
  if (growth.enhancement_of_added > 0 && growth.feature_groups == 0) {
    throw ConfigError(
        place + "/growth/enhancement_of_added",
        "expected 0, because without model.growth.feature_groups no added feature nodes feed these nodes, found " +
            std::to_string(growth.enhancement_of_added));
  }
  if (growth.updates > 0 && growth.wanted())
    throw ConfigError(
        place + "/growth/updates",
        fmt::format("expected 0, because a network grows by nodes or by samples, found {}", growth.updates));
  if (growth.updates == 0 && growth.feature_groups + growth.enhancement_of_added + growth.enhancement > 0)
    throw ConfigError(place + "/growth/updates",
                      "expected at least 1, because model.growth adds nodes in each update, found 0");
  if (growth.updates > 0 && growth.feature_groups + growth.enhancement_of_added + growth.enhancement == 0) {
    throw ConfigError(place + "/growth",
                      "the updates add no nodes; use a number above 0 for feature_groups, enhancement_of_added "
                      "or enhancement");
  }
}

}  // namespace elmx
