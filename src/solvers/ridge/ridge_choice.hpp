#pragma once

#include <functional>

namespace elmx {

/// The ridge parameters among which one is chosen, 0 < from < to.
struct RidgeBounds {
  double from;
  double to;
};

/// A ridge parameter that was chosen by a criterion.
struct RidgeChoice {
  enum class Place { inside, lower_bound, upper_bound };

  double lambda = 0;
  Place place = Place::inside;
  bool determined = false;  ///< the criterion was finite somewhere; else lambda is the upper bound

  bool at_bound() const { return place != Place::inside; }
};

/// Minimises the criterion over log lambda within the bounds: on a grid of four values a decade, then by
/// golden section between the neighbours of the best one, until lambda is known to 0.1 per cent; it is
/// rounded to four digits. Of values that agree to 1e-10 the larger lambda is taken. Where the criterion is
/// not finite, lambda is not chosen. About 4 values a decade and 15 more.
RidgeChoice choose_ridge(const RidgeBounds& bounds, const std::function<double(double lambda)>& criterion);

}  // namespace elmx
