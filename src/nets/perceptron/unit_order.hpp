#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/rng.hpp"
#include "linalg/view.hpp"

namespace elmx {

/// The order in which a sweep minimises the units. The paper uses `given` (1, ..., N); the others show what
/// depends on the order.
enum class UnitOrder {
  given,
  alternating,  ///< 1, ..., N and N, ..., 1 in turn
  random,       ///< drawn anew for every sweep
  gradient      ///< the unit with the largest gradient of its input weights at the start of the sweep first
};

std::vector<std::string> unit_order_names();

/// Returns the order of a name, which must be known.
UnitOrder unit_order_from(std::string_view name);

/// Returns the N units of sweep s = 0, 1, ... in their order. `gradient_norms` returns the gradient norm of
/// the input weights of each unit; only the order `gradient` calls it.
arma::uvec units_in_order(UnitOrder order, uword N, std::size_t sweep, const Rng& rng,
                          const std::function<arma::rowvec()>& gradient_norms);

}  // namespace elmx
