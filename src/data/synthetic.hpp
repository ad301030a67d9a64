#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/dataset.hpp"
#include "data/options.hpp"

namespace elmx {

/// A set that is computed, not read.
struct GeneratedSet {
  std::string name;
  std::string title;
  Task task;
  arma::uword features;
  Dataset (*generate)(const DataOptions& options, std::uint64_t seed);  ///< heeds samples, noise and turns
};

/// Every generated set; e is standard normal, all draws are of Rng(seed, Purpose::synthetic).
///
///     friedman1        y = 10 sin(pi x1 x2) + 20 (x3 - 1/2)^2 + 10 x4 + 5 x5 + noise e,   x uniform on [0, 1]^10
///                      (J. H. Friedman, "Multivariate adaptive regression splines", Annals of Statistics 19, 1991)
///     sinc             y = sin(x) / x + noise e,   x uniform on [-10, 10]
///     two_spirals      class k in {0, 1}: r (cos(a + k pi), sin(a + k pi)) + noise (e1, e2) with r = 1/8 + 7u/8,
///                      a = 2 pi turns u, u uniform on [0, 1]: turns = 2 of them, innermost radius 1/8, outermost 1
///     two_moons        class 0: (cos a, sin a); class 1: (1 - cos a, 1/2 - sin a); + noise (e1, e2);
///                      a uniform on [0, pi]
///     two_circles      class 0: radius 1; class 1: radius 1/2; angle uniform; + noise (e1, e2)
///     gaussian_blobs   class k in {0, 1, 2}: (cos(2 pi k / 3), sin(2 pi k / 3)) + noise (e1, e2)
///
/// Sample i is of class i mod c, so that the classes are equally large.
const std::vector<GeneratedSet>& generated_sets();

}  // namespace elmx
