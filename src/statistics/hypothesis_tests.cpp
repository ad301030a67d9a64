#include "statistics/hypothesis_tests.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <optional>

#include "base/error.hpp"
#include "base/numbers.hpp"
#include "statistics/summary.hpp"

namespace elmx {
namespace {

constexpr std::size_t most_exact = 50;

/// Returns the two-sided p of n equal signs, 2 (1/2)^n.
double all_alike(std::size_t n) { return std::min(1.0, std::ldexp(1.0, 1 - static_cast<int>(n))); }

int sign_of(double x) { return (x > 0) - (x < 0); }

/// Returns P(W <= w) of the rank sum of the positive signs; all numbers are doubled because mean ranks are k
/// / 2.
double sum_at_most(const std::vector<double>& ranks, double w) {
  const auto last = static_cast<std::size_t>(std::lround(2 * w));
  std::vector<double> probability(last + 1, 0);
  probability[0] = 1;
  for (const double rank : ranks) {
    const auto r = static_cast<std::size_t>(std::lround(2 * rank));
    for (std::size_t s = last + 1; s-- > 0;) probability[s] = (probability[s] + (s >= r ? probability[s - r] : 0)) / 2;
  }
  return std::accumulate(probability.begin(), probability.end(), 0.0);
}

arma::uword signs_needed(double alpha) {
  arma::uword n = 1;
  while (all_alike(n) > alpha) ++n;
  return n;
}

}  // namespace

const std::vector<PairedTest>& paired_tests() {
  const auto two_needed = [](double) -> arma::uword { return 2; };
  static const std::vector<PairedTest> tests = {
      {"wilcoxon", "Wilcoxon's signed-rank test", [](const std::vector<double>& d, double) { return wilcoxon_test(d); },
       signs_needed},
      {"t", "the paired t-test", [](const std::vector<double>& d, double) { return t_test(d, 0); }, two_needed},
      {"corrected_t", "the corrected resampled t-test of Nadeau and Bengio", t_test, two_needed, true},
  };
  return tests;
}

const PairedTest& find_paired_test(const std::string& name) {
  return named_row(paired_tests(), name, "unknown test \"" + name + "\"");
}

std::vector<double> average_ranks(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return values[i] < values[j]; });
  std::vector<double> ranks(values.size());
  for (std::size_t first = 0; first < order.size();) {
    std::size_t last = first;
    while (last < order.size() && values[order[last]] == values[order[first]]) ++last;
    for (std::size_t i = first; i < last; ++i) ranks[order[i]] = static_cast<double>(first + 1 + last) / 2;
    first = last;
  }
  return ranks;
}

TestResult wilcoxon_test(const std::vector<double>& differences) {
  std::vector<double> sizes;
  for (const double d : differences) sizes.push_back(std::abs(d));
  const std::vector<double> all_ranks = average_ranks(sizes);
  std::vector<double> ranks;
  double below = 0, above = 0;
  for (std::size_t i = 0; i < differences.size(); ++i) {
    if (differences[i] == 0) continue;
    ranks.push_back(all_ranks[i]);
    (differences[i] < 0 ? below : above) += all_ranks[i];
  }
  if (ranks.empty()) return {nan, 0, 1};

  const double w = std::min(below, above);
  const int sign = sign_of(above - below);
  if (ranks.size() <= most_exact) return {std::min(1.0, 2 * sum_at_most(ranks, w)), sign, all_alike(ranks.size())};
  double squares = 0;
  for (const double rank : ranks) squares += rank * rank;
  const double distance = std::max(0.0, (below + above) / 2 - w - 0.5);
  return {normal_two_sided(distance / std::sqrt(squares / 4)), sign, 0};
}

TestResult t_test(const std::vector<double>& differences, double rho) {
  const Summary d = summary_of(differences);
  if (d.n < 2) return {nan, 0, 1};
  const bool alike =
      std::adjacent_find(differences.begin(), differences.end(), std::not_equal_to<>()) == differences.end();
  if (alike || d.sd == 0) return {nan, sign_of(d.mean), 0};  // without a spread the mean cannot be judged
  const auto n = static_cast<double>(d.n);
  return {student_two_sided(d.mean / (d.sd * std::sqrt(1 / n + rho)), n - 1), sign_of(d.mean), 0};
}

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
