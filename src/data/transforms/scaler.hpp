#pragma once

#include <armadillo>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "data/rows/input_rows.hpp"
#include "data/transforms/rank_map.hpp"

namespace elmx {

/// Returns the names of the affine scalings: none | zero_one | minus_one_one | standard | centred | byte.
const std::vector<std::string>& affine_scalings();

/// Returns the names of the scalings of inputs: the affine scalings and rank.
const std::vector<std::string>& scalings();

/// Maps each column by parameters that were fitted on some rows:
///
///     z = (x - offset) % factor        x, z, offset, factor: 1 x d; for rank q(x) stands for x
///
///     none            offset = 0               factor = 1
///     zero_one        offset = min             factor = 1 / (max - min)
///     minus_one_one   offset = (min + max) / 2 factor = 2 / (max - min)
///     standard        offset = mean            factor = 1 / standard deviation (of the n rows: divisor n)
///     centred         offset = mean            factor = 1 / max |x - mean|
///     byte            offset = 0               factor = 1 / 255: pixels from 0 to 255, for any rows
///     rank            offset = 0               factor = 1 / standard deviation of q(x), q: see RankMap
///
/// A column that is constant on the fitted rows carries no information and gets factor 0, except under none
/// and byte. With `fill`, a missing value (NaN) is replaced by fill(j), also while fitting. With
/// `columns`, x has only those columns of X. Sums and squares that would leave the range of double are
/// computed from scaled values.
struct Scaler {
  arma::rowvec offset;
  arma::rowvec factor;
  arma::rowvec fill = {};   ///< 1 x d means of the present values; empty: none is missing
  arma::uvec columns = {};  ///< columns of X in ascending order; empty: all
  RankMap ranks = {};       ///< q of each of the d columns; empty: the scaling is affine

  /// Fits on the given rows of X only, in blocks; with `missing` also sets `fill`. Requires at least one row
  /// and, with `missing`, a present value of each column in the rows. The fit passes over the rows not at all
  /// for none and byte, twice for standard and once otherwise, plus once with `missing`. rank passes once for
  /// each group of columns, whose values are held and sorted: 64 MiB, or one column if it is larger.
  static Scaler fit(const std::string& scaling, const InputRows& X, const arma::uvec& rows, bool missing = false,
                    arma::uvec columns = {});

  /// Returns the number of columns of z.
  arma::uword dimension() const { return offset.n_elem; }
  /// Returns the column of X that becomes z_j.
  arma::uword column(arma::uword j) const { return columns.is_empty() ? j : columns(j); }
  /// Returns the value that replaces a missing x_j.
  double fill_of(arma::uword j) const { return fill.is_empty() ? std::numeric_limits<double>::quiet_NaN() : fill(j); }

  /// Writes z_j of `count` values of one column to out: of column[at[0]], column[at[1]], ..., or of
  /// column[0], column[1], ... if `at` is null. T is float or double.
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

  /// Returns the given rows of X scaled, n x d.
  arma::mat apply(const arma::mat& X, const arma::uvec& rows) const;

  /// Maps Z (n x d) back to the original units: z / factor + offset; a constant column becomes its offset.
  /// Requires an affine scaling.
  arma::mat undo(const arma::mat& Z) const;
};

}  // namespace elmx
