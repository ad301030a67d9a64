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
  check_block_algorithms(algorithms, place, "an update adds blocks of nodes");
  check_ridge(ridge, algorithms, place);
  precision.check(algorithms, place);
  if (chol1_factor.value_or("recursive") != "recursive" && precision.arithmetic() == Arithmetic::mixed) {
    throw ConfigError(place + "/chol1_factor",
                      "\"" + *chol1_factor +
                          "\" is not available with a Gram matrix in single and weights in double; use "
                          "model.precision=double or model.precision=single");
  }
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
