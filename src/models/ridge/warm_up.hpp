#pragma once

#include <algorithm>
#include <armadillo>

namespace elmx {

// Timed code first runs once, untimed, on few samples: a hundredth of the work of a large problem, and at
// most as many nodes as can be factorised in a fraction of a second.
inline constexpr arma::uword kWarmNodes = 2000;

inline arma::uword warm_samples(arma::uword samples) {
  return std::min(samples, std::max<arma::uword>(256, samples / 64));
}

}  // namespace elmx
