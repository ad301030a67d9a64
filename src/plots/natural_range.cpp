#include "plots/natural_range.hpp"

#include <limits>

namespace elmx {

NaturalRange natural_range(const Quantity& quantity) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (!quantity.better) return {-infinity, infinity};
  if (quantity.name.ends_with("_mcc") || quantity.name == "mcc") return {-1, 1};
  if (*quantity.better == Better::lower) return {0, infinity};
  return quantity.kind == MetricKind::regression ? NaturalRange{-infinity, 1} : NaturalRange{0, 1};
}

}  // namespace elmx
