#pragma once

#include <string>
#include <vector>

#include "base/ranks/ranks.hpp"
#include "models/ridge/precision.hpp"
#include "models/ridge/ridge_cost.hpp"
#include "preprocess/inputs.hpp"
#include "solvers/distributed/shared_samples.hpp"

namespace elmx {

/// The member of a ridge network that one rank alone can do, what it is and what is allowed ("/reference: qr;
/// allowed ..."); "" where several ranks can work on it.
std::string needs_one_rank(const std::vector<std::string>& algorithms, const Precision& precision,
                           const std::string& reference, bool leave_one_out);

/// True if this run trains the network as ranks do: it is of several, or of one under MPI that can.
bool trains_over_ranks(const RidgeSetup& setup);

/// Bytes of a number of the Gram matrix and its factor, where an output of a node has `word`.
double gram_word(Arithmetic arithmetic, double word);

/// How ranks share a Gram matrix of k nodes of d inputs over N samples, with so many bytes a number: over
/// nodes where forming nodes that others form, too, takes less time than sending sums.
struct GramWork {
  double samples, inputs, nodes, word;

  /// Flops that a rank spends on forming nodes, and bytes that it sends.
  double forming(GramOver over, int ranks) const;
  double sent(GramOver over, int ranks) const;
  GramOver best(int ranks) const;
};

// What plans take for granted of a cluster: the rate of a rank where it forms nodes, that of its network, and
// the microseconds that a message takes.
inline constexpr double kRankFlops = 3e10, kRankBytes = 1e9, kMessage = 10;

/// The cost of a rank: `alone` is that of one rank for the same trial.
Cost cost_over_ranks(const Cost& alone, const RidgeSetup& setup, const ExpansionCost& expansion, const Sizes& sizes);

/// Bytes of A that a rank holds at most, where so many ranks are on its machine: by the machine, for the last
/// bits of sums depend on it.
double most_held(int ranks_here);

/// Training samples that a rank of this run has, at most.
double samples_of_rank(const Inputs& train);

/// Those of `inputs` that are in the part.
Inputs part_of(const Inputs& inputs, Part part);

/// n x c on every rank, of which this one has the rows `part`.
arma::mat rows_of_all(const arma::mat& rows, Part part, uword n);

}  // namespace elmx
