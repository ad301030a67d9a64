#include "solvers/ridge/ridge_choice.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "base/error.hpp"

namespace elmx {
namespace {

constexpr double kPerDecade = 4;
constexpr double kLambdaKnown = 1e-3;  // width of the last interval of log lambda
constexpr double kEqual = 1e-10;       // relative difference of criteria that count as equal
constexpr double kDigits = 1e4;        // digits of the chosen lambda
constexpr double kGolden = 0.6180339887498949;

/// Rounds lambda to four digits, which does not change the minimum of a criterion.
double rounded(double lambda) {
  const double unit = std::pow(10, std::floor(std::log10(lambda)) + 1);
  return std::round(lambda / unit * kDigits) / kDigits * unit;
}

}  // namespace

RidgeChoice choose_ridge(const RidgeBounds& bounds, const std::function<double(double lambda)>& criterion) {
  expects(bounds.from > 0 && bounds.from < bounds.to && std::isfinite(bounds.to), "choose_ridge: 0 < from < to");
  const double low = std::log(bounds.from), high = std::log(bounds.to);
  const auto value_at = [&](double log_lambda) {
    const double value = criterion(std::clamp(std::exp(log_lambda), bounds.from, bounds.to));
    return std::isfinite(value) ? value : std::numeric_limits<double>::infinity();
  };
  const auto steps = std::max<long>(2, std::lround(std::ceil(kPerDecade * (high - low) / std::log(10.0))));
  const auto at = [&](long i) { return low + (high - low) * static_cast<double>(i) / static_cast<double>(steps); };

  long best = steps;
  double least = std::numeric_limits<double>::infinity();
  for (long i = steps; i >= 0; --i) {
    const double value = value_at(at(i));
    if (value < least && (std::isinf(least) || least - value > kEqual * std::abs(least))) {
      best = i;
      least = value;
    }
  }
  if (std::isinf(least)) return {bounds.to, RidgeChoice::Place::upper_bound, false};

  double a = at(std::max(best - 1, 0L)), b = at(std::min(best + 1, steps));
  double x = b - kGolden * (b - a), y = a + kGolden * (b - a);
  double at_x = value_at(x), at_y = value_at(y);
  while (b - a > kLambdaKnown) {
    if (at_x < at_y) {
      b = y;
      y = std::exchange(x, y - kGolden * (y - a));
      at_y = std::exchange(at_x, value_at(x));
    } else {
      a = x;
      x = std::exchange(y, x + kGolden * (b - x));
      at_x = std::exchange(at_y, value_at(y));
    }
  }
  const bool better = least - std::min(at_x, at_y) > kEqual * std::abs(least);
  if (!better && best == 0) return {bounds.from, RidgeChoice::Place::lower_bound, true};
  if (!better && best == steps) return {bounds.to, RidgeChoice::Place::upper_bound, true};
  const double lambda = std::exp(!better ? at(best) : at_x < at_y ? x : y);
  return {std::clamp(rounded(lambda), bounds.from, bounds.to), RidgeChoice::Place::inside, true};
}

double values_of_choice(const RidgeBounds& bounds) {
  const double width = 2 * std::log(10.0) / kPerDecade;  // of the first interval of the golden section
  return kPerDecade * std::log10(bounds.to / bounds.from) + std::log(kLambdaKnown / width) / std::log(kGolden);
}

}  // namespace elmx
