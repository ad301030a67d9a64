#include "solvers/ridge/growing_ridge.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "linalg/ridge_qr.hpp"
#include "support/framed.hpp"
#include "support/growing.hpp"
#include "support/ridge_solution.hpp"
#include "support/status.hpp"
#include "support/threads.hpp"

// What every algorithm owes that adds blocks of nodes: the ridge solution after every update, or for Orig and
// Exg-E that of Greville's recursion, which stands here once more by singular values. Judged on problems of
// known condition.

namespace elmx {
namespace {

using Schedule = std::vector<uword>;

std::vector<std::string> ridge_block_names() {
  return algorithms_that([](const RidgeAlgorithm& row) { return row.ridge_solution && row.kind != StepKind::node; });
}

struct GrowingRidgeCase {
  uword l, c;
  Schedule schedule;  // nodes that each step adds
  double cond, lambda;

  uword nodes() const { return std::accumulate(schedule.begin(), schedule.end(), uword(0)); }
};

void PrintTo(const GrowingRidgeCase& one, std::ostream* out) {
  *out << one.l << "x" << one.nodes() << "x" << one.c << "_by";
  for (const uword q : one.schedule) *out << "_" << q;
  *out << "_cond" << one.cond << "_lambda" << one.lambda;
}

/// Weights after all steps.
template <class T>
arma::Mat<T> grown(const std::string& name, const TallMatrix<T>& A, const arma::Mat<T>& Y, double lambda,
                   const Schedule& schedule) {
  GrowingRun<T> run(row_of(name), A, View<const T>(Y), lambda);
  for (const uword q : schedule) add_nodes(run, q, name);
  return run.weights();
}

template <class T>
arma::Mat<T> grown(const std::string& name, const Problem<T>& problem, double lambda, const Schedule& schedule) {
  return grown<T>(name, StoredMatrix<T>(View<const T>(problem.H)), problem.T, lambda, schedule);
}

/// A' by its singular values with each 1 / s replaced by s / (s^2 + lambda): (A'A + lambda I)^-1 A'.
arma::mat ridge_inverse_by_svd(const arma::mat& A, double lambda) {
  arma::mat U, V;
  arma::vec s;
  arma::svd_econ(U, s, V, A);
  return V * arma::diagmat(s / (s % s + lambda)) * U.t();
}

/// A+ of Greville's recursion, (20)-(23) with (21a): exact at the first step, then
///     D = A+ H,   C = H - A D,   B = (C'C + lambda I)^-1 C',   A+ = [A+ - D B; B]
arma::mat greville_inverse(const arma::mat& A, double lambda, const Schedule& schedule) {
  uword k = schedule.front();
  arma::mat inverse = ridge_inverse_by_svd(A.head_cols(k), lambda);
  for (std::size_t i = 1; i < schedule.size(); ++i) {
    const arma::mat H = A.cols(k, k + schedule[i] - 1), D = inverse * H;
    const arma::mat B = ridge_inverse_by_svd(H - A.head_cols(k) * D, lambda);
    inverse = arma::join_cols(inverse - D * B, B);
    k += schedule[i];
  }
  return inverse;
}

const std::vector<GrowingRidgeCase> kCases{
    {40, 2, {6, 1, 1, 1, 1, 1, 1}, 10, 1e-4},
    {40, 2, {6, 1, 1, 1, 1}, 1e3, 1e-2},
    {60, 3, {5, 20, 3, 12}, 100, 1e-3},
    {60, 1, {5, 20, 3, 12}, 1e4, 1e-8},
    {50, 2, {1, 1, 1, 1}, 5, 1},
    {50, 2, {30}, 1e3, 1e-6},
    {1, 1, {1, 2, 1}, 1, 0.1},
    {1, 3, {3, 3}, 1, 1},
    {20, 2, {8, 10, 10, 17}, 10, 1e-2},  // more nodes than samples
    {20, 2, {30, 15}, 100, 1e-4},
    {300, 2, {70, 90, 40}, 100, 1e-3},  // beyond one leaf of the factorisation
};

class BlockRidgeTest : public testing::TestWithParam<std::tuple<std::string, GrowingRidgeCase>> {
 protected:
  const std::string name = std::get<0>(GetParam());
  const GrowingRidgeCase size = std::get<1>(GetParam());
  const double lambda = size.lambda;
  const Problem<double> problem = make_problem(size.l, size.nodes(), size.c, size.cond, 7);
};

TEST_P(BlockRidgeTest, WeightsAreStationaryAfterEveryStep) {
  const StoredMatrix<double> A{View<const double>(problem.H)};
  GrowingRun<double> run(row_of(name), A, View<const double>(problem.T), lambda);
  uword k = 0;
  for (const uword q : size.schedule) {
    ASSERT_EQ(run.add(q), Status::ok);
    k += q;

    const Problem<double> part = first_nodes(problem, k);
    const RidgeSolution exact = solve_by_svd(part.H, part.T, lambda);
    const double bound = allowed(name, problem, exact.condition);
    ASSERT_EQ(arma::size(run.weights()), arma::size(k, size.c));
    EXPECT_LE(ridge_backward_error(part.H, part.T, lambda, run.weights()), bound) << k << " nodes";
    EXPECT_LE(relative_difference(run.weights(), exact.weights), forward_bound(part.H, part.T, lambda, exact, bound))
        << k << " nodes";
  }
}

TEST_P(BlockRidgeTest, StreamedIsStored) {
  const InBlocks<double> A(View<const double>(problem.H), 7);
  const RidgeSolution exact = solve_by_svd(problem.H, problem.T, lambda);

  const arma::mat streamed = grown(name, A, problem.T, lambda, size.schedule),
                  stored = grown(name, problem, lambda, size.schedule);

  // Sums of the same terms in another order: both are within the bound of the solution.
  const double bound = allowed(name, problem, exact.condition);
  EXPECT_LE(ridge_backward_error(problem.H, problem.T, lambda, streamed), bound);
  EXPECT_LE(relative_difference(streamed, stored), 2 * forward_bound(problem.H, problem.T, lambda, exact, bound));
}

TEST_P(BlockRidgeTest, ScaledTargetsScaleTheWeights) {
  const Problem<double> scaled{problem.H, 8 * problem.T};  // a power of two changes no rounding

  EXPECT_TRUE(identical(grown(name, scaled, lambda, size.schedule),
                        arma::mat(8 * grown(name, problem, lambda, size.schedule))));
}

INSTANTIATE_TEST_SUITE_P(Each, BlockRidgeTest,
                         testing::Combine(testing::ValuesIn(ridge_block_names()), testing::ValuesIn(kCases)));

class GrevilleTest : public testing::TestWithParam<std::tuple<std::string, GrowingRidgeCase>> {
 protected:
  const std::string name = std::get<0>(GetParam());
  const GrowingRidgeCase size = std::get<1>(GetParam());
  const double lambda = size.lambda;
  const Problem<double> problem = make_problem(size.l, size.nodes(), size.c, size.cond, 7);

  /// Relative error of the weights: cond(R) tolerances for D of each step, as for the ridge algorithms, and
  /// again as much for the inverse of C'C + lambda I, of which the norm is at most 1 / lambda: cond =
  /// (||A||^2 + lambda) / lambda for each.
  double bound() const {
    const double worst = (1 + lambda) / lambda;
    return tolerance(size.l, size.nodes()) * std::min(worst * worst, worst * size.cond * size.cond);
  }
};

TEST_P(GrevilleTest, WeightsAreThoseOfTheRecursionBySingularValues) {
  const arma::mat exact = greville_inverse(problem.H, lambda, size.schedule) * problem.T;

  EXPECT_LE(relative_difference(grown(name, problem, lambda, size.schedule), exact), bound());
  const InBlocks<double> A(View<const double>(problem.H), 7);
  EXPECT_LE(relative_difference(grown(name, A, problem.T, lambda, size.schedule), exact), bound());
}

TEST_P(GrevilleTest, WeightsOfTheFirstStepAreTheRidgeSolution) {
  const Schedule first{size.schedule.front()};
  const Problem<double> part = first_nodes(problem, first[0]);
  const RidgeSolution exact = solve_by_svd(part.H, part.T, lambda);

  EXPECT_LE(ridge_backward_error(part.H, part.T, lambda, grown(name, part, lambda, first)),
            tolerance(size.l, first[0]) * exact.condition);
}

// (C'C + lambda I) takes lambda D'D from the ridge problem's matrix: the two agree as lambda goes to 0 only.
TEST_P(GrevilleTest, IsNotTheRidgeSolutionOnceNodesAreAdded) {
  if (size.schedule.size() == 1) GTEST_SKIP() << "no nodes are added";
  const arma::mat ridge = solve_by_svd(problem.H, problem.T, lambda).weights;

  EXPECT_GT(relative_difference(grown(name, problem, lambda, size.schedule), ridge), 0.0);
  EXPECT_GT(
      relative_difference(grown(name, problem, 1.0, size.schedule), solve_by_svd(problem.H, problem.T, 1.0).weights),
      1e-3);
}

INSTANTIATE_TEST_SUITE_P(Each, GrevilleTest,
                         testing::Combine(testing::ValuesIn(generalised_inverse_names()), testing::ValuesIn(kCases)));

// Each regularised step is off by at most lambda / s^2 relatively, s the least singular value of C, which is
// not below that of A; with cond steps in the worst case, and norms of the pseudo-inverse for relative ones:
// steps cond^2 lambda cond.
TEST(Greville, GoesToThePseudoInverseAsLambdaGoesToZero) {
  const Schedule schedule{6, 4, 1, 5};
  const auto problem = make_problem(50, 16, 2, 10, 7);
  const arma::mat exact = arma::pinv(problem.H) * problem.T;
  for (const std::string name : {"orig", "exg-e"}) {
    for (const double lambda : {1e-4, 1e-6, 1e-8}) {
      EXPECT_LE(relative_difference(grown(name, problem, lambda, schedule), exact), 4 * lambda * 1e3)
          << name << ", lambda " << lambda;
    }
    EXPECT_GT(relative_difference(grown(name, problem, 1e-2, schedule), exact), 1e-3) << name;
  }
}

TEST(Greville, DependentNodesTakeTheBranchOfCEqualToZero) {
  const arma::mat H = normal_matrix(7, 4, 7, 1), Y = normal_matrix(7, 2, 7, 2);
  const Problem<double> problem{arma::join_rows(arma::eye(7, 7), H), Y};  // A+ = I exactly, so that C = H - A A+ H is 0

  // (21b) is the pseudo-inverse; with lambda = 0 the ridge inverse is the same.
  const arma::mat exact = arma::pinv(problem.H) * Y;
  for (const std::string name : {"orig", "r-inv"}) {
    EXPECT_LE(relative_difference(grown(name, problem, 0, {7, 4}), exact), 10 * tolerance(7, 11)) << name;
    EXPECT_LE(relative_difference(grown(name, first_nodes(problem, 8), 0, {7, 1}),
                                  arma::mat(arma::pinv(problem.H.head_cols(8)) * Y)),
              10 * tolerance(7, 8))
        << name;
  }
  const StoredMatrix<double> A{View<const double>(problem.H)};
  for (const std::string name : {"exg-e", "chol-1", "chol-2 residual", "d-rdg", "auto"}) {
    GrowingRun<double> run(row_of(name), A, View<const double>(Y), 0);
    ASSERT_EQ(run.add(7), Status::ok) << name;
    EXPECT_LE(relative_difference(run.weights(), Y), tolerance(7, 7)) << name;
  }
}

class EveryBlockAlgorithm : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Each, EveryBlockAlgorithm, testing::ValuesIn(block_names()));

TEST_P(EveryBlockAlgorithm, NodesThatAreZeroHaveTheWeightZero) {
  const double lambda = 0.1;
  Problem<double> problem = make_problem(40, 15, 2, 10, 7);
  problem.H.cols(6, 8).zeros();
  const StoredMatrix<double> A{View<const double>(problem.H)};
  GrowingRun<double> run(row_of(GetParam()), A, View<const double>(problem.T), lambda);
  ASSERT_EQ(run.add(6), Status::ok);
  const arma::mat before = run.weights();

  ASSERT_EQ(run.add(3), Status::ok);

  EXPECT_LE(relative_difference(arma::mat(run.weights().head_rows(6)), before), tolerance(40, 9));
  EXPECT_TRUE(run.weights().tail_rows(3).is_zero());

  ASSERT_EQ(run.add(6), Status::ok);
  Problem<double> without = problem;
  without.H.shed_cols(6, 8);
  const arma::mat exact = row_of(GetParam()).ridge_solution
                              ? solve_by_svd(without.H, problem.T, lambda).weights
                              : arma::mat(greville_inverse(without.H, lambda, {6, 6}) * problem.T);
  arma::mat W = run.weights();
  EXPECT_TRUE(W.rows(6, 8).is_zero());
  W.shed_rows(6, 8);
  EXPECT_LE(relative_difference(W, exact), tolerance(40, 15) * 20 * 20);  // cond(R) < 1.1 / 0.1, twice
}

TEST_P(EveryBlockAlgorithm, InSinglePrecision) {
  for (const Schedule& schedule : {Schedule{6, 1, 1, 4}, Schedule{30}, Schedule{10, 40, 30}}) {
    const double lambda = 0.1;
    const uword k = std::accumulate(schedule.begin(), schedule.end(), uword(0));
    const auto problem = make_problem<float>(60, k, 2, 10, 7);
    const arma::mat H = arma::conv_to<arma::mat>::from(problem.H), Y = arma::conv_to<arma::mat>::from(problem.T);

    const arma::fmat W = grown(GetParam(), problem, lambda, schedule);

    if (!row_of(GetParam()).ridge_solution) {
      const arma::fmat exact = arma::conv_to<arma::fmat>::from(arma::mat(greville_inverse(H, lambda, schedule) * Y));
      EXPECT_LE(relative_difference(W, exact), tolerance<float>(60, k) * 1.1 / 0.1);
    } else {
      EXPECT_LE(ridge_backward_error(problem.H, problem.T, lambda, W),
                allowed(GetParam(), problem, solve_by_svd(H, Y, lambda).condition));
    }
  }
}

TEST_P(EveryBlockAlgorithm, TheSameBitsOnOneAndTwoThreads) {
  const auto problem = make_problem(3000, 260, 3, 100, 7);
  const auto on = [&](int count) {
    const Threads scope(count);
    return grown(GetParam(), problem, 1e-3, {100, 130, 30});
  };

  EXPECT_TRUE(identical(on(1), on(2)));
}

TEST_P(EveryBlockAlgorithm, NothingThatIsLaterTouchesAnEarlierStep) {
  const auto problem = make_problem(40, 20, 2, 10, 7);
  Problem<double> other = problem;
  other.H.tail_cols(12).fill(arma::datum::nan);

  EXPECT_TRUE(identical(grown(GetParam(), problem, 0.1, {5, 3}), grown(GetParam(), other, 0.1, {5, 3})));
}

TEST_P(EveryBlockAlgorithm, WhatIsNotFiniteIsAStatusAndTheWeightsAreThoseOfTheStepBefore) {
  Problem<double> problem = make_problem(40, 20, 2, 10, 7);
  problem.H(3, 9) = arma::datum::nan;
  const StoredMatrix<double> A{View<const double>(problem.H)};
  GrowingRun<double> run(row_of(GetParam()), A, View<const double>(problem.T), 0.1);
  ASSERT_EQ(run.add(8), Status::ok);
  const arma::mat before = run.weights();

  EXPECT_NE(run.add(6), Status::ok);

  EXPECT_TRUE(identical(run.weights(), before));
}

// Nodes that stand twice: exactly, R of both is singular but for lambda.
class DuplicateNodes : public testing::Test {
 protected:
  const arma::mat A = make_problem(400, 20, 2, 10, 7).H;
  const Problem<double> problem{arma::join_rows(A, A, normal_matrix(400, 3, 7, 9)), normal_matrix(400, 2, 7, 3)};
  const StoredMatrix<double> input{View<const double>(problem.H)};
};

TEST_F(DuplicateNodes, Chol1SaysThatRoundingHasEatenLambdaAndKeepsItsWeights) {
  GrowingRun<double> run(row_of("chol-1"), input, View<const double>(problem.T), 1e-20);
  ASSERT_EQ(run.add(20), Status::ok);
  const arma::mat before = run.weights();

  EXPECT_EQ(run.add(20), Status::not_positive_definite);

  EXPECT_TRUE(identical(run.weights(), before));
}

// eps sqrt(n) cond(R): the error of the weights by a backward error of eps sqrt(n) ||R||.
TEST(Chol1, StartsByCholeskyWhereTheRecursionBreaksDown) {
  const double lambda = 1e-14;
  const Problem<double> problem{neighbouring_nodes(300, 256), normal_matrix(300, 2, 7, 3)};
  const StoredMatrix<double> A{View<const double>(problem.H)};
  GrowingRun<double> recursive(row_of("chol-1"), A, View<const double>(problem.T), lambda),
      by_cholesky(row_of(kByCholesky), A, View<const double>(problem.T), lambda);

  EXPECT_EQ(recursive.add(256), Status::not_positive_definite);
  ASSERT_EQ(by_cholesky.add(256), Status::ok);

  RidgeQr qr(256, 2, lambda);
  arma::mat W;
  qr.add_samples(View<const double>(problem.H), View<const double>(problem.T));
  ASSERT_EQ(qr.solve(W), Status::ok);
  EXPECT_LE(relative_difference(by_cholesky.weights(), W),
            arma::datum::eps * 16 * std::pow(arma::norm(problem.H), 2) / lambda);
}

// V = F'P of the second step loses lambda, however exact F is.
TEST(Chol1, StartedByCholeskyItCanStillBreakDownInAnUpdate) {
  const Problem<double> problem{neighbouring_nodes(300, 256), normal_matrix(300, 2, 7, 3)};
  const StoredMatrix<double> A{View<const double>(problem.H)};
  GrowingRun<double> run(row_of(kByCholesky), A, View<const double>(problem.T), 1e-14);

  ASSERT_EQ(run.add(128), Status::ok);
  EXPECT_EQ(run.add(128), Status::not_positive_definite);
}

TEST_F(DuplicateNodes, Chol2AndRInvGoOn) {
  for (const std::string name : {"chol-2 residual", "r-inv"}) {
    GrowingRun<double> run(row_of(name), input, View<const double>(problem.T), 1e-20);
    ASSERT_EQ(run.add(20), Status::ok);
    ASSERT_EQ(run.add(20), Status::ok) << name;

    const Problem<double> part = first_nodes(problem, 40);
    // cond(A'A) = 100
    EXPECT_LE(ridge_backward_error(part.H, part.T, 1e-20, run.weights()), tolerance(400, 40) * 100) << name;
  }
}

TEST(AutoGrowth, TakesChol1WhereItIsSafe) {
  const auto problem = make_problem(60, 20, 2, 10, 7);
  const StoredMatrix<double> A{View<const double>(problem.H)};
  GrowingRun<double> run(row_of("auto"), A, View<const double>(problem.T), 1e-3);
  for (const uword q : {uword(6), uword(1), uword(13)}) {
    ASSERT_EQ(run.add(q), Status::ok);
    EXPECT_EQ(run.method(), "chol-1");
  }
}

TEST_F(DuplicateNodes, AutoTakesAnotherWayWhereChol1FailsAndGoesOn) {
  const double lambda = 1e-17;
  GrowingRun<double> run(row_of("auto"), input, View<const double>(problem.T), lambda);
  ASSERT_EQ(run.add(20), Status::ok);
  ASSERT_EQ(run.method(), "chol-1");

  ASSERT_EQ(run.add(20), Status::ok);
  EXPECT_NE(run.method(), "chol-1");
  const Problem<double> part = first_nodes(problem, 40);
  EXPECT_LE(ridge_backward_error(part.H, part.T, lambda, run.weights()), tolerance(400, 40));

  ASSERT_EQ(run.add(3), Status::ok);
  EXPECT_LE(ridge_backward_error(problem.H, problem.T, lambda, run.weights()), tolerance(400, 43));
}

// Condition 1e16: the backward error of chol-2 allows for any weights. By singular values, which are right to
// eps times the largest.
TEST(AutoGrowth, GoesOnToQrWhereWeightsThatSolveTheEquationsMayBeFarOff) {
  const double lambda = 1e-17;
  const auto [H, Y] = make_problem(200, 24, 2, 1e8, 7);
  const StoredMatrix<double> A{View<const double>(H)};
  arma::mat U, V;
  arma::vec s;
  arma::svd_econ(U, s, V, H);
  const arma::mat exact = V * arma::diagmat(s / (arma::square(s) + lambda)) * U.t() * Y;
  GrowingRun<double> run(row_of("auto"), A, View<const double>(Y), lambda);
  ASSERT_EQ(run.add(12), Status::ok);
  ASSERT_EQ(run.add(12), Status::ok);

  EXPECT_EQ(run.method(), "qr");
  EXPECT_LE(arma::norm(run.weights() - exact, "fro"), 1e-4 * arma::norm(exact, "fro"));
}

// Small nodes that explain what the earlier ones could not have large weights: the norm grows a hundredfold,
// which looks like an explosion, and only a new factorisation is trusted with it.
TEST(AutoGrowth, RefactorisesWhereTheWeightsGrowByMoreThanItTrusts) {
  const arma::mat Q = orthonormal_matrix(60, 8, 7, 1);
  const Problem<double> problem{arma::join_rows(Q.head_cols(5), 1e-3 * Q.col(5), Q.tail_cols(2)),
                                Q * normal_matrix(8, 2, 7, 2)};
  const StoredMatrix<double> A{View<const double>(problem.H)};
  GrowingRun<double> run(row_of("auto"), A, View<const double>(problem.T), 1e-10);
  uword k = 0;
  for (const auto& [q, method] :
       std::vector<std::pair<uword, std::string>>{{5, "chol-1"}, {1, "refactorised"}, {2, "chol-1"}}) {
    ASSERT_EQ(run.add(q), Status::ok);
    k += q;
    EXPECT_EQ(run.method(), method) << k << " nodes";
    const Problem<double> part = first_nodes(problem, k);
    EXPECT_LE(ridge_backward_error(part.H, part.T, 1e-10, run.weights()), tolerance(60, 8)) << k << " nodes";
  }
}

// Nodes that are nearly dependent, and targets that they span: the weights of chol-1 drift away from the
// solution while its factor is still right. Factor 2: R W is formed here again, with rounding errors of the
// size of the bound.
TEST(AutoGrowth, EveryStepPassesBothOfItsChecks) {
  const uword k = 40;
  const arma::mat A = neighbouring_nodes(3 * k, k), Y = A * normal_matrix(k, 2, 1, 5);
  const StoredMatrix<double> stored{View<const double>(A)};
  bool fell_back = false;
  for (const double lambda : {1e-6, 5e-7, 2e-7, 1e-7, 5e-8, 2e-8}) {
    GrowingRun<double> run(row_of("auto"), stored, View<const double>(Y), lambda);
    for (const uword n : {k / 2, k}) {
      ASSERT_EQ(run.add(k / 2), Status::ok);
      fell_back = fell_back || run.method() != "chol-1";
      const arma::mat H = A.head_cols(n), R = H.t() * H + lambda * arma::eye(n, n), cross = H.t() * Y,
                      W = run.weights(), x = normal_matrix(n, 1, 1, 6);
      arma::mat Fx = x;
      run.solver().apply_inverse(0, View<double>(Fx));
      const double bound = 2 * arma::datum::eps * static_cast<double>(n), r = frobenius(R);
      EXPECT_LE(frobenius(arma::mat(R * W - cross)), bound * (r * frobenius(W) + frobenius(cross)))
          << lambda << ", " << n << " nodes, " << run.method();
      EXPECT_LE(frobenius(arma::mat(R * Fx - x)), bound * (r * frobenius(Fx) + frobenius(x)))
          << lambda << ", " << n << " nodes, " << run.method();
    }
  }
  EXPECT_TRUE(fell_back);
}

TEST(AutoGrowth, OtherAlgorithmsHaveOneWayOnly) {
  const auto problem = make_problem(20, 5, 1, 10, 7);
  const StoredMatrix<double> A{View<const double>(problem.H)};
  GrowingRun<double> run(row_of("chol-1"), A, View<const double>(problem.T), 0.1);

  ASSERT_EQ(run.add(5), Status::ok);

  EXPECT_EQ(run.method(), "");
}

}  // namespace
}  // namespace elmx
