#include "nets/optimisers/lbfgs.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "support/framed.hpp"
#include "support/judge.hpp"
#include "support/problem.hpp"
#include "support/thrown.hpp"

namespace elmx {

inline void PrintTo(LbfgsStop stop, std::ostream* out) {
  *out << (stop == LbfgsStop::converged ? "converged" : stop == LbfgsStop::iterations ? "iterations" : "line_search");
}

namespace {

/// 1/2 (x - x*)'A (x - x*), A of condition 100.
struct Quadratic {
  arma::uword n = 12;
  arma::mat A = [this] {
    const arma::mat Q = orthonormal_matrix(n, n, 7, 1);
    return arma::mat(Q * arma::diagmat(arma::logspace(0, 2, n)) * Q.t());
  }();
  arma::vec minimiser = normal_matrix(n, 1, 7, 2);
  arma::vec start = 5 * normal_matrix(n, 1, 7, 3);

  double operator()(const double* x, double* gradient) const {
    const arma::vec e = arma::vec(x, n) - minimiser, g = A * e;
    std::copy(g.begin(), g.end(), gradient);
    return 0.5 * arma::dot(e, g);
  }
};

/// (1 - x)^2 + 100 (y - x^2)^2
double rosenbrock(const double* x, double* gradient) {
  const double a = 1 - x[0], b = x[1] - x[0] * x[0];
  gradient[0] = -2 * a - 400 * x[0] * b;
  gradient[1] = 200 * b;
  return a * a + 100 * b * b;
}

template <class F>
double gradient_norm(const F& f, const arma::vec& x) {
  arma::vec gradient(x.n_elem);
  f(x.memptr(), gradient.memptr());
  return arma::norm(gradient);
}

TEST(Lbfgs, FindsTheMinimumOfAConvexQuadratic) {
  const Quadratic f;
  arma::vec x = f.start;

  const LbfgsSummary summary = minimise_lbfgs(f, x, {.iterations = 500, .accuracy = 1e-9});

  EXPECT_EQ(summary.stop, LbfgsStop::converged);
  EXPECT_LT(summary.iterations, 200u);
  EXPECT_LE(gradient_norm(f, x), 1e-9 * std::max(1.0, arma::norm(x)));
  EXPECT_LE(arma::norm(x - f.minimiser), 1e-8 * arma::norm(x)) << "A is at least 1";
}

TEST(Lbfgs, FindsTheMinimumOfRosenbrocksValley) {
  for (const arma::vec& start : {arma::vec{-1.2, 1}, arma::vec{0, 0}, arma::vec{3, -5}}) {
    arma::vec x = start;

    const LbfgsSummary summary = minimise_lbfgs(rosenbrock, x, {.iterations = 500, .accuracy = 1e-9});

    EXPECT_EQ(summary.stop, LbfgsStop::converged);
    EXPECT_LE(gradient_norm(rosenbrock, x), 1e-9 * arma::norm(x));
    EXPECT_NEAR(x(0), 1, 1e-6);
    EXPECT_NEAR(x(1), 1, 1e-6);
  }
}

TEST(Lbfgs, MakesExactlyTheIterationsAskedFor) {
  for (const std::size_t T : {1u, 2u, 7u, 20u}) {
    arma::vec x{-1.2, 1};
    std::size_t observed = 0, evaluations = 0;
    const Objective counted = [&](const double* v, double* gradient) {
      ++evaluations;
      return rosenbrock(v, gradient);
    };

    const LbfgsSummary summary =
        minimise_lbfgs(counted, x, {.iterations = T, .accuracy = 0},
                       [&](const LbfgsIterate& iterate) { EXPECT_EQ(iterate.iteration, ++observed); });

    EXPECT_EQ(summary.stop, LbfgsStop::iterations);
    EXPECT_EQ(summary.iterations, T);
    EXPECT_EQ(observed, T);
    EXPECT_EQ(summary.evaluations, evaluations);
    EXPECT_GE(evaluations, T + 1);
    arma::vec gradient(2);
    EXPECT_EQ(summary.value, rosenbrock(x.memptr(), gradient.memptr())) << "the value at the point returned";
  }
}

TEST(Lbfgs, ShowsEveryAcceptedPointAndNeverAHigherValue) {
  const Quadratic f;
  arma::vec x = f.start, gradient(f.n), last;
  double before = f(x.memptr(), gradient.memptr());

  const LbfgsSummary summary =
      minimise_lbfgs(f, x, {.iterations = 40, .accuracy = 1e-6, .first_step = 0.3}, [&](const LbfgsIterate& iterate) {
        last = arma::vec(iterate.x, f.n);
        EXPECT_LE(iterate.value, before);
        EXPECT_NEAR(iterate.value, f(last.memptr(), gradient.memptr()), 1e-12 * (1 + iterate.value));
        EXPECT_NEAR(iterate.gradient_norm / arma::norm(gradient), 1, 1e-9);
        before = iterate.value;
      });

  EXPECT_EQ(summary.value, before);
  EXPECT_TRUE(identical(last, x)) << "the point returned is the last accepted one";
}

TEST(Lbfgs, TheFirstTrialHasTheLengthOfTheFirstStep) {
  const Quadratic f;
  for (const double length : {1.0, 0.25, 1e-3}) {
    arma::vec x = f.start;
    std::vector<arma::vec> trials;
    const Objective recorded = [&](const double* v, double* gradient) {
      trials.emplace_back(v, f.n);
      return f(v, gradient);
    };

    minimise_lbfgs(recorded, x, {.iterations = 1, .accuracy = 0, .first_step = length});

    ASSERT_GE(trials.size(), 2u);
    EXPECT_TRUE(identical(trials[0], f.start));
    EXPECT_NEAR(arma::norm(trials[1] - trials[0]) / length, 1, 1e-9);
  }
}

TEST(Lbfgs, TheFirstStepDoesNotChangeTheMinimum) {
  const Quadratic f;
  for (const double length : {1e-3, 0.1, 1.0, 30.0}) {
    arma::vec x = f.start;

    const LbfgsSummary summary = minimise_lbfgs(f, x, {.iterations = 1000, .accuracy = 1e-10, .first_step = length});

    EXPECT_EQ(summary.stop, LbfgsStop::converged) << length;
    EXPECT_LE(arma::norm(x - f.minimiser), 1e-9 * arma::norm(x)) << length;
  }
}

TEST(Lbfgs, TheTestIsMadeBeforeTheFirstIteration) {
  const Quadratic f;
  arma::vec x = f.minimiser + 1e-8;
  const arma::vec start = x;

  const LbfgsSummary summary = minimise_lbfgs(f, x, {.accuracy = 1e-2}, [](const LbfgsIterate&) { FAIL(); });

  EXPECT_EQ(summary.stop, LbfgsStop::converged);
  EXPECT_EQ(summary.iterations, 0u);
  EXPECT_EQ(summary.evaluations, 1u);
  EXPECT_TRUE(identical(x, start));
}

// As the Fortran routine of Liu and Nocedal does it.
TEST(Lbfgs, WithoutATestAtTheStartItMakesOneIterationAtLeast) {
  const Quadratic f;
  arma::vec x = f.minimiser + 1e-6, gradient(f.n);
  const double before = f(x.memptr(), gradient.memptr());

  const LbfgsSummary summary = minimise_lbfgs(f, x, {.accuracy = 1e-2, .test_at_start = false, .first_step = 1e-7});

  EXPECT_EQ(summary.stop, LbfgsStop::converged);
  EXPECT_EQ(summary.iterations, 1u);
  EXPECT_LT(f(x.memptr(), gradient.memptr()), before);

  x = f.minimiser;
  EXPECT_EQ(minimise_lbfgs(f, x, {.accuracy = 1e-2, .test_at_start = false}).iterations, 0u) << "no direction there";
}

// ||gradient|| <= accuracy max(1, ||x||), whatever the unit of the method is.
TEST(Lbfgs, StopsAtTheFirstPointThatPassesTheTest) {
  const Quadratic f;
  for (const double length : {1.0, 0.01}) {
    arma::vec x = f.start;
    std::vector<double> ratios;

    minimise_lbfgs(f, x, {.iterations = 500, .accuracy = 1e-3, .first_step = length}, [&](const LbfgsIterate& iterate) {
      ratios.push_back(iterate.gradient_norm / std::max(1.0, arma::norm(arma::vec(iterate.x, f.n))));
    });

    ASSERT_GE(ratios.size(), 2u);
    EXPECT_LE(ratios.back(), 1e-3);
    ratios.pop_back();
    for (const double ratio : ratios) EXPECT_GT(ratio, 1e-3);
  }
}

TEST(Lbfgs, AtAStationaryPointItIsDoneEvenWithoutATest) {
  const Quadratic f;
  arma::vec x = f.minimiser;

  EXPECT_EQ(minimise_lbfgs(f, x, {.accuracy = 0}).stop, LbfgsStop::converged);
}

// Its gradient is a lie: no step along it decreases the value.
TEST(Lbfgs, WhereTheLineSearchFailsTheStartIsKept) {
  const Objective wrong = [](const double* x, double* gradient) {
    gradient[0] = -2 * x[0];
    return x[0] * x[0];
  };
  arma::vec x{3};

  const LbfgsSummary summary = minimise_lbfgs(wrong, x, {});

  EXPECT_EQ(summary.stop, LbfgsStop::line_search);
  EXPECT_EQ(summary.iterations, 0u);
  EXPECT_EQ(summary.value, 9);
  EXPECT_EQ(x(0), 3);
  EXPECT_LE(summary.evaluations, 1u + 20);
}

// x^2 for x > 0 and not a number beyond, where the first trial goes.
TEST(Lbfgs, WhatIsNotANumberIsNoDecrease) {
  const Objective f = [](const double* x, double* gradient) {
    gradient[0] = x[0] > 0 ? 2 * x[0] : arma::datum::nan;
    return x[0] > 0 ? x[0] * x[0] : arma::datum::nan;
  };
  arma::vec x{3};

  minimise_lbfgs(f, x, {.iterations = 3, .first_step = 10},
                 [](const LbfgsIterate& iterate) { EXPECT_LT(iterate.value, 9); });

  EXPECT_GT(x(0), 0);
  EXPECT_LT(x(0), 3);
}

TEST(Lbfgs, FromAPointThatIsNotANumberThereIsNoStep) {
  const Objective f = [](const double*, double* gradient) {
    gradient[0] = arma::datum::nan;
    return arma::datum::nan;
  };
  arma::vec x{3};

  const LbfgsSummary summary = minimise_lbfgs(f, x, {}, [](const LbfgsIterate&) { FAIL(); });

  EXPECT_EQ(summary.stop, LbfgsStop::line_search);
  EXPECT_EQ(summary.iterations, 0u);
  EXPECT_EQ(summary.evaluations, 1u);
  EXPECT_EQ(x(0), 3);
}

TEST(Lbfgs, TheLimitOfTrialsIsKept) {
  std::size_t evaluations = 0;
  const Objective wrong = [&](const double* x, double* gradient) {
    ++evaluations;
    gradient[0] = -2 * x[0];
    return x[0] * x[0];
  };
  arma::vec x{3};

  minimise_lbfgs(wrong, x, {.trials = 5});

  EXPECT_EQ(evaluations, 1u + 5);
}

TEST(Lbfgs, AnExceptionOfTheObjectivePassesThrough) {
  for (const int last : {1, 2, 5}) {
    int calls = 0;
    const Objective f = [&](const double* x, double* gradient) {
      if (++calls == last) throw std::runtime_error("call " + std::to_string(last));
      return rosenbrock(x, gradient);
    };
    arma::vec x{-1.2, 1};

    EXPECT_EQ(thrown<std::runtime_error>([&] { minimise_lbfgs(f, x, {}); }), "call " + std::to_string(last));
    EXPECT_EQ(calls, last) << "not called again";
  }
}

TEST(Lbfgs, AnExceptionOfTheObserverPassesThrough) {
  arma::vec x{-1.2, 1};
  const auto act = [&] {
    minimise_lbfgs(rosenbrock, x, {}, [](const LbfgsIterate&) { throw std::runtime_error("seen"); });
  };

  EXPECT_EQ(thrown<std::runtime_error>(act), "seen");
}

TEST(Lbfgs, MemoryIsUsed) {
  const Quadratic f;
  const auto iterations = [&](std::size_t memory) {
    arma::vec x = f.start;
    return minimise_lbfgs(f, x, {.memory = memory, .iterations = 2000, .accuracy = 1e-8}).iterations;
  };

  EXPECT_LT(iterations(20), iterations(1));
}

}  // namespace
}  // namespace elmx
