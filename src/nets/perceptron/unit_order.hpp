#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/rng.hpp"
#include "linalg/view.hpp"

namespace elmx {

/// In which order a sweep minimises the units. The paper has `given` (1, ..., N); the others are to find out
/// what depends on it.
enum class UnitOrder {
  given,
  alternating,  ///< 1, ..., N and N, ..., 1 in turn
  random,       ///< drawn anew for every sweep
  gradient      ///< the unit with the largest gradient of its input weights at the start of the sweep first
};

std::vector<std::string> unit_order_names();

/// Expects a known name.
UnitOrder unit_order_from(std::string_view name);

/// The N units of sweep s = 0, 1, ... in their order. `gradient_norms`: of the input weights of each unit,
/// asked for by `gradient` alone.
arma::uvec units_in_order(UnitOrder order, uword N, std::size_t sweep, const Rng& rng,
                          const std::function<arma::rowvec()>& gradient_norms);

}  // namespace elmx
