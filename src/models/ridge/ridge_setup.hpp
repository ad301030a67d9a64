#pragma once

#include <string>
#include <vector>

#include "models/ridge/ridge_parameter.hpp"
#include "solvers/ridge/factor_form.hpp"
#include "solvers/ridge/growing_ridge.hpp"

namespace elmx {

/// How ridge solutions over the columns of a growing A are trained and looked into: what the recipes
/// (families) have in common.
struct RidgeSetup {
  std::vector<std::string> algorithms;
  std::vector<RidgeParameter> lambdas;  ///< of each model
  uword first = 1;                      ///< columns that are solved for directly, before growth begins
  std::vector<uword> columns;           ///< at each size reported, increasing, none below `first`
  uword direct = 0;                     ///< columns that are no hidden nodes
  uword block = 0;                      ///< columns that algorithms of blocks add at once; 0: all of a size
  bool times_per_node = false;          ///< times of steps of blocks are divided by the nodes that they add
  /// columns at which steps of single nodes are measured again and again ...
  std::vector<uword> timed;
  std::size_t repetitions = 1;  ///< ... so often
  AlgorithmForms forms;
  std::string reference = "none";  ///< none, qr or cholesky
  Arithmetic arithmetic = Arithmetic::of_samples;
  bool single_features = true;  ///< the outputs of the nodes can be in single
  bool leave_one_out = false;
  uword capacity = 0;  ///< all columns that A has

  uword last() const { return columns.back(); }
  uword nodes(uword of_columns) const { return of_columns - direct; }
};

}  // namespace elmx
