#include "models/s3elm/s3elm_options.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "base/config/owned_options.hpp"
#include "features/hidden_nodes.hpp"
#include "models/algorithm_names.hpp"
#include "models/s3elm/s3elm_algorithms.hpp"

namespace elmx {
namespace {

void check_grid(const std::vector<double>& values, const std::string& place) {
  if (values.empty()) throw ConfigError(place + ": []; allowed: at least one value");
  for (const double value : values) {
    if (std::count(values.begin(), values.end(), value) > 1)
      throw ConfigError(fmt::format("{}: {} stands twice; allowed: once", place, Json(value).dump()));
  }
}

}  // namespace

std::vector<std::string> s3elm_algorithm_names() { return names_of(s3elm_algorithms()); }

OpElmOptions S3elmModelOptions::op_elm_options() const {
  const bool mrsr = op_elm.ranking == "mrsr";
  return {mrsr, op_elm.standardise.value_or(mrsr), op_elm.bias,
          op_elm.size == "global_min" ? SizeRule::global_minimum : SizeRule::first_increase};
}

S3elmOptions S3elmModelOptions::s3elm_options() const {
  S3elmOptions options;
  options.lambda = s3elm.lambda;
  options.epsilon = s3elm.epsilon;
  options.iterations = s3elm.iterations;
  options.prune_below = s3elm.prune == "threshold" ? s3elm.prune_below : 0;
  options.keep = s3elm.prune == "topk" ? s3elm.keep : 0;
  options.solver = s3elm.weight_solver == "auto"   ? WeightSolver::automatic
                   : s3elm.weight_solver == "gram" ? WeightSolver::gram
                                                   : WeightSolver::dual;
  return options;
}

void S3elmModelOptions::check(const std::string& place) const {
  check_algorithms(algorithms, s3elm_algorithms(), place);
  const std::vector<std::string> kinds = hidden_node_names();
  if (std::find(kinds.begin(), kinds.end(), activation) == kinds.end()) {
    throw ConfigError(fmt::format("{}/activation: \"{}\": unknown{}", place, activation, suggest(activation, kinds)));
  }
  check_range(weights, place + "/weights");
  check_range(biases, place + "/biases");
  if (activation == "rbf" && biases[0] < 0) {
    throw ConfigError(
        fmt::format("{}/biases: {} with rbf, where they are widths; allowed: not below 0", place, Json(biases).dump()));
  }
  refuse_options_of_others({{"unit_norm", graph.unit_norm.has_value(), {"sparse_coding"}}}, graph.kind,
                           place + "/graph", "not with kind");
  check_grid(graph.sigma, place + "/graph/sigma");
  check_grid(elm.gamma, place + "/elm/gamma");
  check_grid(selm.lambda, place + "/selm/lambda");
  check_grid(s3elm.mu, place + "/s3elm/mu");
  if (std::ranges::count(s3elm.mu, 0) > 0)
    throw ConfigError(place + "/s3elm/mu: 0, so that the labels have no weight; allowed: more than 0, at most 1");
  if (cross_validation == 1) throw ConfigError(place + "/cross_validation: 1; allowed: 0 (none), 2 or more");
}

}  // namespace elmx
