#include "models/ridge/ridge_cost.hpp"

#include <algorithm>
#include <set>

#include "base/machine/machine.hpp"
#include "features/hidden_nodes.hpp"
#include "features/network_output.hpp"
#include "models/ridge/expansion.hpp"
#include "models/ridge/over_ranks.hpp"
#include "models/ridge/sample_growth.hpp"
#include "solvers/ridge_algorithms.hpp"

namespace elmx {
namespace {

/// Returns the columns that each step adds, beginning with the start; only the start for algorithms that add
/// single nodes.
std::vector<double> steps_of(const RidgeSetup& setup, StepKind kind) {
  std::vector<double> steps{static_cast<double>(setup.first)};
  if (kind == StepKind::node) return steps;
  uword k = setup.first;
  for (const uword columns : setup.columns) {
    while (k < columns) {
      const uword q = kind == StepKind::block && setup.block > 0 ? std::min(setup.block, columns - k) : columns - k;
      steps.push_back(static_cast<double>(q));
      k += q;
    }
  }
  return steps;
}

/// Returns the numbers that an algorithm holds beside A, in words of A. spectrum: the leverages come from
/// one.
double state_numbers(const RidgeAlgorithm& row, const RidgeSetup& setup, const ExpansionCost& expansion, double N,
                     bool spectrum) {
  const auto L = static_cast<double>(setup.capacity), m = static_cast<double>(setup.lambdas.size());
  const double together = row.kind == StepKind::node ? 1 : m, in_double = 8 / expansion.word;
  if (setup.arithmetic == Arithmetic::mixed)
    return ((together + 1) * L * L / 2 + std::min(N, 2048.0) * L) * in_double / 2 +
           (setup.leave_one_out ? L * L * in_double : 0);
  if (row.spectrum) return spectrum_numbers(N, L, true) * in_double;
  double numbers = together * (row.state_NL * N * L + row.state_LL * L * L) + row.aside_NL * N * L +
                   row.aside_LL * L * L + (row.gram ? L * L : 0);
  if (spectrum) numbers += spectrum_numbers(N, L, false) * in_double;
  const std::vector<double> steps = steps_of(setup, row.kind);
  const double q = std::ranges::max(steps),
               later = steps.size() > 1 ? *std::max_element(steps.begin() + 1, steps.end()) : 0;
  if (row.kind == StepKind::block || row.gram) numbers += 2 * L * later + q * q;
  if (row.residual && row.state_NL > 0) return numbers + N * q;
  if (row.residual) numbers += (expansion.again == 0 ? N : std::min(N, expansion.block_rows)) * later;
  return numbers;
}

}  // namespace

bool takes_spectrum(const RidgeAlgorithm& algorithm, const RidgeSetup& setup, uword samples, uword columns,
                    bool in_double) {
  if (!setup.leave_one_out || !algorithm.ridge_solution) return false;
  if (algorithm.spectrum) return true;
  const bool positive =
      std::ranges::all_of(setup.lambdas, [](const RidgeParameter& ridge) { return ridge.lambda > 0; });
  return in_double && setup.arithmetic == Arithmetic::of_samples && positive && algorithm.state_NL == 0 &&
         algorithm.kind != StepKind::node && spectrum_pays(samples, columns, setup.lambdas.size());
}

Cost ridge_cost(const RidgeSetup& setup, const ExpansionCost& expansion, const Sizes& sizes) {
  const auto N = static_cast<double>(sizes.train), test = static_cast<double>(sizes.test),
             c = static_cast<double>(sizes.outputs), L = static_cast<double>(setup.capacity),
             l0 = static_cast<double>(setup.first), m = static_cast<double>(setup.lambdas.size()),
             word = expansion.word;
  const bool mixed = setup.arithmetic == Arithmetic::mixed, with_reference = setup.reference != "none";
  const auto by_spectrum = [&](const RidgeAlgorithm& row, uword columns) {
    return takes_spectrum(row, setup, sizes.train, columns, word == sizeof(double));
  };
  Cost cost;
  cost.flops = expansion.flops;
  cost.passes = expansion.passes;
  // Adds passes over the first n columns, which are computed again if they are not stored.
  const auto pass_over = [&](double n, double times) {
    cost.flops += times * expansion.again * n / L;
    if (expansion.reads_again) cost.passes += times;
  };
  double state = with_reference ? 3 * L * L * 8 / word : 0, timed = 0, aside = 0;  // numbers
  for (const std::string& name : setup.algorithms) {
    const RidgeAlgorithm row = ridge_algorithm(name, setup.options);
    const bool node = row.kind == StepKind::node, left_out = setup.leave_one_out && row.ridge_solution;
    if (row.factor) cost.shared = setup.capacity;
    state = std::max(state, state_numbers(row, setup, expansion, N, !row.spectrum && by_spectrum(row, setup.capacity)));
    double k = 0, products = 0;  // flops with the samples and of factors
    for (const double q : steps_of(setup, row.kind)) {
      const double n = k + q;
      products += row.step_flops(N, k, q, m, mixed) + 2 * N * q * c;
      pass_over(n, mixed ? 2 + m * kProducts : row.products == Products::none || row.residual ? m : 1);
      if (mixed) cost.flops += m * kProducts * (4 * N * n * c + 2 * n * n * c);
      for (const RidgeParameter& ridge : setup.lambdas) {
        if (ridge.search)
          products += values_of_choice({ridge.search->from, ridge.search->to}) * (6 + 2 * c) * N * std::min(N, n);
      }
      k = n;
    }
    cost.flops += (mixed || word < 8 ? kSingleFlop : 1) * products;
    if (node) {
      const double one = row.state_NL * N * L + row.state_LL * L * L, temporary = row.aside_NL * N + row.aside_LL * L;
      // Bytes of a step of one node, divided by its number of nodes: a number is read for two flops, and what
      // is formed or copied is written and read.
      const double moved = word * (N * (row.flops.lK + row.flops.MlK * c) / 2 + 2 * temporary);
      cost.bytes_moved += m * moved * (L * L - l0 * l0) / 2;
      for (const uword columns : std::set<uword>(setup.timed.begin(), setup.timed.end())) {
        const auto n = static_cast<double>(columns), rounds = static_cast<double>(setup.repetitions + 1);
        cost.flops += m * 3 * N * n * n;
        cost.bytes_moved += m * rounds * (moved * n + 2 * word * one);
      }
      if (!setup.timed.empty()) timed += 2 * one;  // a stored state, and a state that takes the step
      aside = std::max(aside, temporary * L);
    }
    for (const uword columns : setup.columns) {
      const auto n = static_cast<double>(columns);
      cost.flops += m * (4 * N + 2 * test) * n * c + (node ? m : 1) * (expansion.test + expansion.test_column * n);
      if (left_out && by_spectrum(row, columns))
        cost.flops += (row.spectrum ? 0 : spectrum_flops(N, n)) + m * 6 * N * std::min(N, n);
      else if (left_out)
        cost.flops += m * 2 * N * n * n;
      pass_over(n, left_out ? 1 + 3 * m : 1);
      cost.test_passes += node ? m : 1;
    }
  }
  for (const uword columns : setup.columns) {
    if (!with_reference) break;
    const auto n = static_cast<double>(columns);
    cost.flops += m * (setup.reference == "qr" ? 2 : 1) * (N * n * n + n * n * n / 3);
    pass_over(n, 2 * m);
    cost.test_passes += m;
  }
  const double references = with_reference ? 8 * m * static_cast<double>(setup.columns.size()) * L * c : 0;
  const double judged =
      8 * m * c * (2 * N + 2 * test + 2 * L) + word * (m * c * N + numbers_at_once(sizes.test, L)) + references;
  // For each solution h, its rounding and the refinement, in the solver and in the checkpoint, and the
  // outputs of both; for the current solution also the numbers for its leave-one-out errors.
  const double left_out = setup.leave_one_out ? 8 * N * (m * (4 + 4 * c) + 5 + 8 * c) : 0;
  cost.bytes = expansion.bytes + word * (N * c + std::max(state, timed + aside)) + judged + left_out;
  if (sizes.ranks > 1) cost = cost_over_ranks(cost, setup, expansion, sizes);
  if (expansion.again > 0)
    cost.say("expanded input streamed (" + show_bytes(word * N / sizes.ranks * L) + " if stored)");
  return cost;
}

ExpansionCost node_cost(uword columns, const Sizes& sizes, double word, bool stored) {
  const auto N = static_cast<double>(sizes.train), d = static_cast<double>(sizes.inputs),
             L = static_cast<double>(columns);
  ExpansionCost cost;
  cost.word = word;
  cost.block_rows = static_cast<double>(Expansion<double>::kStreamedRows);
  cost.bytes = word * (stored ? N : std::min(N, cost.block_rows)) * L +
               HiddenNodes::working_bytes(sizes.inputs, columns, std::max(sizes.train, sizes.test), word);
  const double once = 2 * N * d * L;
  cost.flops = stored ? once : 0;
  cost.again = stored ? 0 : once;
  cost.passes = stored ? 1 : 0;
  cost.reads_again = !stored;
  cost.test_column = 2 * static_cast<double>(sizes.test) * d;
  return cost;
}

Cost RidgeNetworkOptions::cost(std::size_t models, const Sizes& sizes) const {
  const RidgeSetup set = settled_setup(std::vector<RidgeParameter>(models, ridge), sizes);
  if (const SampleGrowth growth = sample_growth(); growth.wanted()) {
    growth.check(sizes);
    return sample_growth_cost(set, growth, expansion_cost(set, sizes, true), sizes);
  }
  const bool stored = stores_columns(set, static_cast<double>(sizes.train) / sizes.ranks);
  const ExpansionCost expansion = expansion_cost(set, sizes, stored);
  Cost cost = ridge_cost(set, expansion, sizes);
  if (precision.automatic)
    cost.say("precision auto: " + std::string(set.arithmetic == Arithmetic::mixed ? "mixed" : "double"));
  adjust_cost(expansion, sizes, cost);
  return cost;
}

}  // namespace elmx
