#pragma once

#include <algorithm>
#include <armadillo>

namespace elmx {

// What is timed runs once before on few samples, untimed: a hundredth of the work in a large problem, and no
// more nodes than factorise in a fraction of a second.
inline constexpr arma::uword kWarmNodes = 2000;

inline arma::uword warm_samples(arma::uword samples) {
  return std::min(samples, std::max<arma::uword>(256, samples / 64));
}

}  // namespace elmx
