#include <gtest/gtest.h>

#include "solvers/blocks/block_solvers.hpp"
#include "support/growing.hpp"
#include "support/ridge_solution.hpp"
#include "support/status.hpp"

namespace elmx {
namespace {

TEST(Standard, MixedSolvesTheRoundedProblemToDoubleAccuracy) {
  for (const auto& [N, L, cond, lambda] : std::vector<std::tuple<uword, uword, double, double>>{
           {60, 20, 10, 0.1}, {5000, 30, 1e4, 1e-6}, {20, 60, 100, 1e-3}, {1, 1, 1, 0.01}}) {
    const auto problem = make_problem<float>(N, L, 2, cond, 7);
    const arma::mat H = arma::conv_to<arma::mat>::from(problem.H), T = arma::conv_to<arma::mat>::from(problem.T);
    const StoredMatrix<float> A{View<const float>(problem.H)};
    GrowingRun<float> run(row_of("standard"), A, View<const float>(problem.T), lambda, Arithmetic::wide_gram);

    ASSERT_EQ(run.add(L), Status::ok);
    const auto& mixed = dynamic_cast<const Standard<double, float>&>(run.solver());

    const RidgeSolution exact = solve_by_svd(H, T, lambda);
    EXPECT_LE(ridge_backward_error(H, T, lambda, mixed.wide_weights()), tolerance(N, L)) << N << " x " << L;
    EXPECT_LE(relative_difference(mixed.wide_weights(), exact.weights),
              forward_bound(H, T, lambda, exact, tolerance(N, L)));
    EXPECT_LE(relative_difference(arma::conv_to<arma::mat>::from(mixed.weights()), mixed.wide_weights()),
              tolerance<float>(1, 1));
  }
}

TEST(Standard, ConditionIsThatOfTheNormalMatrix) {
  for (const double cond : {1.0, 100.0, 1e4}) {
    const auto problem = make_problem(80, 20, 1, cond, 7);
    const arma::mat G = problem.H.t() * problem.H + 1e-6 * arma::eye(20, 20);
    const double exact = arma::norm(G, 1) * arma::norm(arma::mat(arma::inv_sympd(G)), 1);
    SteppedSolver<double> run("standard", problem.H, problem.T, 1e-6);

    ASSERT_EQ(run.add(20), Status::ok);
    const auto& standard = dynamic_cast<const Standard<double, double>&>(run.solver());

    EXPECT_GE(standard.condition(), exact / 10);
    EXPECT_LE(standard.condition(), exact * 1.1);
  }
}

}  // namespace
}  // namespace elmx
