#include "statistics/rank_tests.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>

#include "base/numbers.hpp"
#include "statistics/distributions.hpp"
#include "statistics/paired_tests.hpp"

namespace elmx {
namespace {

/// Returns all distinct permutations of `ranks`.
std::vector<std::vector<long>> orders_of(std::vector<long> ranks) {
  std::sort(ranks.begin(), ranks.end());
  std::vector<std::vector<long>> orders;
  do {
    orders.push_back(ranks);
  } while (std::next_permutation(ranks.begin(), ranks.end()));
  return orders;
}

double squares(const std::vector<long>& sums) {
  return static_cast<double>(std::inner_product(sums.begin(), sums.end(), sums.begin(), 0L));
}

/// Returns P(sum of the squared rank sums >= its value for `ranks`) if all permutations of each row are
/// equally likely; none if the computation takes too long. The statistic is symmetric in the algorithms, so
/// sums are kept in ascending order.
std::optional<double> exact_p(const std::vector<std::vector<long>>& ranks) {
  constexpr std::size_t most_work = 200'000;  // a tenth of a second per row
  std::vector<long> observed(ranks.front().size(), 0);
  // sums of doubled ranks, ascending -> probability
  std::map<std::vector<long>, double> reached = {{observed, 1.0}};
  for (const std::vector<long>& row : ranks) {
    if (row.size() > 8) return std::nullopt;  // a single row has 9! orders
    for (std::size_t j = 0; j < row.size(); ++j) observed[j] += row[j];
    const auto orders = orders_of(row);
    if (orders.size() * reached.size() > most_work) return std::nullopt;
    std::map<std::vector<long>, double> next;
    for (const auto& [sums, probability] : reached) {
      for (const auto& order : orders) {
        std::vector<long> sum = sums;
        for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += order[j];
        std::sort(sum.begin(), sum.end());
        next[sum] += probability / static_cast<double>(orders.size());
      }
    }
    reached = std::move(next);
  }
  double p = 0;
  for (const auto& [sums, probability] : reached) p += squares(sums) >= squares(observed) ? probability : 0;
  return std::min(1.0, p);
}

double factorial(arma::uword k) { return std::tgamma(static_cast<double>(k) + 1); }

}  // namespace

FriedmanResult friedman_test(const arma::mat& scores) {
  const auto N = static_cast<double>(scores.n_rows);
  const auto k = static_cast<double>(scores.n_cols);
  FriedmanResult result{arma::rowvec(scores.n_cols, arma::fill::zeros), nan, nan, nan, false, 1};
  std::vector<std::vector<long>> doubled;
  for (arma::uword i = 0; i < scores.n_rows; ++i) {
    const std::vector<double> ranks = average_ranks(arma::conv_to<std::vector<double>>::from(scores.row(i)));
    doubled.emplace_back();
    for (const double rank : ranks) doubled.back().push_back(std::lround(2 * rank));
    result.ranks += arma::rowvec(ranks) / N;
  }
  if (scores.n_rows < 2 || scores.n_cols < 2) return result;

  result.chi2 =
      std::max(0.0, 12 * N / (k * (k + 1)) * (arma::accu(arma::square(result.ranks)) - k * (k + 1) * (k + 1) / 4));
  const double rest = N * (k - 1) - result.chi2;
  result.F = rest > 1e-9 * N * (k - 1) ? (N - 1) * result.chi2 / rest : std::numeric_limits<double>::infinity();
  const std::optional<double> exact = exact_p(doubled);
  result.exact = exact.has_value();
  result.smallest_p = std::pow(factorial(scores.n_cols), 1 - N);
  result.p = exact ? *exact : std::max(result.smallest_p, fisher_upper(result.F, k - 1, (k - 1) * (N - 1)));
  return result;
}

arma::uword data_sets_needed(arma::uword k, double alpha) {
  arma::uword N = 2;
  while (std::pow(factorial(k), 1 - static_cast<double>(N)) > alpha) ++N;
  return N;
}

double rank_error(arma::uword k, arma::uword N) {
  return std::sqrt(static_cast<double>(k * (k + 1)) / static_cast<double>(6 * N));
}

double nemenyi_difference(arma::uword k, arma::uword N, double alpha) {
  return normal_range_bound(alpha, static_cast<unsigned>(k)) / std::sqrt(2.0) * rank_error(k, N);
}

std::vector<double> holm(const std::vector<double>& p) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (!std::isnan(p[i])) order.push_back(i);
  }
  std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return p[i] < p[j]; });
  std::vector<double> adjusted(p.size(), nan);
  double least = 0;
  for (std::size_t j = 0; j < order.size(); ++j) {
    least = std::max(least, std::min(1.0, static_cast<double>(order.size() - j) * p[order[j]]));
    adjusted[order[j]] = least;
  }
  return adjusted;
}

}  // namespace elmx
