#pragma once

#include <string>
#include <vector>

#include "data/rows/row_source.hpp"

namespace elmx {

/// Largest absolute value of an input or a target: a sum of 10^8 squares of this value does not overflow.
inline constexpr double kLargestValue = 1e150;

/// The findings of one pass over inputs on disk.
struct Look {
  std::vector<std::size_t> missing;   ///< number of NaN values of each input
  std::vector<char> incomplete;       ///< for each row, whether an input is missing; empty = all are complete
  std::vector<arma::uword> constant;  ///< inputs that are the same in all rows
  arma::mat others;                   ///< N x (columns behind the inputs): targets
  double seconds = 0;                 ///< duration of the pass
};

/// Checks every number in one pass over blocks. The first `inputs` columns of the source are inputs; the
/// others are returned.
///
///     names     the columns, for messages
///     missing   allows NaN in an input
///     origin    starts the messages
///
/// Throws DataError, with row and column: a forbidden NaN, an infinity, a number beyond kLargestValue.
Look look_at(const RowSource& source, const std::vector<std::string>& names, arma::uword inputs, bool missing,
             const std::string& origin);

}  // namespace elmx
