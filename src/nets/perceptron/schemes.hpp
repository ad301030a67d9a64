#pragma once

#include <string>
#include <string_view>
#include <vector>

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

}  // namespace elmx
