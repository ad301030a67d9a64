#include "models/dec/dec_options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/algorithm_names.hpp"
#include "models/dec/dec_algorithms.hpp"

namespace elmx {
namespace {

void check_not_empty(const std::vector<std::size_t>& values, const std::string& place) {
  if (values.empty()) throw ConfigError(place, "expected at least one number, found []");
}

/// Returns the schemes that take the units in turn. Only these have an order of the units.
std::vector<std::string> schemes_with_an_order() {
  std::vector<std::string> names = scheme_names();
  std::erase_if(names, [](const std::string& name) {
    return std::ranges::none_of(scheme_from(name, 2, 1).major, [](const BlockStep& step) { return step.L.count == 1; });
  });
  return names;
}

}  // namespace

std::vector<std::string> dec_algorithm_names() { return names_of(dec_algorithms()); }

std::vector<std::size_t> DecOptions::sizes() const {
  std::vector<std::size_t> sizes = nodes;
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

bool DecOptions::solves_ridge_problem(std::string_view algorithm) const {
  if (algorithm == "relm") return dec.lambda_solver != "cg";
  if (algorithm != "dec") return true;
  return dec.counts == "full_lambda" && dec.lambda_solver != "cg" && std::ranges::all_of(sizes(), [&](std::size_t N) {
           return scheme_from(dec.scheme, N, dec.block).ends_with_all_outputs(N);
         });
}

DecompositionOptions DecOptions::decomposition(const Rng& rng) const {
  DecompositionOptions options;
  options.order = unit_order_from(dec.order.value_or("given"));
  options.rng = rng.with(Purpose::order);
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
  const std::vector<std::string> ordered = schemes_with_an_order();
  if (dec.order && std::ranges::find(ordered, dec.scheme) == ordered.end()) {
    throw ConfigError(place + "/dec/order",
                      fmt::format("scheme \"{}\" has no order of the units; remove this key or use "
                                  "one of the schemes {}",
                                  dec.scheme, fmt::join(ordered, ", ")));
  }
  if (!(dec.armijo.reduction > 0 && dec.armijo.reduction < 1)) {
    throw ConfigError(place + "/dec/armijo/reduction",
                      "expected a number > 0 and < 1, found " + Json(dec.armijo.reduction).dump());
  }
  if (elm.rcond && *elm.rcond >= 1)
    throw ConfigError(place + "/elm/rcond", "expected a number >= 0 and < 1, found " + Json(*elm.rcond).dump());
}

}  // namespace elmx
