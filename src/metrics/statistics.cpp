#include "metrics/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "base/error.hpp"

namespace elmx {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// P(-t <= T <= t). With t = sqrt(v) tan(x) the density of T becomes c cos(x)^(v - 1), smooth on a finite range:
/// Simpson.
double central_probability(double t, double v) {
  constexpr int intervals = 256;
  const double c = 2 * std::exp(std::lgamma((v + 1) / 2) - std::lgamma(v / 2)) / std::sqrt(std::numbers::pi);
  const double step = std::atan(t / std::sqrt(v)) / intervals;
  double sum = 0;
  for (int i = 0; i <= intervals; ++i) {
    const double weight = i == 0 || i == intervals ? 1 : (i % 2 == 1 ? 4 : 2);
    sum += weight * std::pow(std::cos(i * step), v - 1);
  }
  return c * sum * step / 3;
}

/// Squared standard error of the mean, relative to the mean.
double relative_variance(const Summary& s) {
  return s.sd * s.sd / (static_cast<double>(s.n) * s.mean * s.mean);
}

}  // namespace

Summary summary_of(const std::vector<double>& observations) {
  const auto n = static_cast<double>(observations.size());
  if (observations.empty()) return {nan, nan, 0};
  double sum = 0;
  for (const double x : observations) sum += x;
  const double mean = sum / n;
  double squares = 0;
  for (const double x : observations) squares += (x - mean) * (x - mean);
  return {mean, observations.size() < 2 ? nan : std::sqrt(squares / (n - 1)), observations.size()};
}

Summary pooled(const std::vector<Summary>& parts) {
  double n = 0;
  double sum = 0;
  for (const Summary& part : parts) {
    n += static_cast<double>(part.n);
    if (part.n > 0) sum += static_cast<double>(part.n) * part.mean;
  }
  if (n == 0) return {nan, nan, 0};
  const double mean = sum / n;

  // sum over all observations (x - mean)^2 = sum over parts (n_i - 1) sd_i^2 + n_i (mean_i - mean)^2
  double squares = 0;
  for (const Summary& part : parts) {
    const auto n_i = static_cast<double>(part.n);
    if (part.n > 1) squares += (n_i - 1) * part.sd * part.sd;
    if (part.n > 0) squares += n_i * (part.mean - mean) * (part.mean - mean);
  }
  return {mean, n < 2 ? nan : std::sqrt(squares / (n - 1)), static_cast<arma::uword>(n)};
}

double median(std::vector<double> observations) {
  if (observations.empty()) return nan;
  std::sort(observations.begin(), observations.end());
  const std::size_t middle = observations.size() / 2;
  if (observations.size() % 2 == 1) return observations[middle];
  return (observations[middle - 1] + observations[middle]) / 2;
}

double student_95(double freedom) {
  expects(freedom >= 1, "student_95: at least one degree of freedom");
  double low = 0;
  double high = 2;
  while (central_probability(high, freedom) < 0.95) high *= 2;
  for (int i = 0; i < 50; ++i) {
    const double t = (low + high) / 2;
    (central_probability(t, freedom) < 0.95 ? low : high) = t;
  }
  return (low + high) / 2;
}

std::optional<Interval> interval_of_mean(const Summary& summary) {
  if (summary.n < 2) return std::nullopt;
  const auto n = static_cast<double>(summary.n);
  const double half = student_95(n - 1) * summary.sd / std::sqrt(n);
  return Interval{summary.mean - half, summary.mean + half};
}

Ratio ratio_of_means(const Summary& a, const Summary& b) {
  if (a.n == 0 || b.n == 0 || b.mean == 0) return {nan, std::nullopt};
  const double value = a.mean / b.mean;
  if (a.n < 2 || b.n < 2 || !(a.mean > 0) || !(b.mean > 0)) return {value, std::nullopt};
  const double va = relative_variance(a);
  const double vb = relative_variance(b);
  const double v = va + vb;
  if (v == 0) return {value, Interval{value, value}};
  const auto squared_by_freedom = [](double x, arma::uword n) { return x * x / static_cast<double>(n - 1); };
  const double freedom = v * v / (squared_by_freedom(va, a.n) + squared_by_freedom(vb, b.n));
  const double factor = std::exp(student_95(std::max(1.0, freedom)) * std::sqrt(v));
  return {value, Interval{value / factor, value * factor}};
}

}  // namespace elmx
