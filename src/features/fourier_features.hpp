#pragma once

#include "features/random_layer.hpp"

namespace elmx {

inline constexpr const char* kFourier = "fourier";

/// Draws random Fourier features of the Gaussian kernel: sin(w_j'x + b_j), w_j ~ N(0, 2 gamma I), b_j ~ U[0,
/// 2 pi), with
///
///     E[2 sin(w'x + b) sin(w'y + b)] = exp(-gamma ||x - y||^2)
///
/// (the sine of b is the cosine of b - pi / 2, which is as uniform). Node j depends only on the Rng and j. A.
/// Rahimi, B. Recht, "Random features for large-scale kernel machines", NIPS 20, 2007, algorithm 1.
RandomLayer fourier_features(const Rng& rng, uword inputs, uword nodes, double gamma, std::uint64_t first_draw = 0);

}  // namespace elmx
