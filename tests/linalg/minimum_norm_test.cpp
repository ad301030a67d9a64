#include <gtest/gtest.h>

#include "linalg/decompositions.hpp"
#include "support/framed.hpp"
#include "support/judge.hpp"
#include "support/problem.hpp"
#include "support/status.hpp"
#include "support/thrown.hpp"

namespace elmx {
namespace {

struct Case {
  uword N, L, c, rank;
};

void PrintTo(const Case& one, std::ostream* out) {
  *out << one.N << "x" << one.L << "x" << one.c << "_rank" << one.rank;
}

class MinimumNormTest : public testing::TestWithParam<Case> {
 protected:
  /// Singular values between 1 and 1/10, then zeros.
  Problem<double> problem() const {
    const auto [N, L, c, rank] = GetParam();
    const arma::vec s = rank > 1 ? arma::vec(arma::logspace(0, -1, rank)) : arma::vec{1};
    return {orthonormal_matrix(N, rank, 7, 1) * arma::diagmat(s) * orthonormal_matrix(L, rank, 7, 2).t(),
            normal_matrix(N, c, 7, 3)};
  }
};

INSTANTIATE_TEST_SUITE_P(Shapes, MinimumNormTest,
                         testing::Values(Case{50, 8, 1, 8}, Case{50, 8, 3, 8}, Case{8, 50, 3, 8}, Case{8, 50, 1, 5},
                                         Case{50, 20, 2, 13}, Case{30, 30, 2, 30}, Case{30, 30, 2, 7}, Case{1, 1, 1, 1},
                                         Case{1, 6, 2, 1}, Case{6, 1, 2, 1}, Case{400, 120, 1, 120}));

TEST_P(MinimumNormTest, IsThePseudoInverseTimesTheTargets) {
  const auto [H, T] = problem();
  const arma::mat H_before = H, T_before = T;
  arma::mat W;

  ASSERT_EQ(minimum_norm(H, T, W), Status::ok);

  EXPECT_LE(relative_difference(W, arma::mat(arma::pinv(H, 1e-8) * T)), 100 * tolerance(GetParam().N, GetParam().L))
      << "cond(H)^2 = 100";
  EXPECT_TRUE(identical(H, H_before) && identical(T, T_before));
}

// W = H'Z for some Z, and H'(H W - T) = 0: these two define it.
TEST_P(MinimumNormTest, IsStationaryAndHasNoPartInTheNullSpace) {
  const auto [H, T] = problem();
  arma::mat W;

  ASSERT_EQ(minimum_norm(H, T, W), Status::ok);

  const arma::mat V = orthonormal_matrix(GetParam().L, GetParam().rank, 7, 2);
  EXPECT_LE(ridge_backward_error(H, T, 0, W), tolerance(GetParam().N, GetParam().L));
  EXPECT_LE(frobenius(W - V * (V.t() * W)), 100 * tolerance(GetParam().N, GetParam().L) * frobenius(W));
}

TEST(MinimumNorm, AcceptsBlocksOfLargerMatrices) {
  const auto [H, T] = make_problem(20, 6, 2, 10, 7);
  const Framed<double> framed_H(H), framed_T(T);
  arma::mat W, framed;

  ASSERT_EQ(minimum_norm(H, T, W), Status::ok);
  ASSERT_EQ(minimum_norm(framed_H.view(), framed_T.view(), framed), Status::ok);

  EXPECT_TRUE(identical(W, framed));
}

// eps max(N, L) = 4.4e-15 of the largest singular value.
TEST(MinimumNorm, SmallSingularValuesCountAsZero) {
  const auto with = [](double least) {
    arma::mat H(20, 2, arma::fill::zeros), T(20, 1, arma::fill::ones), W;
    H(0, 0) = 1;
    H(1, 1) = least;
    EXPECT_EQ(minimum_norm(H, T, W), Status::ok);
    return W;
  };

  EXPECT_EQ(with(1e-15)(1), 0);
  EXPECT_NEAR(with(1e-14)(1) / 1e14, 1, 1e-12);
}

TEST(MinimumNorm, CountsSingularValuesBelowTheGivenToleranceAsZero) {
  const arma::mat U = orthonormal_matrix(20, 3, 7, 1), V = orthonormal_matrix(6, 3, 7, 2),
                  T = normal_matrix(20, 2, 7, 3);
  const arma::vec s{8, 0.8, 0.08};
  const auto with_first = [&](uword k) {
    return arma::mat(V.head_cols(k) * arma::diagmat(1 / s.head(k)) * U.head_cols(k).t() * T);
  };
  const auto solved = [&](double least) {
    arma::mat W;
    EXPECT_EQ(minimum_norm(arma::mat(U * arma::diagmat(s) * V.t()), T, W, least), Status::ok);
    return W;
  };

  // cond(H) = 100
  EXPECT_LE(relative_difference(solved(0.005), with_first(3)), 100 * tolerance(20, 6));
  EXPECT_LE(relative_difference(solved(0.05), with_first(2)), 100 * tolerance(20, 6))
      << "0.8, but not 0.08, is above 0.05 times 8";
  EXPECT_LE(relative_difference(solved(0.5), with_first(1)), 100 * tolerance(20, 6));
  EXPECT_LE(relative_difference(solved(0), with_first(3)), 100 * tolerance(20, 6)) << "0: eps max(N, L)";
}

TEST(MinimumNorm, OfAMatrixOfZerosIsZero) {
  const arma::mat H(7, 3, arma::fill::zeros), T(7, 2, arma::fill::ones);
  arma::mat W;

  ASSERT_EQ(minimum_norm(H, T, W), Status::ok);

  EXPECT_TRUE(identical(W, arma::mat(3, 2, arma::fill::zeros)));
}

TEST(MinimumNorm, RefusesWhatIsNotANumber) {
  const auto [H, T] = make_problem(20, 6, 2, 10, 7);
  arma::mat W(1, 1, arma::fill::ones);
  for (const bool in_targets : {false, true}) {
    arma::mat A = H, B = T;
    (in_targets ? B : A)(3, 1) = arma::datum::nan;

    EXPECT_EQ(minimum_norm(A, B, W), Status::not_finite);
    EXPECT_EQ(W.n_elem, 1u) << "left as it was";
  }
}

TEST(MinimumNorm, RefusesWrongShapes) {
  arma::mat W;

  EXPECT_NE(thrown<std::logic_error>([&] { static_cast<void>(minimum_norm(arma::mat(3, 2), arma::mat(4, 1), W)); }),
            "");
  EXPECT_NE(thrown<std::logic_error>([&] { static_cast<void>(minimum_norm(arma::mat(0, 2), arma::mat(0, 1), W)); }),
            "");
}

}  // namespace
}  // namespace elmx
