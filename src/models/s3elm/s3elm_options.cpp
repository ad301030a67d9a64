#include "models/s3elm/s3elm_options.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "base/config/owned_options.hpp"
#include "models/algorithm_names.hpp"
#include "models/hidden_node_check.hpp"
#include "models/s3elm/s3elm_algorithms.hpp"

namespace elmx {
namespace {

void check_grid(const std::vector<double>& values, const std::string& place) {
  if (values.empty()) throw ConfigError(place, "expected at least one number, found []");
  for (const double value : values) {
    if (std::count(values.begin(), values.end(), value) > 1)
      throw ConfigError(place, fmt::format("duplicate value {}; list each value once", Json(value).dump()));
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
  check_hidden_nodes(activation, hidden_node_names(), biases, false, place);
  check_range(weights, place + "/weights");
  check_range(biases, place + "/biases");
  refuse_options_of_others({{"unit_norm", graph.unit_norm.has_value(), {"sparse_coding"}}}, graph.kind,
                           place + "/graph", "has no effect with kind");
  check_grid(graph.sigma, place + "/graph/sigma");
  check_grid(elm.gamma, place + "/elm/gamma");
  check_grid(selm.lambda, place + "/selm/lambda");
  check_grid(s3elm.mu, place + "/s3elm/mu");
  if (std::ranges::count(s3elm.mu, 0) > 0)
    throw ConfigError(place + "/s3elm/mu", "expected numbers > 0 and <= 1, found 0, which gives the labels no weight");
  if (cross_validation == 1)
    throw ConfigError(place + "/cross_validation", "expected 0 (none) or a number of parts >= 2, found 1");
}

}  // namespace elmx
