#include "models/ridge/over_ranks.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/machine/machine.hpp"
#include "features/network_output.hpp"
#include "linalg/block_cyclic.hpp"
#include "solvers/ridge_algorithms.hpp"

namespace elmx {
namespace {

/// Returns how many numbers a rank sends for inverse LDL' factors that grow from size to size: to turn R into
/// whole columns, and in distributed_inverse_ldl.
double sent_by_ldl(const std::vector<uword>& sizes, double ranks) {
  double sent = 0, first = 0;
  for (const uword size : sizes) {
    const auto n = static_cast<double>(size);
    sent += (n * n - first * first) / 2 + n * n - first * first / 2;
    first = n;
  }
  return (ranks - 1) / ranks * sent;
}

/// Returns the largest number up to `most` that `fits`, by bisection; 0 if none does.
uword largest_that(const std::function<bool(uword)>& fits, uword most) {
  uword low = 0, high = most + 1;
  while (high - low > 1) {
    const uword middle = low + (high - low) / 2;
    (fits(middle) ? low : high) = middle;
  }
  return low;
}

}  // namespace

std::optional<ConfigError> needs_one_rank(const RidgeSetup& setup) {
  for (const std::string& name : setup.algorithms) {
    if (!ridge_algorithm(name).factor)
      return ConfigError("/model/algorithms", fmt::format("\"{}\" does not run over several ranks; use one of: {}",
                                                          name, factor_algorithms()));
  }
  if (setup.arithmetic == Arithmetic::wide_gram)
    return ConfigError(
        "/model/precision",
        "nodes in single precision with a Gram matrix in double do not work over several ranks; use \"double\", "
        "\"single\" or \"mixed\"");
  if (setup.reference != "none")
    return ConfigError("/model/reference",
                       fmt::format("expected \"none\" over several ranks, found \"{}\"", setup.reference));
  if (setup.leave_one_out) return ConfigError("/model/leave_one_out", "expected false over several ranks, found true");
  return std::nullopt;
}

bool trains_over_ranks(const RidgeSetup& setup, const Communicator& ranks) {
  return ranks.count() > 1 || (ranks.present() && !needs_one_rank(setup));
}

double gram_word(Arithmetic arithmetic, double word) { return arithmetic == Arithmetic::mixed ? sizeof(float) : word; }

double GramWork::forming(GramOver over, int ranks) const {
  const double all = 2 * samples * inputs * nodes, P = ranks;
  // A rank owns the blocks of some rows and some columns of a grid that is nearly square.
  return over == GramOver::samples ? all / P : all * std::min(1.0, 2 / std::sqrt(P));
}

double GramWork::sent(GramOver over, int ranks) const {
  const double P = ranks;
  return over == GramOver::samples ? word * nodes * nodes / 2 * (P - 1) / P : 0;
}

GramOver GramWork::best(int ranks) const {
  const auto seconds = [&](GramOver over) {
    return forming(over, ranks) / kRankFlops + sent(over, ranks) / kRankBytes;
  };
  return seconds(GramOver::nodes) < seconds(GramOver::samples) ? GramOver::nodes : GramOver::samples;
}

double most_held(int ranks_here) { return machine_memory() / 4 / ranks_here; }

Cost cost_over_ranks(const Cost& alone, const RidgeSetup& setup, const ExpansionCost& expansion, const Sizes& sizes) {
  constexpr double kStreamedRows = 2048, kPanel = 512.0 * (1 << 20), kStrip = 512;
  const double P = sizes.ranks, N = static_cast<double>(sizes.train), test = static_cast<double>(sizes.test),
               c = static_cast<double>(sizes.outputs), k = static_cast<double>(setup.capacity), word = expansion.word,
               m = static_cast<double>(setup.lambdas.size());
  const GridShape grid = grid_shape(sizes.ranks);
  const double rows = grid.rows, cols = grid.cols, block = static_cast<double>(distributed_block(setup.capacity));
  const bool mixed = setup.arithmetic == Arithmetic::mixed;
  const double of_gram = gram_word(setup.arithmetic, word), refining = mixed ? kProducts : 0;  // passes
  const GramWork work{N, static_cast<double>(sizes.inputs), k, of_gram};
  const GramOver over = work.best(sizes.ranks);
  const bool held = word * k * N / P <= most_held(sizes.ranks);

  Cost cost = alone;
  cost.flops = alone.flops / P;
  cost.bytes_moved = alone.bytes_moved / P;
  double arrays = 1, sent = 0, passes = 0;  // passes: those that form the nodes anew
  for (const std::string& name : setup.algorithms) {
    const RidgeAlgorithm row = ridge_algorithm(name, setup.options);
    const bool anew = row.kind == StepKind::anew;
    const double sizes_reported = static_cast<double>(setup.columns.size()), factors = anew ? m * sizes_reported : m;
    const bool ldl = row.factor && row.factor->kind == FactorForm::Kind::inverse_ldl;
    if (!anew) arrays = std::max(arrays, ldl ? m + 1 : m);
    const double grams = anew && !row.gram ? sizes_reported : 1;
    sent += grams * work.sent(over, sizes.ranks);
    // The triangle is mirrored once; the panels of a factor go along rows and columns of the grid.
    const double others = (cols - 1) / cols / rows + (rows - 1) / rows / cols;
    sent +=
        ldl ? m * of_gram * sent_by_ldl(setup.columns, P) : factors * of_gram * k * k / 2 * ((P - 1) / P / P + others);
    // For each block of columns a factor sends two panels and a triangle, by trees, and receives their sums.
    cost.calls += kMessage * factors * 4 * std::ceil(k / block) * std::ceil(std::log2(P));
    sent += m * sizes_reported * 2 * (P - 1) / P * (8 * (N + test) * c + (1 + refining) * (8 + 2 * of_gram) * k * c);
    passes += (mixed ? 2 : 1) * grams + (1 + m * refining) * sizes_reported;
    if (over == GramOver::nodes)
      cost.flops += grams * (work.forming(over, sizes.ranks) - work.forming(GramOver::samples, sizes.ranks));
  }
  cost.bytes_sent = sent;
  if (!held && expansion.again == 0) cost.flops += (passes - 1) * work.forming(GramOver::samples, sizes.ranks);
  const double nodes = held ? word * k * N / P : word * k * std::min(N / P, kStreamedRows);
  const double panel = over == GramOver::samples ? std::min(kPanel, of_gram * k * k / 2) + 2 * kStrip * k * of_gram
                                                 : word * k * std::min(N, kStreamedRows);
  const auto judged = [&](double n) {
    return 8 * m * c * (3 * N + 3 * test + 2 * n) + word * numbers_at_once(sizes.test, n);
  };
  cost.bytes = nodes + arrays * of_gram * k * k / P + word * N * c + panel + judged(k);
  const double room = available_memory();
  const auto fits = [&](uword n) {
    const auto l = static_cast<double>(n);
    return within_indices(n, sizes.ranks) && arrays * of_gram * l * l / P + word * (kStreamedRows + 2 * kStrip) * l +
                                                     kPanel + word * N * c + judged(l) +
                                                     8 * (N + test) * static_cast<double>(sizes.inputs) <=
                                                 room;
  };
  cost.note =
      fmt::format("Gram matrix over {} ({}); at most {} nodes fit if each of the {} ranks has {} to itself",
                  over == GramOver::samples ? "samples" : "nodes",
                  over == GramOver::samples ? "forming nodes on several ranks would take longer than sending sums"
                                            : "forming nodes on several ranks takes less time than sending sums",
                  largest_that(fits, static_cast<uword>(std::sqrt(room * P / of_gram))), sizes.ranks, show_bytes(room));
  return cost;
}

double samples_of_rank(const FoldView& fold) {
  return std::ceil(static_cast<double>(fold.train.samples()) / fold.ranks->count());
}

Inputs part_of(const Inputs& inputs, Part part) {
  return {inputs.X, part.size() > 0 ? inputs.rows.subvec(part.begin, part.end - 1) : arma::uvec(), inputs.scaler};
}

arma::mat rows_of_all(const Communicator& ranks, const arma::mat& rows, Part part, uword n) {
  if (ranks.count() == 1) return rows;
  arma::mat all(n, rows.n_cols);
  if (part.size() > 0) all.rows(part.begin, part.end - 1) = rows;
  ranks.sum(all.memptr(), all.n_elem);
  return all;
}

}  // namespace elmx
