#include "data/transforms/scaler.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"

namespace elmx {
namespace {

struct Range {
  double min = std::numeric_limits<double>::infinity();
  double max = -std::numeric_limits<double>::infinity();
};

/// Returns 1 / width, or 0 if that is not finite.
double inverse(double width) {
  const double factor = 1 / width;
  return std::isfinite(factor) ? factor : 0;
}

/// A column whose span is below this share of its largest absolute value is constant: its values differ only
/// by rounding (0.3 and 0.1 + 0.2).
constexpr double kRounding = 8 * std::numeric_limits<double>::epsilon();

/// Returns 1 / width, or 0 if the column is constant.
double factor_of(double width, const Range& range) {
  const bool constant = range.max - range.min <= kRounding * std::max(std::abs(range.min), std::abs(range.max));
  return constant ? 0 : inverse(width);
}

/// The values to which a scaler is fitted, read block by block in the order of the rows. The sums of a column
/// do not depend on the block size.
class FittedValues {
 public:
  FittedValues(const InputRows& X, const arma::uvec& rows, const Scaler& scaler)
      : X_(X), rows_(rows), scaler_(scaler) {}

  double count() const { return static_cast<double>(rows_.n_elem); }

  /// Calls add(states[j], j, x) for every value x of every column j, as it is in X, with the columns in
  /// parallel. The state of a column is local to the loop over its values, because neighbours would share a
  /// cache line.
  template <class State, class Add>
  void accumulate(std::vector<State>& states, const Add& add) const {
    for_each_block(X_, rows_, [&](arma::uword, const arma::mat& block) {
#pragma omp parallel for schedule(static)
      for (long c = 0; c < static_cast<long>(states.size()); ++c) {
        const auto j = static_cast<arma::uword>(c);
        const double* column = block.colptr(scaler_.column(j));
        State state = states[j];
        for (arma::uword i = 0; i < block.n_rows; ++i) add(state, j, column[i]);
        states[j] = state;
      }
    });
  }

  /// Does the same with missing values filled.
  template <class State, class Add>
  void accumulate_filled(std::vector<State>& states, const Add& add) const {
    accumulate(states,
               [&](State& state, arma::uword j, double x) { add(state, j, std::isnan(x) ? scaler_.fill_of(j) : x); });
  }

  /// Returns the sum of f(j, x) of each column.
  template <class F>
  arma::rowvec sums(const F& f) const {
    std::vector<double> sums(scaler_.dimension(), 0);
    accumulate_filled(sums, [&](double& sum, arma::uword j, double x) { sum += f(j, x); });
    return arma::rowvec(sums);
  }

 private:
  const InputRows& X_;
  const arma::uvec& rows_;
  const Scaler& scaler_;
};

/// Returns the mean of the present values of each column, which replaces the missing values.
arma::rowvec means_there(const FittedValues& values, arma::uword d) {
  struct Sum {
    double sum = 0, count = 0;
  };
  std::vector<Sum> sums(d);
  values.accumulate(sums, [](Sum& of, arma::uword, double x) {
    if (!std::isfinite(x)) return;
    of.sum += x;
    of.count += 1;
  });
  expects(std::ranges::all_of(sums, [](const Sum& of) { return of.count > 0; }),
          "Scaler::fit: a value in each column of the rows");
  arma::rowvec means(d);
  for (arma::uword j = 0; j < d; ++j) means(j) = sums[j].sum / sums[j].count;
  return means;
}

void fit_columns(const std::string& scaling, const FittedValues& values, Scaler& scaler) {
  const arma::uword d = scaler.dimension();
  struct Seen {
    Range range;
    double sum = 0;
  };
  std::vector<Seen> seen(d);
  values.accumulate_filled(seen, [](Seen& of, arma::uword, double x) {
    of.range = {std::min(of.range.min, x), std::max(of.range.max, x)};
    of.sum += x;
  });
  arma::rowvec means(d), squares(d);
  for (arma::uword j = 0; j < d; ++j) means(j) = seen[j].sum / values.count();
  if (scaling == "standard")
    squares = values.sums([&](arma::uword j, double x) { return (x - means(j)) * (x - means(j)); });
  for (arma::uword j = 0; j < d; ++j) {
    const Range& range = seen[j].range;
    const auto [min, max] = range;
    double &offset = scaler.offset(j), &factor = scaler.factor(j);
    if (scaling == "zero_one") {
      offset = min;
      factor = factor_of(max - min, range);
    } else if (scaling == "minus_one_one") {
      const double half_range = max / 2 - min / 2;
      offset = min + half_range;
      factor = factor_of(half_range, range);
    } else if (scaling == "centred") {
      offset = std::clamp(means(j), min, max);  // the mean of a constant column is the constant
      factor = factor_of(std::max(max - offset, offset - min), range);
    } else {
      offset = means(j);
      factor = max > min ? factor_of(std::sqrt(squares(j) / values.count()), range) : 0;
    }
  }
}

constexpr arma::uword kNumbersSorted = arma::uword(1) << 23;

/// Returns an unfitted scaler for the columns first ... last of `scaler`.
Scaler group_of(const Scaler& scaler, arma::uword first, arma::uword last) {
  Scaler group{scaler.offset.subvec(first, last), scaler.factor.subvec(first, last)};
  if (!scaler.fill.is_empty()) group.fill = scaler.fill.subvec(first, last);
  group.columns.set_size(group.dimension());
  for (arma::uword j = first; j <= last; ++j) group.columns(j - first) = scaler.column(j);
  return group;
}

/// Fits q and factor; a constant column gets factor 0.
void fit_ranks(const InputRows& X, const arma::uvec& rows, Scaler& scaler) {
  const arma::uword n = rows.n_elem, d = scaler.dimension(), at_once = std::max<arma::uword>(kNumbersSorted / n, 1);
  std::vector<RankMap::Knots> knots(d);
  for (arma::uword first = 0; first < d; first += at_once) {
    const Scaler group = group_of(scaler, first, std::min(first + at_once, d) - 1);
    arma::mat sorted(n, group.dimension(), arma::fill::none);
    std::vector<double*> end(group.dimension());
    for (arma::uword j = 0; j < group.dimension(); ++j) end[j] = sorted.colptr(j);
    FittedValues(X, rows, group).accumulate_filled(end, [](double*& next, arma::uword, double x) { *next++ = x; });
#pragma omp parallel for schedule(dynamic, 1)
    for (long c = 0; c < static_cast<long>(group.dimension()); ++c) {
      const auto j = static_cast<arma::uword>(c);
      arma::vec column(sorted.colptr(j), n, false, true);
      std::ranges::sort(column);
      knots[first + j] = RankMap::fit(column);
      const Range range{column.front(), column.back()};
      scaler.factor(first + j) = factor_of(RankMap::deviation(knots[first + j], column), range);
    }
  }
  scaler.ranks = RankMap(knots);
}

}  // namespace

const std::vector<std::string>& scalings() {
  static const std::vector<std::string> kinds{"none",    "zero_one", "minus_one_one", "standard",
                                              "centred", "byte",     "rank"};
  return kinds;
}

const std::vector<std::string>& affine_scalings() {
  static const std::vector<std::string> kinds(scalings().begin(), scalings().end() - 1);
  return kinds;
}

Scaler Scaler::fit(const std::string& scaling, const InputRows& X, const arma::uvec& rows, bool missing,
                   arma::uvec columns) {
  expects(std::ranges::count(scalings(), scaling) == 1, "Scaler::fit: scaling is one of scalings()");
  expects(!rows.empty(), "Scaler::fit: at least one row");
  const arma::uword d = columns.is_empty() ? X.dimension() : columns.n_elem;
  Scaler scaler{arma::rowvec(d, arma::fill::zeros), arma::rowvec(d), {}, std::move(columns)};
  scaler.factor.fill(scaling == "byte" ? 1 / 255.0 : 1);
  const FittedValues values(X, rows, scaler);
  if (missing) scaler.fill = means_there(values, d);
  if (scaling == "rank") {
    fit_ranks(X, rows, scaler);
  } else if (scaling != "none" && scaling != "byte") {
    fit_columns(scaling, values, scaler);
  }
  return scaler;
}

arma::mat Scaler::apply(const arma::mat& X, const arma::uvec& rows) const {
  expects(columns.is_empty() ? X.n_cols == dimension() : X.n_cols > columns.max(),
          "Scaler::apply: X has the d columns of the fit");
  arma::mat Z(rows.n_elem, dimension());
  for (arma::uword j = 0; j < dimension(); ++j) apply(j, X.colptr(column(j)), rows.memptr(), rows.n_elem, Z.colptr(j));
  return Z;
}

arma::mat Scaler::undo(const arma::mat& Z) const {
  expects(ranks.is_empty() && Z.n_cols == offset.n_elem, "Scaler::undo: Z has the d columns of an affine fit");
  arma::mat X = Z;
  for (arma::uword j = 0; j < X.n_cols; ++j) X.col(j) = X.col(j) * inverse(factor(j)) + offset(j);
  return X;
}

}  // namespace elmx
