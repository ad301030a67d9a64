#include "features/fourier_features.hpp"

#include <cmath>
#include <numbers>

namespace elmx {

RandomLayer fourier_features(const Rng& rng, uword inputs, uword nodes, double gamma, std::uint64_t first_draw) {
  RandomLayer layer{Activation::sine, arma::mat(inputs, nodes), arma::rowvec(nodes)};
  const double sd = std::sqrt(2 * gamma);
  for (uword j = 0; j < nodes; ++j) {
    const std::uint64_t first = first_draw + j * (inputs + 1);
    for (uword i = 0; i < inputs; ++i) layer.W(i, j) = sd * rng.normal(first + i);
    layer.b(j) = 2 * std::numbers::pi * rng.uniform(first + inputs);
  }
  return layer;
}

}  // namespace elmx
