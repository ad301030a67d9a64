#include "models/bls/bls_options.hpp"

#include <algorithm>

#include "base/config/owned_options.hpp"
#include "models/algorithm_names.hpp"
#include "models/ridge/ridge_cost.hpp"
#include "solvers/ridge_algorithms.hpp"

namespace elmx {

std::vector<BroadStep> BlsOptions::steps() const {
  std::vector<BroadStep> all{{features.groups, 0, enhancement.nodes}};
  all.resize(1 + growth.updates, {growth.feature_groups, growth.enhancement_of_added, growth.enhancement});
  return all;
}

std::vector<uword> BlsOptions::sizes() const {
  std::vector<uword> all;
  uword nodes = 0;
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

bool BlsOptions::stores_expanded_input(double samples) const {
  return stores_columns(expanded_input, ridge_setup(std::vector<BlsOptions>{*this}), samples, precision.word());
}

RidgeSetup ridge_setup(const std::vector<BlsOptions>& models) {
  const BlsOptions& options = models.front();
  RidgeSetup setup;
  setup.algorithms = options.algorithms;
  for (const BlsOptions& model : models) setup.lambdas.push_back(model.ridge);
  setup.columns = options.sizes();
  setup.first = setup.columns.front();
  setup.capacity = setup.columns.back();
  setup.forms = {.chol1 = options.chol1_factor.value_or("recursive"), .chol2 = options.chol2_form};
  setup.reference = options.reference;
  setup.arithmetic = options.precision.arithmetic();
  setup.leave_one_out = options.leave_one_out.value_or(false);
  return setup;
}

void BlsOptions::check(const std::string& place) const {
  check_block_algorithms(algorithms, place, "an update adds blocks");
  check_ridge(ridge, algorithms, place);
  precision.check(algorithms, place);
  if (chol1_factor.value_or("recursive") != "recursive" && precision.arithmetic() == Arithmetic::mixed) {
    throw ConfigError(
        place + "/chol1_factor: \"" + *chol1_factor +
        "\" is not available with a Gram matrix in single and weights in double; use precision \"double\" "
        "or \"single\"");
  }
  for (const std::string_view key : given_options(features)) {
    if (!features.sparse_coding && (key == "penalty" || key == "steps"))
      throw ConfigError(place + "/features/" + std::string(key) + ": without sparse_coding; allowed: with it");
  }
  if (features.sparse_coding && features.nodes == 1) {
    throw ConfigError(
        place +
        "/features/nodes: 1; allowed: at least 2 with sparse_coding, which scales each sample's nodes of a group");
  }
  if (growth.enhancement_of_added > 0 && growth.feature_groups == 0) {
    throw ConfigError(place + "/growth/enhancement_of_added: " + std::to_string(growth.enhancement_of_added) +
                      "; allowed: 0 where feature_groups is 0, for there are no feature nodes to feed them");
  }
  if (growth.updates == 0 && growth.feature_groups + growth.enhancement_of_added + growth.enhancement > 0)
    throw ConfigError(place +
                      "/growth/updates: 0, so that nothing is added; allowed: how many updates add these nodes");
  if (growth.updates > 0 && growth.feature_groups + growth.enhancement_of_added + growth.enhancement == 0) {
    throw ConfigError(
        place +
        "/growth: updates that add no nodes; allowed: feature_groups, enhancement_of_added or enhancement above 0");
  }
}

}  // namespace elmx
