#pragma once

#include <algorithm>
#include <armadillo>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "data/rows/input_rows.hpp"

namespace elmx {

/// The largest number of knots per column.
inline constexpr arma::uword kRankKnots = 1000;

/// Maps each column to the normal quantiles of its ranks, fitted on n values u of the column:
///
///     q(x) = Phi^-1(F(x)),    F(x) = (#{u < x} + #{u <= x}) / (2n)    x among the u; equal values have one q
///
/// The distinct values are the knots, in ascending order. Between two knots q is linear in x, and beyond the
/// first and the last knot it is constant, so q is continuous and monotone. A column of more than kRankKnots
/// distinct values keeps those that begin or end where q enters or leaves one of kRankKnots - 1 intervals of
/// equal width h (see RankMap::fit). The error of q at the omitted values is less than 2h for any values:
/// 0.014 for n = 2000, 0.02 for n = 1000000.
class RankMap {
 public:
  /// The knots of one column: K values, ascending, and their quantiles.
  struct Knots {
    arma::vec values, quantiles;
  };

  /// Creates a map without columns.
  RankMap() = default;

  /// Joins the knots of all columns; each column has one or more.
  explicit RankMap(const std::vector<Knots>& columns);

  /// Returns the knots of a column, from all of its n >= 1 values in ascending order. If not all distinct
  /// values are knots, a value is a knot if it is the first in its interval of q, or the last value, or the
  /// last in its interval and the next interval is empty. Between two knots that enclose other values q then
  /// grows by less than 2h.
  static Knots fit(const arma::vec& sorted);

  /// Returns the standard deviation of q on n values in ascending order (divisor n).
  static double deviation(const Knots& knots, const arma::vec& sorted);

  bool is_empty() const { return first_.empty(); }
  arma::uword dimension() const { return is_empty() ? 0 : first_.size() - 1; }

  /// Return the values and quantiles of all knots, column by column, and the number of knots per column.
  const arma::vec& values() const { return values_; }
  const arma::vec& quantiles() const { return quantiles_; }
  arma::uvec counts() const { return arma::diff(arma::uvec(first_)); }

  /// Returns q(x) of column j by binary search; NaN if x is NaN.
  double operator()(arma::uword j, double x) const {
    const double *begin = values_.memptr() + first_[j], *at = begin;
    // at: the last knot <= x, if there is one
    for (arma::uword left = first_[j + 1] - first_[j]; left > 1;) {
      const arma::uword half = left / 2;
      at = at[half] <= x ? at + half : at;
      left -= half;
    }
    const auto k = static_cast<arma::uword>(at - values_.memptr());
    if (std::isnan(x)) return x;
    if (x <= *at || k + 1 == first_[j + 1]) return quantiles_[k];
    const double share = (x - *at) / (at[1] - *at);
    return std::min(quantiles_[k] + share * (quantiles_[k + 1] - quantiles_[k]), quantiles_[k + 1]);
  }

 private:
  std::vector<arma::uword> first_;  // column j has the knots first_[j] ... first_[j + 1] - 1; d + 1, or empty
  arma::vec values_, quantiles_;
};

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
/// `columns`, x has only those columns of X. The squares of the values must be within the range of double.
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
