#include "solvers/panel.hpp"

#include <gtest/gtest.h>

#include "linalg/ridge_qr.hpp"
#include "support/ridge_solution.hpp"
#include "support/status.hpp"

namespace elmx {
namespace {

TEST(Panel, WeightsOfEveryIntermediateSizeAreThoseOfItsOwnQr) {
  const uword L = 150;
  const double lambda = 1e-3;
  const auto problem = make_problem(200, L, 2, 1e3, 7);
  for (const uword width : {uword(1), uword(3), uword(64), L}) {
    Panel<double> panel({View<const double>(problem.H), View<const double>(problem.T), lambda}, width);
    ASSERT_EQ(panel.start(2), Status::ok);
    ASSERT_EQ(panel.grow(L - 2), Status::ok);

    for (uword k = 0; k <= L; k += k < 6 || k > L - 3 ? 1 : 7) {
      const arma::mat H = problem.H.head_cols(k), W = panel.weights(k);
      ASSERT_EQ(W.n_rows, k);
      if (k == 0) continue;
      RidgeQr qr(k, 2, lambda);
      arma::mat reference;
      qr.add_samples(View<const double>(H), View<const double>(problem.T));
      ASSERT_EQ(qr.solve(reference), Status::ok);
      const double one = tolerance(200, k);
      EXPECT_LE(ridge_backward_error(H, problem.T, lambda, W), one) << k << " of panels of " << width;
      EXPECT_LE(relative_difference(W, reference),
                forward_bound(H, problem.T, lambda, solve_by_svd(H, problem.T, lambda), 2 * one));
    }
  }
}

TEST(Panel, FailedPanelLeavesTheStateAsItWas) {
  auto problem = make_problem(30, 6, 1, 10, 7);
  problem.H(3, 5) = arma::datum::nan;
  Panel<double> panel({View<const double>(problem.H), View<const double>(problem.T), 0.1}, 2);
  ASSERT_EQ(panel.start(4), Status::ok);
  const arma::mat before = panel.weights();

  EXPECT_NE(panel.grow(2), Status::ok);

  EXPECT_EQ(panel.nodes(), 4u);
  EXPECT_EQ(relative_difference(panel.weights(), before), 0);
}

TEST(Panel, WidthZeroAndWeightsBeyondTheNodesAreTheProgrammersError) {
  const auto problem = make_problem(30, 6, 1, 10, 7);
  const RidgeProblem<double> ridge{View<const double>(problem.H), View<const double>(problem.T), 0.1};
  Panel<double> panel(ridge, 2);

  ASSERT_EQ(panel.start(4), Status::ok);

  EXPECT_THROW((void)panel.weights(5), std::logic_error);
  EXPECT_THROW(Panel<double>(ridge, 0), std::logic_error);
}

}  // namespace
}  // namespace elmx
