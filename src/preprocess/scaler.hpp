#pragma once

#include <armadillo>
#include <limits>
#include <string>
#include <vector>

#include "data/rows/input_rows.hpp"

namespace elmx {

/// What can be asked for: none | zero_one | minus_one_one | standard | centred | byte.
const std::vector<std::string>& scalings();

/// An affine map of each column, fitted on some rows and then applied to any:
///
///     z = (x - offset) % factor        x, z, offset, factor: 1 x d
///
///     none            offset = 0                      factor = 1
///     zero_one        offset = min                    factor = 1 / (max - min)
///     minus_one_one   offset = (min + max) / 2        factor = 2 / (max - min)
///     standard        offset = mean                   factor = 1 / standard deviation (of the n rows: divisor n)
///     centred         offset = mean                   factor = 1 / max |x - mean|
///     byte            offset = 0                      factor = 1 / 255: pixels from 0 to 255, whatever the rows
///
/// But for none and byte a column that is constant on the fitted rows gets factor 0: it carries nothing that
/// could have been learnt. With `fill` a value that is missing (NaN) is taken for fill(j), in the fit too.
/// With `columns` x are those columns of X alone. Sums and squares that leave the range of numbers are formed
/// of scaled values.
struct Scaler {
  arma::rowvec offset;
  arma::rowvec factor;
  arma::rowvec fill = {};   ///< 1 x d: means of the values that are there; empty: none is missing
  arma::uvec columns = {};  ///< of X, ascending; empty: all

  /// Fits on the given rows of X and on no others, in blocks. Requires at least one row, and where `missing`
  /// a value of each column in them. Passes over the rows: none for none and byte, two for standard, else
  /// one; one more where `missing`.
  static Scaler fit(const std::string& scaling, const InputRows& X, const arma::uvec& rows, bool missing = false,
                    arma::uvec columns = {});

  /// Sets `fill` to the means of the rows if it is empty: new samples may lack values that the fitted rows
  /// had. One pass.
  void fill_with_means(const InputRows& X, const arma::uvec& rows);

  /// Columns of z.
  arma::uword dimension() const { return offset.n_elem; }
  /// The column of X that becomes z_j.
  arma::uword column(arma::uword j) const { return columns.is_empty() ? j : columns(j); }
  /// What takes the place of a missing x_j.
  double fill_of(arma::uword j) const { return fill.is_empty() ? std::numeric_limits<double>::quiet_NaN() : fill(j); }

  /// Z: n x d, the given rows of X scaled.
  arma::mat apply(const arma::mat& X, const arma::uvec& rows) const;

  /// Back from Z (n x d) to original units: z / factor + offset; a constant column becomes its offset.
  arma::mat undo(const arma::mat& Z) const;
};

}  // namespace elmx
