#include "models/dec/dec_options.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "models/algorithm_names.hpp"
#include "models/dec/dec_algorithms.hpp"

namespace elmx {
namespace {

void check_not_empty(const std::vector<std::size_t>& values, const std::string& place) {
  if (values.empty()) throw ConfigError(place + ": []; allowed: at least one");
}

}  // namespace

std::vector<std::string> dec_algorithm_names() { return names_of(dec_algorithms()); }

std::vector<std::size_t> DecOptions::sizes() const {
  std::vector<std::size_t> sizes = nodes;
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

DecompositionOptions DecOptions::decomposition() const {
  DecompositionOptions options;
  options.unit.armijo = {dec.armijo.first, dec.armijo.decrease, dec.armijo.reduction, dec.armijo.trials};
  options.unit.tau = dec.tau;
  options.unit.inner = dec.inner.method == "lbfgs";
  options.unit.inner_from_armijo = dec.inner.start == "armijo";
  options.unit.lbfgs.memory = memory;
  options.unit.lbfgs.iterations = dec.inner.iterations;
  options.unit.lbfgs.accuracy = dec.inner.accuracy;
  options.unit.lbfgs.test_at_start = dec.inner.test_at_start;
  options.unit.armijo_length = dec.inner.first_step == "armijo";
  options.theta = dec.theta;
  options.xi = dec.cg.xi;
  options.outputs = dec.lambda_solver == "cholesky" ? OutputSolver::cholesky
                    : dec.lambda_solver == "qr"     ? OutputSolver::qr
                                                    : OutputSolver::cg;
  options.cg.tolerance = dec.cg.tolerance;
  options.cg.iterations = dec.cg.iterations;
  options.cg.literal = dec.cg.stop == "literal";
  return options;
}

void DecOptions::check(const std::string& place) const {
  check_algorithms(algorithms, dec_algorithms(), place);
  check_not_empty(nodes, place + "/nodes");
  check_not_empty(dec.report, place + "/dec/report");
  check_not_empty(lbfgs.report, place + "/lbfgs/report");
  check_range(weights, place + "/weights");
  if (!(dec.armijo.reduction > 0 && dec.armijo.reduction < 1)) {
    throw ConfigError(fmt::format("{}/dec/armijo/reduction: {}; allowed: more than 0, less than 1", place,
                                  Json(dec.armijo.reduction).dump()));
  }
}

}  // namespace elmx
