#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cluster/distributed_sweep.hpp"
#include "models/ridge/ridge_cost.hpp"
#include "models/trainer.hpp"

namespace elmx {

/// Returns the error for a ridge network over several ranks; none if they can train it together.
std::optional<ConfigError> needs_one_rank(const RidgeSetup& setup);

/// Returns true if these ranks train together: several of them, or one rank under MPI and suitable
/// algorithms.
bool trains_over_ranks(const RidgeSetup& setup, const Communicator& ranks);

/// Returns the bytes per number of the Gram matrix and its factor, if the outputs of nodes have `word` bytes.
double gram_word(Arithmetic arithmetic, double word);

/// The work of ranks on a Gram matrix of k nodes of d inputs over N samples, with `word` bytes per number. It
/// is shared over nodes if forming some nodes on several ranks takes less time than sending sums.
struct GramWork {
  double samples, inputs, nodes, word;

  /// Returns the flops with which a rank forms nodes, and the bytes that it sends.
  double forming(GramOver over, int ranks) const;
  double sent(GramOver over, int ranks) const;
  GramOver best(int ranks) const;
};

// Assumptions of plans about a cluster: the flops per second of a rank that forms nodes, the bytes per second
// of its network, and the microseconds per message.
inline constexpr double kRankFlops = 3e10, kRankBytes = 1e9, kMessage = 10;

/// Returns the cost per rank; `alone` is the cost of one rank for the same trial.
Cost cost_over_ranks(const Cost& alone, const RidgeSetup& setup, const ExpansionCost& expansion, const Sizes& sizes);

/// Returns the most bytes of A that a rank holds with `ranks_here` ranks on its machine. The limit follows
/// from the total memory, not from the free memory, because the last bits of sums depend on it.
double most_held(int ranks_here);

/// Returns the most training samples that a rank has.
double samples_of_rank(const FoldView& fold);

/// Returns the samples of `inputs` that are in the part.
Inputs part_of(const Inputs& inputs, Part part);

/// Returns all n x c rows on every rank, where this rank has the rows `part`.
arma::mat rows_of_all(const Communicator& ranks, const arma::mat& rows, Part part, uword n);

}  // namespace elmx
