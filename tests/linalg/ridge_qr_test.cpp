#include "linalg/ridge_qr.hpp"

#include <gtest/gtest.h>

#include "linalg/cholesky.hpp"
#include "linalg/gram.hpp"
#include "support/judge.hpp"
#include "support/problem.hpp"
#include "support/status.hpp"

namespace elmx {
namespace {

struct RidgeCase {
  uword N, L, c;
  double cond, lambda;
};

void PrintTo(const RidgeCase& one, std::ostream* out) {
  *out << one.N << "x" << one.L << "x" << one.c << "_cond" << one.cond << "_lambda" << one.lambda;
}

template <class Real>
arma::mat solved(const Problem<Real>& problem, double lambda, uword chunk) {
  RidgeQr qr(problem.H.n_cols, problem.T.n_cols, lambda);
  const View<const Real> H(problem.H), T(problem.T);
  for (uword first = 0; first < H.rows; first += chunk) {
    const uword count = std::min(chunk, H.rows - first);
    qr.add_samples(H.block(first, 0, count, H.cols), T.block(first, 0, count, T.cols));
  }
  arma::mat W;
  EXPECT_EQ(qr.solve(W), Status::ok);
  return W;
}

class RidgeQrTest : public testing::TestWithParam<RidgeCase> {};

TEST_P(RidgeQrTest, WeightsAreStationaryHoweverTheSamplesArrive) {
  const auto [N, L, c, cond, lambda] = GetParam();
  const auto problem = make_problem(N, L, c, cond, 7);

  for (const uword chunk : {N, (N + 1) / 2, uword(97)}) {
    const arma::mat W = solved(problem, lambda, chunk);

    EXPECT_EQ(W.n_rows, L);
    EXPECT_EQ(W.n_cols, c);
    EXPECT_LE(ridge_backward_error(problem.H, problem.T, lambda, W), tolerance(N, L)) << "chunk " << chunk;
  }
}

TEST_P(RidgeQrTest, WeightsOfFloatSamplesAreThoseOfTheRoundedProblemInDouble) {
  const auto [N, L, c, cond, lambda] = GetParam();
  const auto problem = make_problem<float>(N, L, c, cond, 7);
  const Problem<double> wide{arma::conv_to<arma::mat>::from(problem.H), arma::conv_to<arma::mat>::from(problem.T)};

  const arma::mat W = solved(problem, lambda, N);

  EXPECT_LE(ridge_backward_error(wide.H, wide.T, lambda, W), tolerance(N, L));
}

// The error of a least-squares solution is  eps cond (1 + cond ||r|| / (||A|| ||x||)), with cond that of [H;
// sqrt(lambda) I].
TEST_P(RidgeQrTest, WeightsAreThoseOfTheSingularValues) {
  const auto [N, L, c, cond, lambda] = GetParam();
  const auto problem = make_problem(N, L, c, cond, 7);
  arma::mat U, V;
  arma::vec s;
  ASSERT_TRUE(arma::svd_econ(U, s, V, problem.H));
  const arma::mat exact = V * arma::diagmat(s / (s % s + lambda)) * U.t() * problem.T;

  const arma::mat W = solved(problem, lambda, N);

  const double least = std::max(N < L ? 0.0 : s.min() * s.min(), lambda > 0 ? 0.0 : s.min() * s.min()) + lambda;
  const double condition = std::sqrt((1 + lambda) / least);
  const double residual = frobenius(problem.H * exact - problem.T) + std::sqrt(lambda) * frobenius(exact);
  const double sensitivity = condition * (1 + condition * residual / frobenius(exact));
  EXPECT_LE(relative_difference(W, exact), tolerance(N, L) * sensitivity);
}

// 2100 samples are several blocks of the 512 that are folded in at once, 300 nodes several panels of 64.
INSTANTIATE_TEST_SUITE_P(Shapes, RidgeQrTest,
                         testing::Values(RidgeCase{40, 10, 1, 10, 1e-6}, RidgeCase{2100, 70, 3, 1e4, 1e-6},
                                         RidgeCase{700, 300, 2, 1e4, 0.1}, RidgeCase{10, 40, 2, 10, 1e-3},
                                         RidgeCase{1, 1, 1, 1, 1e-2}, RidgeCase{1, 5, 2, 1, 1},
                                         RidgeCase{600, 1, 1, 1, 1e-8}, RidgeCase{30, 30, 2, 1e8, 1e-8},
                                         RidgeCase{60, 20, 2, 100, 0}, RidgeCase{1100, 65, 1, 1e6, 0}));

// cond(H) = 1e8 and lambda = 1e-12: H'H + lambda I has condition 1e12. The gradient must be small on the
// scale of what reaches it, ||H'|| ||r||, not only on that of the weights, which are large here.
TEST(RidgeQr, KeepsTheAccuracyThatTheGramMatrixLoses) {
  const auto problem = make_problem(300, 40, 1, 1e8, 7);
  const double lambda = 1e-12;
  arma::mat U, V;
  arma::vec s;
  ASSERT_TRUE(arma::svd_econ(U, s, V, problem.H));
  const arma::mat beta = V * arma::vec(40, arma::fill::ones);
  const Problem<double> consistent{problem.H, problem.H * beta};
  const arma::mat exact = V * ((s % s) / (s % s + lambda));

  const arma::mat by_qr = solved(consistent, lambda, 300);
  arma::mat G(40, 40), by_gram(40, 1);
  ridge_gram(View<const double>(consistent.H), lambda, View<double>(G));
  cross_product(View<const double>(consistent.H), View<const double>(consistent.T), View<double>(by_gram));
  ASSERT_EQ(cholesky(View<double>(G)), Status::ok);
  cholesky_solve(View<const double>(G), View<double>(by_gram));

  // cond([H; sqrt(lambda) I]) = 1e6: eps 1e6 for QR, eps 1e12 for the Gram matrix.
  EXPECT_LE(ridge_backward_error(consistent.H, consistent.T, lambda, by_qr), tolerance(300, 40));
  EXPECT_LE(relative_difference(by_qr, exact), 1e6 * tolerance(300, 40));
  EXPECT_GT(relative_difference(by_gram, exact), 1e6 * tolerance(300, 40));
}

TEST(RidgeQr, ConditionIsThatOfTheNormalMatrix) {
  for (const auto& [cond, lambda] : {std::pair{1.0, 0.1}, {1e3, 1e-8}, {1e5, 0.0}}) {
    const auto problem = make_problem(200, 30, 1, cond, 7);
    const arma::mat G = problem.H.t() * problem.H + lambda * arma::eye(30, 30);
    const double exact = arma::norm(G, 1) * arma::norm(arma::mat(arma::inv_sympd(G)), 1);
    RidgeQr qr(30, 1, lambda);

    qr.add_samples(View<const double>(problem.H), View<const double>(problem.T));

    EXPECT_GE(qr.condition(), exact / 10);
    EXPECT_LE(qr.condition(), exact * 1.1);
  }
}

TEST(RidgeQr, RefusesASingularTriangle) {
  arma::mat H = make_problem(50, 5, 1, 10, 7).H;
  const arma::mat T(50, 1, arma::fill::ones);
  arma::mat zero = H, dependent = H, W;
  zero.col(2).zeros();
  dependent.col(4) = H.col(0) - 2 * H.col(1);

  for (const arma::mat& singular : {zero, dependent}) {
    RidgeQr qr(5, 1, 0);
    qr.add_samples(View<const double>(singular), View<const double>(T));

    EXPECT_EQ(qr.solve(W), Status::not_positive_definite);
  }
}

TEST(RidgeQr, RefusesFewerSamplesThanNodesWithoutAPenalty) {
  const auto problem = make_problem(3, 5, 1, 10, 7);
  RidgeQr qr(5, 1, 0);
  arma::mat W;

  qr.add_samples(View<const double>(problem.H), View<const double>(problem.T));

  EXPECT_EQ(qr.solve(W), Status::not_positive_definite);
}

TEST(RidgeQr, RefusesWhatIsNotANumber) {
  const auto problem = make_problem(50, 5, 2, 10, 7);
  for (const bool in_targets : {false, true}) {
    arma::mat H = problem.H, T = problem.T, W;
    (in_targets ? T : H)(17, 1) = arma::datum::nan;
    RidgeQr qr(5, 2, 0.1);

    qr.add_samples(View<const double>(H), View<const double>(T));

    EXPECT_NE(qr.solve(W), Status::ok) << (in_targets ? "T" : "H");
  }
}

TEST(RidgeQr, WithoutASampleTheWeightsAreZero) {
  RidgeQr qr(3, 2, 0.5);
  arma::mat W;

  ASSERT_EQ(qr.solve(W), Status::ok);

  EXPECT_EQ(frobenius(W), 0);
  EXPECT_EQ(W.n_rows, 3u);
}

TEST(RidgeQr, ByHand) {
  // minimise (2 w - 3)^2 + w^2:  w = 6 / 5
  const arma::mat H = {2.0}, T = {3.0};
  RidgeQr qr(1, 1, 1);
  arma::mat W;

  qr.add_samples(View<const double>(H), View<const double>(T));

  ASSERT_EQ(qr.solve(W), Status::ok);
  EXPECT_DOUBLE_EQ(W(0), 1.2);
}

}  // namespace
}  // namespace elmx
