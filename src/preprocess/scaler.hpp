#pragma once

#include <armadillo>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "data/rows/input_rows.hpp"
#include "preprocess/rank_map.hpp"

namespace elmx {

/// The scalings that are affine: none | zero_one | minus_one_one | standard | centred | byte.
const std::vector<std::string>& affine_scalings();

/// The scalings of inputs: those that are affine, and rank.
const std::vector<std::string>& scalings();

/// A map of each column, fitted on some rows and then applied to any:
///
///     z = (x - offset) % factor        x, z, offset, factor: 1 x d; for rank q(x) stands for x
///
///     none            offset = 0                      factor = 1
///     zero_one        offset = min                    factor = 1 / (max - min)
///     minus_one_one   offset = (min + max) / 2        factor = 2 / (max - min)
///     standard        offset = mean                   factor = 1 / standard deviation (of the n rows: divisor n)
///     centred         offset = mean                   factor = 1 / max |x - mean|
///     byte            offset = 0                      factor = 1 / 255: pixels from 0 to 255, whatever the rows
///     rank            offset = 0                      factor = 1 / standard deviation of q(x), q: see RankMap
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
  RankMap ranks = {};       ///< q of each of the d columns; empty: the scaling is affine

  /// Fits on the given rows of X and on no others, in blocks; with `missing` sets `fill` too. Requires at least
  /// one row, and where `missing` a value of each column in them. Passes over the rows: none for none and byte, two for standard, else
  /// one; one more where `missing`. rank passes once for each group of columns, whose values are held and
  /// sorted: 64 MiB, or one column where it has more.
  static Scaler fit(const std::string& scaling, const InputRows& X, const arma::uvec& rows, bool missing = false,
                    arma::uvec columns = {});

  /// Columns of z.
  arma::uword dimension() const { return offset.n_elem; }
  /// The column of X that becomes z_j.
  arma::uword column(arma::uword j) const { return columns.is_empty() ? j : columns(j); }
  /// What takes the place of a missing x_j.
  double fill_of(arma::uword j) const { return fill.is_empty() ? std::numeric_limits<double>::quiet_NaN() : fill(j); }

  /// z_j of `count` values of one column into out: of column[at[0]], column[at[1]], ..., or where `at` is
  /// null of column[0], column[1], ... T is float or double.
  template <class T>
  void apply(arma::uword j, const double* column, const arma::uword* at, arma::uword count, T* out) const {
    const double b = offset(j), s = factor(j), missing = fill_of(j);
    const auto for_each_value = [&](const auto& scaled) {
      for (arma::uword r = 0; r < count; ++r) {
        const double x = column[at == nullptr ? r : at[r]];
        out[r] = static_cast<T>(scaled(std::isnan(x) ? missing : x));
      }
    };
    if (ranks.is_empty()) return for_each_value([&](double x) { return (x - b) * s; });
    for_each_value([&](double x) { return (ranks(j, x) - b) * s; });
  }

  /// Z: n x d, the given rows of X scaled.
  arma::mat apply(const arma::mat& X, const arma::uvec& rows) const;

  /// Back from Z (n x d) to original units: z / factor + offset; a constant column becomes its offset.
  /// Requires an affine scaling.
  arma::mat undo(const arma::mat& Z) const;
};

}  // namespace elmx
