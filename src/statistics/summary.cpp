#include "statistics/summary.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/numbers.hpp"
#include "statistics/distributions.hpp"

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

}  // namespace elmx
