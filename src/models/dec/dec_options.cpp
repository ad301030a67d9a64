#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/machine/machine.hpp"
#include "features/network_output.hpp"
#include "models/dec/dec.hpp"

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

/// The sizes of a training.
struct DecSizes {
  double P, n, C, N;          // samples, inputs with the threshold, outputs, hidden units
  double steps, evaluations;  // major steps, evaluations of the error of a unit in each
  double iterations, pairs;   // of L-BFGS on all weights
  double blocks;              // numbers of H and its gradient in blocks at work
};

/// Estimates the iterations of L-BFGS on a unit. It gains a decade of the gradient in about ten, and the
/// gradient begins near a tenth of the variance of the targets times sqrt(P): on nine data sets, whose
/// gradients span 17 decades, within 1.4 decades.
double iterations_of_unit(const DecOptions::Inner& inner, double P, double variance) {
  if (inner.method == "none") return 0;
  const double decades = std::log10(0.1 * variance * std::sqrt(P) / inner.accuracy);
  return decades > 0 ? std::min(10 * decades, static_cast<double>(inner.iterations)) : 0;
}

/// The ridge problem of the output weights, by Cholesky.
Cost cost_of_relm(const DecSizes& s) {
  return {{s.P * s.N * s.N + s.N * s.N * s.N / 3}, 8 * std::max(s.N * s.N, s.blocks)};
}

/// The first major step only solves for the output weights. An evaluation of a unit reads X once, in blocks
/// that stay in the cache for the second product, and two vectors of P numbers; an activation takes as long
/// as a hundred flops. L-BFGS of a unit keeps pairs of its n weights.
Cost cost_of_dec(const DecSizes& s) {
  Cost cost = cost_of_relm(s);
  cost.bytes += 8 * (2 * s.pairs + 5) * s.n;
  cost.flops *= s.steps;
  cost += (s.steps - 1) * s.N * s.evaluations * Work{s.P * (4 * s.n + 100), 8 * s.P * (s.n + 2), 2};
  return cost;
}

/// An iteration evaluates the error at least once, with two passes over X and ten over H and its gradient.
Cost cost_of_lbfgs(const DecSizes& s) {
  return {s.iterations * Work{4 * s.P * s.N * (s.n + s.C), 8 * s.P * (2 * s.n + 10 * s.N)},
          8 * (s.blocks + (2 * s.pairs + 5) * (s.n + s.C) * s.N)};
}

/// Singular values, which replace a copy of H.
Cost cost_of_elm(const DecSizes& s) {
  const double shorter = std::min(s.P, s.N);
  return {4 * cost_of_relm(s), 8 * std::max(s.P * s.N + shorter * shorter, s.blocks)};
}

/// Returns the cost of training one network, beside X, H and the weights.
Cost cost_of_training(const std::string& algorithm, const DecSizes& s) {
  if (algorithm == "dec") return cost_of_dec(s);
  if (algorithm == "lbfgs") return cost_of_lbfgs(s);
  return algorithm == "relm" ? cost_of_relm(s) : cost_of_elm(s);
}

}  // namespace

std::vector<AlgorithmInfo> DecOptions::known_algorithms() const {
  std::vector<AlgorithmInfo> infos{
      {.name = "dec",
       .summary = "decomposition: output weights by least squares, input weights unit by unit (Algorithm DEC)",
       .intermediate_flops = "N (6 + 4 I) P n + P N^2",
       .step = "makes one major step"},
      {.name = "lbfgs",
       .summary = "L-BFGS on all weights",
       .intermediate_flops = "4 P N (n + C)",
       .step = "makes one iteration",
       .ridge_solution = false},
      {.name = "relm",
       .summary = "random hidden units, ridge regression: regularised ELM, which is DEC(1)",
       .intermediate_flops = "P N^2",
       .step = "trains the whole network"},
      {.name = "elm",
       .summary = "random hidden units, output weights of minimum norm (singular values): ELM",
       .intermediate_flops = "4 P N^2",
       .step = "trains the whole network",
       .ridge_solution = false},
  };
  for (AlgorithmInfo& info : infos) info.symbols = "P samples, n inputs, N units, C outputs, I inner iterations a unit";
  return infos;
}

void DecOptions::Inner::fields(FieldVisitor& field) {
  field("method", method, "minimisation of a unit beyond the Armijo point", one_of({"lbfgs", "none"}));
  field("start", start, "starting point of the minimisation, which the paper does not state",
        one_of({"armijo", "current"}));
  field("iterations", iterations, "largest number of iterations", between(1, 1e9));
  field("accuracy", accuracy, "the minimisation ends if ||gradient|| <= accuracy max(1, ||w||)", at_least(0));
  field("test_at_start", test_at_start,
        "whether this test is also made before the first iteration; the published Fortran routine of L-BFGS makes it "
        "only after an iteration");
  field("first_step", first_step,
        "length of the first trial step: the length of the Armijo step (armijo), or 1 as in the Fortran routine (unit)",
        one_of({"armijo", "unit"}));
}

void DecOptions::Cg::fields(FieldVisitor& field) {
  field("tolerance", tolerance, "tolerance of the stopping test", more_than(0));
  field("iterations", iterations,
        "largest number of iterations for each output; 0: ten times the number of hidden units", between(0, 1e9));
  field("stop", stop,
        "quantity of the stopping test: the residual of the normal equations (normal), or that of the least-squares "
        "problem as (38) is printed, which cannot become 0 (literal)",
        one_of({"normal", "literal"}));
  field("xi", xi,
        "if not 0, the iteration goes on until ||gradient|| <= xi^k as well, where k counts the block steps so far",
        between(0, 1));
}

void DecOptions::Dec::fields(FieldVisitor& field) {
  field("report", report,
        "values of maxiter at which results are reported; training ends at the largest ([2, 10] gives DEC(2) and "
        "DEC(10) from one training)",
        at_least(1));
  field("counts", counts,
        "steps that maxiter counts: minimisations over all output weights (text of the paper), or steps of one block "
        "(pseudo-code of the paper)",
        one_of({"full_lambda", "inner_pass"}));
  field("scheme", scheme, "the index sets J^k and L^k", one_of(scheme_names()));
  field("order", order,
        "order of the units in a sweep: as numbered (given, the default), forwards and backwards in turn "
        "(alternating), random in each sweep (random), or the largest gradient first (gradient)",
        one_of(unit_order_names()));
  field("block", block, "number of output weights in a block of the scheme block_lambda", at_least(1));
  field("theta", theta,
        "a unit is skipped if the norm of its gradient is at most theta^k, where k counts the block steps so far",
        between(0, 1));
  field("tau", tau, "constant of test (26), which an L-BFGS point must pass", at_least(0));
  field("gradient_tolerance", gradient_tolerance,
        "training ends early if the norm of the whole gradient is at most this number; 0: never", at_least(0));
  field("armijo", armijo, "step along the negative gradient of a unit (Algorithm 2)");
  field("inner", inner, "minimisation of a unit");
  field("lambda_solver", lambda_solver,
        "solver of the output weights; cg is the method of the paper, cholesky and qr are exact",
        one_of({"cholesky", "qr", "cg"}));
  field("cg", cg, "conjugate gradients");
}

void DecOptions::fields(FieldVisitor& field) {
  first_fields(field, "algorithms to compare, which start from the same random weights");
  field("nodes", nodes, "number of hidden units; each size is trained separately", at_least(1));
  field("weights", weights, "range of the random weights and thresholds, which are uniform");
  field("tau_lambda", tau_lambda, "penalty on the output weights", more_than(0));
  field("tau_w", tau_w,
        "penalty on all input weights: each weight has the penalty tau_w / (n N) for n inputs (with the threshold) and "
        "N units",
        at_least(0));
  field("memory", memory, "number of pairs that L-BFGS keeps", between(1, 1000));
  field("dec", dec, "decomposition training");
  field("lbfgs", lbfgs, "L-BFGS on all weights");
  field("elm", elm, "ELM: output weights of minimum norm");
}

std::vector<std::size_t> DecOptions::sizes() const {
  std::vector<std::size_t> sizes = nodes;
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

bool DecOptions::solves_ridge_problem(std::string_view algorithm) const {
  if (algorithm == "relm") return dec.lambda_solver != "cg";
  if (algorithm != "dec") return Model::solves_ridge_problem(algorithm);
  return dec.counts == "full_lambda" && dec.lambda_solver != "cg" && std::ranges::all_of(sizes(), [&](std::size_t N) {
           return scheme_from(dec.scheme, N, dec.block).ends_with_all_outputs(N);
         });
}

DecompositionOptions DecOptions::decomposition(const Rng& rng) const {
  DecompositionOptions options;
  options.order = unit_order_from(dec.order.value_or("given"));
  options.rng = rng.with(Purpose::order);
  options.unit.armijo = dec.armijo;
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
  check_algorithms(place);
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
  if (!(dec.armijo.delta > 0 && dec.armijo.delta < 1)) {
    throw ConfigError(place + "/dec/armijo/reduction",
                      "expected a number > 0 and < 1, found " + Json(dec.armijo.delta).dump());
  }
  if (elm.rcond && *elm.rcond >= 1)
    throw ConfigError(place + "/elm/rcond", "expected a number >= 0 and < 1, found " + Json(*elm.rcond).dump());
}

Cost DecOptions::cost(std::size_t, const Sizes& sizes) const {
  const auto real = [](std::size_t count) { return static_cast<double>(count); };
  const double P = real(sizes.train), n = real(sizes.inputs + 1), C = real(sizes.outputs),
               steps = real(std::ranges::max(dec.report));
  Cost cost;
  for (const std::size_t size : this->sizes()) {
    const double N = real(size);
    const DecSizes s{.P = P,
                     .n = n,
                     .C = C,
                     .N = N,
                     .steps = dec.counts == "inner_pass" ? std::max(1.0, steps / N) : steps,
                     .evaluations = 1.5 + 1.2 * iterations_of_unit(dec.inner, P, sizes.target_variance),
                     .iterations = real(std::ranges::max(lbfgs.report)),
                     .pairs = real(memory),
                     .blocks = 2 * std::min<double>(threads(), P / 512 + 1) * std::min(P, 512.0) * N};
    const double outputs = 8 * numbers_at_once(sizes.test, N);
    for (const std::string& algorithm : algorithms) {
      const Cost one = cost_of_training(algorithm, s);
      cost += one;
      cost.bytes = std::max(cost.bytes, 8 * (P + n + C) * N + std::max(one.bytes, outputs));
    }
  }
  cost.bytes += 8 * (P * (n + 6 * C) + real(sizes.test) * C);
  return cost;
}

}  // namespace elmx
