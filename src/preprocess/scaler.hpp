#pragma once

#include <armadillo>
#include <string>
#include <vector>

namespace elmx {

/// What can be asked for: none | zero_one | minus_one_one | standard | centred | byte.
const std::vector<std::string>& scalings();

/// An affine map of each column, fitted on some rows and then applied to any:
///
///     z = (x - offset) % factor        x, z: 1 x d;  offset, factor: 1 x d
///
///     none            offset = 0                      factor = 1
///     zero_one        offset = min                    factor = 1 / (max - min)
///     minus_one_one   offset = (min + max) / 2        factor = 2 / (max - min)
///     standard        offset = mean                   factor = 1 / standard deviation (of the n rows: divisor n)
///     centred         offset = mean                   factor = 1 / max |x - mean|
///     byte            offset = 0                      factor = 1 / 255: pixels from 0 to 255, whatever the rows
///
/// But for none and byte a column that is constant on the fitted rows gets factor 0: it carries nothing that could have been learnt.
struct Scaler {
  arma::rowvec offset;
  arma::rowvec factor;

  /// Fits on the given rows of X (N x d) and on no others. Requires at least one row.
  static Scaler fit(const std::string& scaling, const arma::mat& X, const arma::uvec& rows);

  /// Z: n x d, the given rows of X scaled.
  arma::mat apply(const arma::mat& X, const arma::uvec& rows) const;

  /// Back from Z (n x d) to original units: z / factor + offset; a constant column becomes its offset.
  arma::mat undo(const arma::mat& Z) const;
};

}  // namespace elmx
