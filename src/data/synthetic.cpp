#include "data/synthetic.hpp"

#include <cmath>
#include <numbers>

#include "base/error.hpp"
#include "base/numbers.hpp"
#include "base/rng.hpp"

namespace elmx {
namespace {

using std::numbers::pi;

constexpr arma::uword kSteps = GeneratedOptions().length;

struct Point {
  double x, y;
};

/// The random numbers of one sample: a block of the stream, so that sample i does not depend on the number of
/// samples.
class Draws {
 public:
  Draws(std::uint64_t seed, arma::uword sample, std::uint64_t block = 16)
      : rng_(seed, Purpose::synthetic), next_(sample * block) {}
  double uniform(double from, double to) { return from + (to - from) * rng_.uniform(next_++); }
  double normal() { return rng_.normal(next_++); }
  /// Returns a random integer from `from` to `to` - 1.
  arma::uword integer(arma::uword from, arma::uword to) {
    return from + static_cast<arma::uword>(uniform(0, static_cast<double>(to - from)));
  }

 private:
  Rng rng_;
  std::uint64_t next_;
};

template <class Function>
Dataset regression(const GeneratedOptions& options, arma::uword d, std::uint64_t seed, double from, double to,
                   Function f) {
  Dataset data;
  data.X.set_size(options.samples, d);
  data.Y.set_size(options.samples, 1);
  for (arma::uword i = 0; i < options.samples; ++i) {
    Draws draws(seed, i);
    for (arma::uword j = 0; j < d; ++j) data.X(i, j) = draws.uniform(from, to);
    data.Y(i, 0) = f(data.X, i) + options.noise * draws.normal();
  }
  return data;
}

/// curve(k, u): the point of class k at the parameter u in [0, 1).
template <class Curve>
Dataset classification(const GeneratedOptions& options, arma::uword classes, std::uint64_t seed, Curve curve) {
  Dataset data;
  data.task = Task::classification;
  data.X.set_size(options.samples, 2);
  data.labels.set_size(options.samples);
  for (arma::uword k = 0; k < classes; ++k) data.classes.push_back(std::to_string(k));
  for (arma::uword i = 0; i < options.samples; ++i) {
    Draws draws(seed, i);
    data.labels(i) = i % classes;
    const Point point = curve(static_cast<double>(data.labels(i)), draws.uniform(0, 1));
    data.X(i, 0) = point.x + options.noise * draws.normal();
    data.X(i, 1) = point.y + options.noise * draws.normal();
  }
  return data;
}

Dataset friedman1(const GeneratedOptions& options, std::uint64_t seed) {
  return regression(options, 10, seed, 0, 1, [](const arma::mat& X, arma::uword i) {
    return 10 * std::sin(pi * X(i, 0) * X(i, 1)) + 20 * std::pow(X(i, 2) - 0.5, 2) + 10 * X(i, 3) + 5 * X(i, 4);
  });
}

Dataset sinc(const GeneratedOptions& options, std::uint64_t seed) {
  return regression(options, 1, seed, -10, 10, [](const arma::mat& X, arma::uword i) {
    const double x = X(i, 0);
    return x == 0 ? 1 : std::sin(x) / x;
  });
}

Point on_circle(double radius, double angle) { return {radius * std::cos(angle), radius * std::sin(angle)}; }

Dataset two_spirals(const GeneratedOptions& options, std::uint64_t seed) {
  const double turns = options.turns.value_or(2);
  return classification(options, 2, seed, [turns](double k, double u) {
    return on_circle(0.125 + 0.875 * u, 2 * turns * pi * u + k * pi);
  });
}

Dataset two_moons(const GeneratedOptions& options, std::uint64_t seed) {
  return classification(options, 2, seed, [](double k, double u) {
    const Point upper = on_circle(1, pi * u);
    return k == 0 ? upper : Point{1 - upper.x, 0.5 - upper.y};
  });
}

Dataset two_circles(const GeneratedOptions& options, std::uint64_t seed) {
  return classification(options, 2, seed, [](double k, double u) { return on_circle(k == 0 ? 1 : 0.5, 2 * pi * u); });
}

Dataset gaussian_blobs(const GeneratedOptions& options, std::uint64_t seed) {
  return classification(options, 3, seed, [](double k, double) { return on_circle(1, 2 * pi * k / 3); });
}

/// The inputs of the adding problem, and at every step the sum of the marked values so far.
Dataset running_adding(const GeneratedOptions& options, std::uint64_t seed) {
  const arma::uword steps = options.length;
  expects(steps >= 2, "running_adding: two steps at least");
  Dataset data;
  for (arma::uword t = 1; t <= steps; ++t) {
    data.inputs.push_back("value" + std::to_string(t));
    data.inputs.push_back("marker" + std::to_string(t));
  }
  data.X.zeros(options.samples, 2 * steps);
  data.Y.set_size(options.samples, steps);
  for (arma::uword i = 0; i < options.samples; ++i) {
    Draws draws(seed, i, steps + 2);
    const arma::uword first = draws.integer(0, steps / 2), second = draws.integer(steps / 2, steps);
    double sum = 0;
    for (arma::uword t = 0; t < steps; ++t) {
      const double value = draws.uniform(0, 1);
      const bool marked = t == first || t == second;
      data.X(i, 2 * t) = value;
      data.X(i, 2 * t + 1) = marked;
      if (marked) sum += value;
      data.Y(i, t) = sum;
    }
  }
  return data;
}

Dataset adding(const GeneratedOptions& options, std::uint64_t seed) {
  Dataset data = running_adding(options, seed);
  data.Y = data.Y.tail_cols(1).eval();
  return data;
}

}  // namespace

void GeneratedOptions::fields(FieldVisitor& field) {
  field("samples", samples, "generated sets: number of samples", at_least(2));
  field("noise", noise, "generated sets: standard deviation of the noise (adding and running_adding have none)",
        at_least(0));
  field("turns", turns, "two_spirals: number of turns of each arm (2)", more_than(0));
}

std::size_t GeneratedSet::values(const GeneratedOptions& options) const {
  return sequence ? product_of_sizes({3, options.length}) : features + 1;
}

const std::vector<GeneratedSet>& generated_sets() {
  static const std::vector<GeneratedSet> sets = {
      {"friedman1", "Friedman's first regression problem, five of ten inputs matter", Task::regression, 10, friedman1},
      {"sinc", "sin(x) / x", Task::regression, 1, sinc},
      {"two_spirals", "Two spirals, one inside the other", Task::classification, 2, two_spirals},
      {"two_moons", "Two interleaved half circles", Task::classification, 2, two_moons},
      {"two_circles", "Two concentric circles", Task::classification, 2, two_circles},
      {"gaussian_blobs", "Three Gaussian clouds", Task::classification, 2, gaussian_blobs},
      {"adding", "The adding problem: the sum of two marked values of a sequence", Task::regression, 2 * kSteps, adding,
       true},
      {"running_adding", "The sum of the marked values of a sequence so far, at every step", Task::regression,
       2 * kSteps, running_adding, true},
  };
  return sets;
}

}  // namespace elmx
