#pragma once

#include <string>
#include <vector>

#include "models/ridge/ridge_parameter.hpp"
#include "solvers/ridge_algorithms.hpp"

namespace elmx {

/// The common settings of families that train ridge solutions over the columns of a growing A.
struct RidgeSetup {
  std::vector<std::string> algorithms;
  std::vector<RidgeParameter> lambdas;  ///< one per model
  uword first = 1;                      ///< columns that are solved for directly before growth begins
  std::vector<uword> columns;           ///< columns at each reported size, increasing, none below `first`
  uword direct = 0;                     ///< columns that are not hidden nodes
  uword block = 0;                      ///< columns that block algorithms add at once; 0: all of a size
  bool times_per_node = false;          ///< divide times of block steps by the number of added nodes
  /// columns at which steps of single nodes are measured repeatedly ...
  std::vector<uword> timed;
  std::size_t repetitions = 1;  ///< ... and the number of repetitions
  AlgorithmOptions options;
  std::string reference = "none";  ///< none, qr or cholesky
  Arithmetic arithmetic = Arithmetic::of_samples;
  bool single_features = true;  ///< the outputs of the nodes can be in single
  bool leave_one_out = false;
  uword capacity = 0;  ///< the total number of columns of A

  uword last() const { return columns.back(); }
  uword nodes(uword of_columns) const { return of_columns - direct; }
};

}  // namespace elmx
