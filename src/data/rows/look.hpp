#pragma once

#include <string>
#include <vector>

#include "data/rows/row_source.hpp"

namespace elmx {

/// Largest absolute value of an input or a target: the sum of 10^8 of its squares does not overflow.
inline constexpr double kLargestValue = 1e150;

/// What one pass over inputs on disk has found.
struct Look {
  std::vector<std::size_t> missing;   ///< values of each input that are NaN
  std::vector<char> incomplete;       ///< rows that miss an input; empty: none does
  std::vector<arma::uword> constant;  ///< inputs that are the same in all rows
  arma::mat others;                   ///< N x (columns behind the inputs): targets
  double seconds = 0;                 ///< that the pass took
};

/// Looks at every number once, in blocks: the first `inputs` columns of the source are inputs, the others are
/// kept.
///
///     names     of the columns, for messages
///     missing   NaN is allowed in an input
///     origin    begins the messages
///
/// Throws DataError, with row and column: NaN where none is allowed, an infinity, a number beyond
/// kLargestValue.
Look look_at(const RowSource& source, const std::vector<std::string>& names, arma::uword inputs, bool missing,
             const std::string& origin);

}  // namespace elmx
