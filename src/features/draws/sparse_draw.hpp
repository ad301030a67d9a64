#pragma once

#include "features/draws/node_draw.hpp"

namespace elmx {

/// Nodes that see few inputs: node j has m weights w ~ scale N(0, 1) / sqrt(m) at m different inputs, m being
/// 1, 2, 3, 4 or 6 with equal chances (d at most), and a bias b ~ U[-1, 1] max(1, scale).
HiddenNodes draw_sparse(const DrawRequest& request);

}  // namespace elmx
