#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/config/fields.hpp"
#include "data/table/dataset.hpp"

namespace elmx {

struct GeneratedOptions {
  std::size_t samples = 1000;
  double noise = 0.1;
  std::optional<double> turns;
  std::size_t length = 50;  ///< steps of a sequence; reviews share the key "length"

  void fields(FieldVisitor& field);
};

/// A data set that is computed, not read.
struct GeneratedSet {
  std::string name;
  std::string title;
  Task task;
  std::size_t features;  ///< for a sequence: at the default length
  Dataset (*generate)(const GeneratedOptions& options, std::uint64_t seed);
  bool sequence = false;  ///< samples of `length` steps, without noise

  /// Returns the largest number of inputs and targets of a sample.
  std::size_t values(const GeneratedOptions& options) const;
};

/// Returns every generated set; e is standard normal, all draws come from Rng(seed, Purpose::synthetic).
///
///     friedman1        y = 10 sin(pi x1 x2) + 20 (x3 - 1/2)^2 + 10 x4 + 5 x5 + noise e,
///                      x uniform on [0, 1]^10
///                      (J. H. Friedman, "Multivariate adaptive regression splines", Annals of
///                      Statistics 19, 1991)
///     sinc             y = sin(x) / x + noise e,   x uniform on [-10, 10]
///     two_spirals      class k in {0, 1}: r (cos(a + k pi), sin(a + k pi)) + noise (e1, e2) with
///                      r = 1/8 + 7u/8, a = 2 pi turns u, u uniform on [0, 1]: by default 2 turns,
///                      innermost radius 1/8, outermost 1
///     two_moons        class 0: (cos a, sin a); class 1: (1 - cos a, 1/2 - sin a); + noise (e1, e2);
///                      a uniform on [0, pi]
///     two_circles      class 0: radius 1; class 1: radius 1/2; angle uniform; + noise (e1, e2)
///     gaussian_blobs   class k in {0, 1, 2}: (cos(2 pi k / 3), sin(2 pi k / 3)) + noise (e1, e2)
///
/// Sample i is of class i mod c, so that the classes are equally large.
///
/// Sequences have T = `length` steps (50) of two inputs, x = (v1, m1, v2, m2, ... vT, mT): v is uniform on
/// [0, 1); m is 1 at two steps p < q, one drawn from the first floor(T / 2) and one from the others, and 0
/// elsewhere. No noise.
///
///     adding           y = vp + vq: one target, known after the last step
///                      (S. Hochreiter, J. Schmidhuber, "Long short-term memory", Neural Computation 9, 1997,
///                      experiment 4; there v is on [-1, 1], T varies and y is scaled)
///     running_adding   yt = m1 v1 + ... + mt vt, a target at each of the T steps
///
const std::vector<GeneratedSet>& generated_sets();

}  // namespace elmx
