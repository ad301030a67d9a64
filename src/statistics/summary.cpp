#include "statistics/summary.hpp"

#include <algorithm>
#include <boost/math/distributions/fisher_f.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numbers>

#include "base/error.hpp"
#include "base/numbers.hpp"

namespace elmx {

Summary summary_of(const std::vector<double>& observations) {
  const auto [mean, sd] = mean_and_sd(observations.size(), [&](std::size_t i) { return observations[i]; });
  return {mean, sd, observations.size()};
}

Summary pooled(const std::vector<Summary>& parts) {
  double n = 0, sum = 0;
  for (const Summary& part : parts) {
    n += static_cast<double>(part.n);
    if (part.n > 0) sum += static_cast<double>(part.n) * part.mean;
  }
  if (n == 0) return {nan, nan, 0};
  const double mean = sum / n;

  // sum over all observations (x - mean)^2 = sum over parts (n_i - 1) sd_i^2 + n_i (mean_i - mean)^2
  double largest = std::abs(mean);
  for (const Summary& part : parts) {
    if (part.n > 0) largest = std::max(largest, std::abs(part.mean));
    if (part.n > 1) largest = std::max(largest, part.sd);
  }
  const auto squares = [&](double scale) {
    double of_scaled = 0;
    for (const Summary& part : parts) {
      const auto n_i = static_cast<double>(part.n);
      const double sd = part.sd / scale, off = (part.mean - mean) / scale;
      if (part.n > 1) of_scaled += (n_i - 1) * sd * sd;
      if (part.n > 0) of_scaled += n_i * off * off;
    }
    return of_scaled;
  };
  return {mean, n < 2 ? nan : root_of_squares(largest, n - 1, squares), static_cast<arma::uword>(n)};
}

double quantile(std::vector<double> observations, double p) {
  if (observations.empty()) return nan;
  expects(p >= 0 && p <= 1, "quantile: p is a probability");
  std::sort(observations.begin(), observations.end());
  const double place = static_cast<double>(observations.size() - 1) * p;
  const auto below = static_cast<std::size_t>(place);
  const double rest = place - static_cast<double>(below);
  return rest == 0 ? observations[below] : (1 - rest) * observations[below] + rest * observations[below + 1];
}

std::optional<Interval> interval_of_mean(const Summary& summary, double alpha) {
  if (summary.n < 2) return std::nullopt;
  const auto n = static_cast<double>(summary.n);
  const double half = student_bound(alpha, n - 1) * summary.sd / std::sqrt(n);
  return Interval{summary.mean - half, summary.mean + half};
}

double normal_two_sided(double z) { return std::erfc(std::abs(z) / std::numbers::sqrt2); }

double student_two_sided(double t, double freedom) {
  expects(freedom > 0, "student_two_sided: degrees of freedom");
  if (std::isinf(t)) return 0;
  return 2 * cdf(complement(boost::math::students_t(freedom), std::abs(t)));
}

double fisher_upper(double f, double d1, double d2) {
  expects(d1 > 0 && d2 > 0, "fisher_upper: degrees of freedom");
  if (f <= 0) return 1;
  if (std::isinf(f)) return 0;
  return cdf(complement(boost::math::fisher_f(d1, d2), f));
}

double normal_range_upper(double q, unsigned k) {
  expects(k >= 2, "normal_range_upper: a range of at least two");
  if (q <= 0) return 1;
  // The trapezoidal rule converges faster than any power of the step: the integrand vanishes at both ends.
  constexpr double end = 9;
  constexpr int intervals = 400;
  const auto Phi = [](double z) { return std::erfc(-z / std::numbers::sqrt2) / 2; };
  const double step = 2 * end / intervals;
  double sum = 0;
  for (int i = 0; i <= intervals; ++i) {
    const double z = -end + i * step;
    sum += std::exp(-z * z / 2) * std::pow(Phi(z) - Phi(z - q), k - 1.0);
  }
  return std::max(0.0, 1 - k * sum * step / std::sqrt(2 * std::numbers::pi));
}

double student_bound(double alpha, double freedom) {
  expects(freedom >= 1, "student_bound: at least one degree of freedom");
  expects(alpha > 0 && alpha < 1, "student_bound: alpha is a probability");
  return quantile(complement(boost::math::students_t(freedom), alpha / 2));
}

double normal_range_bound(double alpha, unsigned k) {
  expects(alpha > 0 && alpha < 1, "normal_range_bound: alpha is a probability");
  double low = 0, high = 2;  // the tail falls from 1 to 0
  while (normal_range_upper(high, k) > alpha) high *= 2;
  for (int i = 0; i < 60; ++i) {
    const double q = (low + high) / 2;
    (normal_range_upper(q, k) > alpha ? low : high) = q;
  }
  return (low + high) / 2;
}

}  // namespace elmx
