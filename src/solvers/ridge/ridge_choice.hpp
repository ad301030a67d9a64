#pragma once

#include <functional>

namespace elmx {

/// The range from which a ridge parameter is chosen, 0 < from < to.
struct RidgeBounds {
  double from;
  double to;
};

enum class RidgeCriterion { loo_mse, gcv };

/// The criterion to minimise, and bounds of lambda relative to the mean eigenvalue of A'A.
struct RidgeAim {
  RidgeCriterion criterion = RidgeCriterion::loo_mse;
  double from = 1e-9, to = 1e3;
};

/// A ridge parameter chosen by a criterion.
struct RidgeChoice {
  enum class Place { inside, lower_bound, upper_bound };

  double lambda = 0;
  Place place = Place::inside;
  bool determined = false;  ///< the criterion was finite somewhere; false: lambda is the upper bound

  bool at_bound() const { return place != Place::inside; }
};

/// Minimises the criterion over log lambda within the bounds: on a grid of four values per decade, then by
/// golden section between the neighbours of the best value, until lambda is known to 0.1 per cent. lambda is
/// rounded to four digits. If criteria agree to 1e-10, the larger lambda is taken. A lambda with a criterion
/// that is not finite is never chosen.
RidgeChoice choose_ridge(const RidgeBounds& bounds, const std::function<double(double lambda)>& criterion);

/// Returns about how many values of the criterion this takes.
double values_of_choice(const RidgeBounds& bounds);

}  // namespace elmx
