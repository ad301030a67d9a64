#include "linalg/factor_updates.hpp"

#include <gtest/gtest.h>

#include "linalg/cholesky.hpp"
#include "support/judge.hpp"
#include "support/problem.hpp"
#include "support/status.hpp"

namespace elmx {
namespace {

/// A positive definite matrix S = R'R, and S^-1 = F F'.
struct Factors {
  arma::mat S, R, F;
};

Factors factors_of(const arma::mat& S) {
  Factors all{S, arma::chol(S), {}};
  all.F = arma::inv(arma::trimatu(all.R));
  return all;
}

arma::mat gram_of(const arma::mat& H) { return H.t() * H + 0.1 * arma::mat(H.n_cols, H.n_cols, arma::fill::eye); }

double condition_of(const arma::mat& S) { return arma::cond(S); }

bool is_upper(const arma::mat& M) { return arma::norm(arma::mat(arma::trimatl(M, -1)), "fro") == 0; }

class FactorUpdates : public testing::TestWithParam<uword> {
 protected:
  static constexpr uword k = 290, c = 3;
  const arma::mat H = normal_matrix(700, k, 1, 1), X = normal_matrix(GetParam(), k, 1, 2);
  const arma::mat C = normal_matrix(k, c, 1, 3), Y = normal_matrix(GetParam(), c, 1, 4);
  const double one = tolerance(700, k);
};

TEST_P(FactorUpdates, AddedSamplesEnterTheCholeskyFactor) {
  Factors of = factors_of(gram_of(H));
  arma::mat Z = arma::solve(of.R.t(), C), Xt = X.t(), Yt = Y.t();
  ASSERT_EQ(update_cholesky(View<double>(of.R), View<double>(Z), View<double>(Xt), View<double>(Yt), Change::add),
            Status::ok);
  EXPECT_TRUE(is_upper(of.R));
  EXPECT_LE(relative_difference<double>(of.R.t() * of.R, of.S + X.t() * X), one);
  EXPECT_LE(relative_difference<double>(of.R.t() * Z, C + X.t() * Y), one);
}

TEST_P(FactorUpdates, RemovedSamplesLeaveTheCholeskyFactor) {
  Factors of = factors_of(gram_of(arma::join_cols(H, X)));
  arma::mat Z = arma::solve(of.R.t(), C), Xt = X.t(), Yt = Y.t();
  ASSERT_EQ(update_cholesky(View<double>(of.R), View<double>(Z), View<double>(Xt), View<double>(Yt), Change::remove),
            Status::ok);
  EXPECT_TRUE(is_upper(of.R));
  const double growth = condition_of(gram_of(H));
  EXPECT_LE(relative_difference<double>(of.R.t() * of.R, gram_of(H)), one * growth);
  EXPECT_LE(relative_difference<double>(of.R.t() * Z, C - X.t() * Y), one * growth);
}

TEST_P(FactorUpdates, AddedSamplesEnterTheInverseFactor) {
  Factors of = factors_of(gram_of(H));
  ASSERT_EQ(update_inverse_cholesky(View<double>(of.F), arma::mat(X.t()), Change::add), Status::ok);
  EXPECT_TRUE(is_upper(of.F));
  const arma::mat S = of.S + X.t() * X;
  EXPECT_LE(arma::norm(S * of.F * of.F.t() - arma::eye(k, k), "fro"), one * condition_of(S));
}

TEST_P(FactorUpdates, RemovedSamplesLeaveTheInverseFactor) {
  Factors of = factors_of(gram_of(arma::join_cols(H, X)));
  ASSERT_EQ(update_inverse_cholesky(View<double>(of.F), arma::mat(X.t()), Change::remove), Status::ok);
  EXPECT_TRUE(is_upper(of.F));
  EXPECT_LE(arma::norm(gram_of(H) * of.F * of.F.t() - arma::eye(k, k), "fro"),
            one * condition_of(gram_of(H)) * condition_of(of.S));
}

INSTANTIATE_TEST_SUITE_P(Samples, FactorUpdates, testing::Values(1, 127, 128, 129, 300));

TEST(FactorUpdates, RemovalOfForeignSamplesIsNotPositiveDefinite) {
  const arma::mat H = normal_matrix(100, 20, 1, 1), X = 10 * normal_matrix(30, 20, 1, 2);
  Factors of = factors_of(gram_of(H));
  arma::mat Z(20, 1, arma::fill::zeros), Xt = X.t(), Yt(1, 30, arma::fill::zeros);
  EXPECT_EQ(update_cholesky(View<double>(of.R), View<double>(Z), View<double>(Xt), View<double>(Yt), Change::remove),
            Status::not_positive_definite);
  EXPECT_EQ(update_inverse_cholesky(View<double>(of.F), arma::mat(X.t()), Change::remove),
            Status::not_positive_definite);
}

TEST(FactorUpdates, RemovedNodesLeaveBothFactors) {
  const uword k = 40;
  for (const arma::uvec& removed :
       {arma::uvec{0}, arma::uvec{39}, arma::uvec{17}, arma::uvec{0, 1, 2, 39}, arma::uvec{3, 8, 9, 30, 31}}) {
    const arma::mat H = normal_matrix(100, k, 1, 1), C = normal_matrix(k, 2, 1, 3);
    Factors of = factors_of(gram_of(H));
    arma::mat Z = arma::solve(of.R.t(), C), S = of.S, left = C;
    S.shed_rows(removed);
    S.shed_cols(removed);
    left.shed_rows(removed);

    remove_from_cholesky(of.R, Z, removed);
    remove_from_inverse_cholesky(of.F, removed);

    EXPECT_TRUE(is_upper(of.R) && is_upper(of.F));
    EXPECT_LE(relative_difference<double>(of.R.t() * of.R, S), tolerance(100, k));
    EXPECT_LE(relative_difference<double>(of.R.t() * Z, left), tolerance(100, k) * condition_of(S));
    EXPECT_LE(arma::norm(S * of.F * of.F.t() - arma::eye(S.n_rows, S.n_rows), "fro"),
              tolerance(100, k) * condition_of(S));
  }
}

}  // namespace
}  // namespace elmx
