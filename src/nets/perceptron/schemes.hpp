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

/// One iteration k of the decomposition model (Algorithm 1, DAM): input weights of the units L^k, then output
/// weights of J^k.
struct BlockStep {
  Units L;
  Units J;
};

/// The index sets of a training: the blocks before the first stopping test, and those of every further major
/// step.
struct Scheme {
  std::vector<BlockStep> opening;
  std::vector<BlockStep> major;

  /// True if every major step, and the opening where there are no others, ends with all N output weights:
  /// they then solve the ridge problem of the hidden outputs.
  bool ends_with_all_outputs(uword N) const;
};

/// All that exist: the schemes of section IV of the paper, DEC among them, and DEC without its full
/// minimisations.
std::vector<std::string> scheme_names();

/// Index sets of N units; `block` output weights at once in block_lambda. Expects a known name.
Scheme scheme_from(std::string_view name, uword N, uword block);

}  // namespace elmx
