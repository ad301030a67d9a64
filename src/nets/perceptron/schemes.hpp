#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/rng.hpp"
#include "linalg/view.hpp"

namespace elmx {

/// Consecutive hidden units first .. first + count - 1.
struct Units {
  uword first = 0, count = 0;
};

/// One iteration k of the decomposition model (Algorithm 1, DAM): the input weights of the units L^k, then
/// the output weights of the units J^k.
struct BlockStep {
  Units L;
  Units J;
};

/// The index sets of a training: the blocks before the first stopping test, and the blocks of each major
/// step.
struct Scheme {
  std::vector<BlockStep> opening;
  std::vector<BlockStep> major;

  /// Returns true if every major step (or the opening, if there are no major steps) ends with all N output
  /// weights, which then solve the ridge problem of the hidden outputs.
  bool ends_with_all_outputs(uword N) const;
};

/// Returns the names of all schemes: those in section IV of the paper, among them DEC, and DEC without full
/// minimisations.
std::vector<std::string> scheme_names();

/// Returns the index sets of N units; block_lambda takes `block` output weights at once. The name must be
/// known.
Scheme scheme_from(std::string_view name, uword N, uword block);

/// The order in which a sweep minimises the units. The paper uses `given` (1, ..., N); the others show what
/// depends on the order.
enum class UnitOrder {
  given,
  alternating,  ///< 1, ..., N and N, ..., 1 in turn
  random,       ///< drawn anew for every sweep
  gradient      ///< the unit with the largest gradient of its input weights at the start of the sweep first
};

std::vector<std::string> unit_order_names();

/// Returns the order of a name, which must be known.
UnitOrder unit_order_from(std::string_view name);

/// Returns the N units of sweep s = 0, 1, ... in their order. `gradient_norms` returns the gradient norm of
/// the input weights of each unit; only the order `gradient` calls it.
arma::uvec units_in_order(UnitOrder order, uword N, std::size_t sweep, const Rng& rng,
                          const std::function<arma::rowvec()>& gradient_norms);

}  // namespace elmx
