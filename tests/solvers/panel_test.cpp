#include <gtest/gtest.h>

#include "linalg/ridge_qr.hpp"
#include "solvers/blocks/block_solvers.hpp"
#include "support/growing.hpp"
#include "support/ridge_solution.hpp"
#include "support/status.hpp"

namespace elmx {
namespace {

TEST(Panel, WeightsOfEveryIntermediateSizeAreThoseOfItsOwnQr) {
  const uword L = 150;
  const double lambda = 1e-3;
  const auto problem = make_problem(200, L, 2, 1e3, 7);
  for (const uword width : {uword(1), uword(3), uword(64), L}) {
    const StoredMatrix<double> A{View<const double>(problem.H)};
    GrowingRun<double> run(row_of("panel"), A, View<const double>(problem.T), lambda);
    ASSERT_EQ(run.add(2), Status::ok);
    while (run.nodes() < L) ASSERT_EQ(run.add(std::min(width, L - run.nodes())), Status::ok);
    const auto& panel = dynamic_cast<const Panel<double>&>(run.solver());

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
  SteppedSolver<double> panel("panel", problem.H, problem.T, 0.1);
  ASSERT_EQ(panel.add(4), Status::ok);
  const arma::mat before = panel.weights();

  EXPECT_NE(panel.add(2), Status::ok);

  EXPECT_EQ(relative_difference(panel.weights(), before), 0);
}

TEST(Panel, WeightsBeyondTheNodesAreTheProgrammersError) {
  const auto problem = make_problem(30, 6, 1, 10, 7);
  SteppedSolver<double> panel("panel", problem.H, problem.T, 0.1);

  ASSERT_EQ(panel.add(4), Status::ok);

  EXPECT_THROW((void)dynamic_cast<const Panel<double>&>(panel.solver()).weights(5), std::logic_error);
}

}  // namespace
}  // namespace elmx
