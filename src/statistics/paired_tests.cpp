#include "statistics/paired_tests.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "base/error.hpp"
#include "base/numbers.hpp"
#include "statistics/distributions.hpp"

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

TestResult sign_test(const std::vector<double>& differences) {
  const auto below = std::count_if(differences.begin(), differences.end(), [](double d) { return d < 0; });
  const auto above = std::count_if(differences.begin(), differences.end(), [](double d) { return d > 0; });
  const std::vector<double> signs(static_cast<std::size_t>(below + above), 1.0);
  if (signs.empty()) return {nan, 0, 1};
  const double p = std::min(1.0, 2 * sum_at_most(signs, static_cast<double>(std::min(below, above))));
  return {p, sign_of(static_cast<double>(above - below)), all_alike(signs.size())};
}

}  // namespace elmx
