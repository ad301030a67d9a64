#pragma once

#include "features/draws/node_draw.hpp"

namespace elmx {

/// Draws nodes with few inputs: node j has m weights w ~ scale N(0, 1) / sqrt(m) at m different inputs, where
/// m is 1, 2, 3, 4 or 6 with equal chances (at most d), and a bias b ~ U[-1, 1] max(1, scale).
HiddenNodes draw_sparse(const DrawRequest& request);

}  // namespace elmx
