#include "models/ridge/ridge_cost.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/machine/machine.hpp"
#include "features/network_output.hpp"
#include "features/random_layer.hpp"
#include "models/ridge/expansion.hpp"
#include "models/ridge/over_ranks.hpp"
#include "models/ridge/swept_leverages.hpp"
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

double cubed(double n) { return n * n * n; }

constexpr double kCriteria = 80;         // values of a criterion per choice of a ridge parameter
constexpr double kCopied = 2;            // passes over copied or temporary numbers: a read and a write
constexpr double kRowsOfSingles = 2048;  // rows at once in a mixed solution

}  // namespace

Cost ridge_cost(const RidgeSetup& setup, const ExpansionCost& expansion, const Sizes& sizes) {
  const auto N = static_cast<double>(sizes.train), test = static_cast<double>(sizes.test),
             c = static_cast<double>(sizes.outputs);
  const auto L = static_cast<double>(setup.capacity), l0 = static_cast<double>(setup.first),
             m = static_cast<double>(setup.lambdas.size());
  const double word = expansion.word;
  const auto size_at = [&](uword columns) {
    return SweepSize{sizes.train, columns, setup.lambdas.size(), word == sizeof(double)};
  };
  Cost cost;
  cost.flops = expansion.flops;
  cost.passes = expansion.passes;
  double state = 0, timed = 0, most_aside = 0;  // numbers
  for (const std::string& name : setup.algorithms) {
    const RidgeAlgorithm row = ridge_algorithm(name, setup.options);
    if (row.factor) cost.shared = setup.capacity;
    const std::vector<double> steps = steps_of(setup, row.kind);
    const double together = row.kind != StepKind::node ? m : 1, q_most = std::ranges::max(steps);
    const double q_later = steps.size() > 1 ? *std::max_element(steps.begin() + 1, steps.end()) : 0;
    const bool mixed = setup.arithmetic == Arithmetic::mixed;
    const double one = row.state_NL * N * L + row.state_LL * L * L;
    const double aside = row.aside_NL * N * L + row.aside_LL * L * L;
    most_aside = std::max(most_aside, aside);
    double numbers = together * one + aside + (row.gram ? L * L : 0);
    if (mixed) numbers = ((together + 1) * L * L / 2 + std::min(N, kRowsOfSingles) * L) * 4 / word;
    if (mixed && setup.leave_one_out) numbers += L * L * 8 / word;
    if (row.spectrum) numbers = spectrum_numbers(N, L, true) * 8 / word;
    if (!row.spectrum && takes_spectrum(row, setup, size_at(setup.capacity)))
      numbers += spectrum_numbers(N, L, false) * 8 / word;
    if (!mixed && (row.kind == StepKind::block || row.gram)) numbers += 2 * L * q_later + q_most * q_most;
    if (row.residual && !mixed)
      numbers += (expansion.again == 0 || row.state_NL > 0 ? N : std::min(N, expansion.block_rows)) *
                 (row.state_NL > 0 ? q_most : q_later);
    state = std::max(state, numbers);

    double k = 0, products = 0;  // products: flops with the samples and of factors
    for (const double q : steps) {
      const double n = k + q;
      const bool factor = row.state_LL > 0 && row.kind == StepKind::block;
      const bool gram = row.products == Products::gram || (mixed && row.kind == StepKind::block);
      if (row.products != Products::none) products += 2 * N * k * q;  // A'H
      if (gram) products += N * q * (q + 2 * c);                      // H'H, H'Y
      if (row.kind == StepKind::node) products += m * (N * n * n + cubed(n));
      if (row.spectrum) products += spectrum_flops(N, n) + m * (6 * kCriteria + 2 * c) * N * std::min(N, n);
      if (row.kind == StepKind::anew && !row.gram && !row.spectrum)
        products += (mixed ? 1 : m) * N * n * (n + 2 * c) + m * cubed(n) / 3;
      if (row.kind == StepKind::anew && row.gram) products += m * cubed(n) / 3;
      if (factor) products += m * (2 * k * k * q + 2 * k * q * q + 2 * cubed(q) / 3);
      if (factor && row.residual && row.products == Products::border && !mixed) products += m * N * q * (2 * k + q);
      if (row.kind == StepKind::block && row.state_NL > 0) products += m * 3 * N * q * (2 * k + q);
      const double passes = mixed ? 2 + m * kProducts : row.products == Products::none || row.residual ? m : 1;
      cost.flops += passes * expansion.again * n / L;
      if (expansion.reads_again) cost.passes += passes;
      if (mixed) cost.flops += m * kProducts * (4 * N * n * c + 2 * n * n * c);
      k = n;
    }
    cost.flops += (mixed || word < 8 ? kSingleFlop : 1) * products;
    if (row.kind == StepKind::node) {
      // bytes of a step of one node, divided by its number of nodes
      const double moved = word * (N * (row.node_flops.lK + row.node_flops.MlK * c) / 2 + kCopied * aside / L);
      cost.bytes_moved += m * moved * (L * L - l0 * l0) / 2;
      for (const uword columns : std::set<uword>(setup.timed.begin(), setup.timed.end())) {
        const auto n = static_cast<double>(columns), rounds = static_cast<double>(setup.repetitions + 1);
        cost.flops += m * 3 * N * n * n;
        cost.bytes_moved += m * rounds * (moved * n + kCopied * word * one);
      }
      if (!setup.timed.empty()) timed += 2 * one;  // a stored state, and a state that takes the step
    }
    for (const uword columns : setup.columns) {
      const auto n = static_cast<double>(columns);
      cost.flops += m * (4 * N + 2 * test) * n * c +
                    (row.kind == StepKind::node ? m : 1) * (expansion.test + expansion.test_column * n) +
                    expansion.again * n / L;
      if (setup.leave_one_out && row.ridge_solution)
        cost.flops += leave_one_out_flops(row, setup, size_at(columns)) + expansion.again * n / L;
      if (expansion.reads_again) cost.passes += setup.leave_one_out && row.ridge_solution ? 1 + 3 * m : 1;
      cost.test_passes += row.kind == StepKind::node ? m : 1;
    }
  }
  state = std::max(state, timed + most_aside);
  if (setup.reference != "none") {
    state = std::max(state, 3 * L * L * 8 / word);
    for (const uword columns : setup.columns) {
      const auto n = static_cast<double>(columns);
      cost.flops += m * (setup.reference == "qr" ? 2 : 1) * (N * n * n + cubed(n) / 3) + expansion.again * n / L;
      if (expansion.reads_again) cost.passes += 2 * m;
      cost.test_passes += m;
    }
  }
  const double references = setup.reference == "none" ? 0 : 8 * m * static_cast<double>(setup.columns.size()) * L * c;
  const double judged = 8 * m * c * (2 * N + 2 * test + 2 * L) +
                        word * (m * c * N + numbers_at_once(std::max(sizes.train, sizes.test), L)) + references;
  // For each solution h, its rounding and the refinement, in the solver and in the checkpoint, and the
  // outputs of both; for the current solution also the numbers for its leave-one-out errors.
  const double left_out = setup.leave_one_out ? 8 * N * (m * (4 + 4 * c) + 5 + 8 * c) : 0;
  cost.bytes = expansion.bytes + word * (N * c + state) + judged + left_out;
  return sizes.ranks > 1 ? cost_over_ranks(cost, setup, expansion, sizes) : cost;
}

ExpansionCost node_cost(uword columns, const Sizes& sizes, double word, bool stored) {
  const auto N = static_cast<double>(sizes.train), d = static_cast<double>(sizes.inputs),
             L = static_cast<double>(columns);
  ExpansionCost cost;
  cost.word = word;
  cost.block_rows = static_cast<double>(Expansion<double>::kStreamedRows);
  cost.bytes = word * (stored ? N : std::min(N, cost.block_rows)) * L +
               RandomLayer::working_bytes(sizes.inputs, columns, std::max(sizes.train, sizes.test), word);
  const double once = 2 * N * d * L;
  cost.flops = stored ? once : 0;
  cost.again = stored ? 0 : once;
  cost.passes = stored ? 1 : 0;
  cost.reads_again = !stored;
  cost.test_column = 2 * static_cast<double>(sizes.test) * d;
  return cost;
}

bool stores_columns(const std::string& wish, const RidgeSetup& setup, double samples, double word) {
  constexpr double kOfMemory = 0.7;
  if (wish != "auto") return wish == "stored";
  const auto k = static_cast<double>(setup.capacity);
  double state = 0;
  for (const std::string& name : setup.algorithms) {
    const RidgeAlgorithm row = ridge_algorithm(name, setup.options);
    if (row.kind == StepKind::node) return true;
    state = std::max(state, (row.state_NL + row.spectrum) * samples * k + (row.state_LL + row.gram) * k * k);
  }
  return word * (samples * k + state) < kOfMemory * machine_memory();
}

std::string note_on_columns(bool stored, const RidgeSetup& setup, double samples, double word) {
  const std::string bytes = show_bytes(word * samples * static_cast<double>(setup.capacity));
  return "expanded input " + (stored ? "stored (" + bytes + ")" : "streamed (" + bytes + " if stored)");
}

}  // namespace elmx
