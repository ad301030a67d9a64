#pragma once

#include "features/draws/node_draw.hpp"

namespace elmx {

/// Draws nodes that change between two training samples of different targets:
///
///     w = 2 s (x_b - x_a) / ||x_b - x_a||^2,   bias = -w'x_a - s,   s = scale ln 3
///
/// Then v(x_a) = -s and v(x_b) = s, and a tanh of scale 1 goes from -0.8 to 0.8. Node j takes one of its
/// first eight random pairs that differ in targets, with chances proportional to max_k
/// |y_bk - y_ak| / ||x_b - x_a||. A node without such a pair, or without one of different inputs, is f(0)
/// everywhere.
///
/// E. L. Bolager, I. Burak, C. Datar, Q. Sun, F. Dietrich, "Sampling weights of deep neural networks",
/// NeurIPS 36, 2023.
HiddenNodes draw_pairs(const DrawRequest& request);

}  // namespace elmx
