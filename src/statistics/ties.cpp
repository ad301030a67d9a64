#include "statistics/ties.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/error.hpp"

namespace elmx {
namespace {

constexpr double kSameSolution = 1e-8;
constexpr double kRoundings = 64;

/// Returns the larger magnitude; 0 if it is infinite, because no other number is near infinity.
double size_of(double a, double b) {
  const double size = std::max(std::abs(a), std::abs(b));
  return std::isinf(size) ? 0 : size;
}

}  // namespace

bool equal_but_for_rounding(double a, double b) { return a == b || std::abs(b - a) <= kSameSolution * size_of(a, b); }

std::vector<double> tied(const std::vector<double>& values, const std::vector<double>& tolerances) {
  expects(values.size() == tolerances.size(), "tied: one tolerance a value");
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return values[i] < values[j]; });

  // Neighbours i - 1 and i are connected if a value before i reaches to i, or a value from i on reaches back
  // to i - 1.
  std::vector<double> least(values.size());
  double back = std::numeric_limits<double>::infinity();
  for (std::size_t i = order.size(); i-- > 0;)
    least[i] = back = std::min(back, values[order[i]] - tolerances[order[i]]);
  std::vector<double> result(values.size());
  double reach = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < order.size(); ++i) {
    const double value = values[order[i]];
    const bool connected = i > 0 && (reach >= value || least[i] <= values[order[i - 1]]);
    result[order[i]] = connected ? result[order[i - 1]] : value;
    reach = std::max(reach, value + tolerances[order[i]]);
  }
  return result;
}

std::vector<double> tied_scores(const std::vector<double>& values) {
  std::vector<double> tolerances;
  for (const double value : values) tolerances.push_back(kSameSolution * size_of(value, value));
  return tied(values, tolerances);
}

std::vector<double> differences_of(const std::vector<double>& a, const std::vector<double>& b) {
  expects(a.size() == b.size(), "differences_of: pairs");
  std::vector<double> sizes, tolerances;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const bool equal = equal_but_for_rounding(a[i], b[i]);
    sizes.push_back(equal ? 0 : std::abs(b[i] - a[i]));
    tolerances.push_back(equal ? 0 : kRoundings * std::numeric_limits<double>::epsilon() * size_of(a[i], b[i]));
  }
  std::vector<double> differences = tied(sizes, tolerances);
  for (std::size_t i = 0; i < a.size(); ++i) differences[i] = std::copysign(differences[i], b[i] - a[i]);
  return differences;
}

}  // namespace elmx
