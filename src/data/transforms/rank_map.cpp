#include <algorithm>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <numbers>

#include "base/error.hpp"
#include "data/transforms/scaler.hpp"

namespace elmx {
namespace {

double normal_quantile(double F) { return -std::numbers::sqrt2 * boost::math::erfc_inv(2 * F); }
double normal_probability(double q) { return std::erfc(-q / std::numbers::sqrt2) / 2; }

/// Returns the interval of each of the ascending F: 0 ... kRankKnots - 2.
std::vector<std::size_t> intervals_of(const std::vector<double>& F) {
  const double lowest = normal_quantile(F.front());
  const double h = (normal_quantile(F.back()) - lowest) / static_cast<double>(kRankKnots - 1);
  std::vector<std::size_t> interval(F.size(), kRankKnots - 2);
  std::size_t i = 0;
  for (std::size_t k = 0; k + 2 < kRankKnots; ++k) {
    const double end = normal_probability(lowest + static_cast<double>(k + 1) * h);
    while (i < F.size() && F[i] < end) interval[i++] = k;
  }
  return interval;
}

/// Removes the values that RankMap::fit does not keep.
void thin_out(std::vector<double>& values, std::vector<double>& F) {
  const std::vector<std::size_t> interval = intervals_of(F);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < F.size(); ++i) {
    const bool is_first = i == 0 || interval[i] > interval[i - 1];
    const bool is_before_a_gap = i + 1 == F.size() || interval[i + 1] > interval[i] + 1;
    if (!is_first && !is_before_a_gap) continue;
    values[kept] = values[i];
    F[kept++] = F[i];
  }
  values.resize(kept);
  F.resize(kept);
}

}  // namespace

RankMap::RankMap(const std::vector<Knots>& columns) : first_{0} {
  for (const Knots& knots : columns) {
    expects(!knots.values.is_empty() && knots.values.n_elem == knots.quantiles.n_elem, "RankMap: a column has knots");
    first_.push_back(first_.back() + knots.values.n_elem);
  }
  values_.set_size(first_.back());
  quantiles_.set_size(first_.back());
  for (std::size_t j = 0; j < columns.size(); ++j) {
    values_.subvec(first_[j], first_[j + 1] - 1) = columns[j].values;
    quantiles_.subvec(first_[j], first_[j + 1] - 1) = columns[j].quantiles;
  }
}

RankMap::Knots RankMap::fit(const arma::vec& sorted) {
  expects(!sorted.is_empty(), "RankMap::fit: at least one value");
  std::vector<double> values, F;  // the distinct values, and their F
  for (const double* u = sorted.begin(); u != sorted.end();) {
    const double* next = std::upper_bound(u, sorted.end(), *u);
    const auto below = static_cast<double>(u - sorted.begin()), count = static_cast<double>(next - u);
    values.push_back(*u);
    F.push_back((below + count / 2) / static_cast<double>(sorted.n_elem));
    u = next;
  }
  if (values.size() > kRankKnots) thin_out(values, F);
  std::ranges::transform(F, F.begin(), normal_quantile);
  return {arma::vec(values), arma::vec(F)};
}

double RankMap::deviation(const Knots& knots, const arma::vec& sorted) {
  const RankMap map({knots});
  arma::vec q(sorted.n_elem);
  for (arma::uword i = 0; i < sorted.n_elem; ++i) q(i) = map(0, sorted(i));
  return arma::stddev(q, 1);
}

}  // namespace elmx
