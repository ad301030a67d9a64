#include <gtest/gtest.h>

#include "linalg/decompositions.hpp"
#include "support/framed.hpp"
#include "support/judge.hpp"
#include "support/problem.hpp"
#include "support/status.hpp"
#include "support/thrown.hpp"

namespace elmx {
namespace {

struct Shape {
  uword N, L, rank;
};

void PrintTo(const Shape& shape, std::ostream* out) { *out << shape.N << "x" << shape.L << "_rank" << shape.rank; }

/// Singular values between 1 and 1/1000, then zeros.
arma::mat matrix_of(const Shape& shape) {
  const auto [N, L, rank] = shape;
  const arma::vec s = rank > 1 ? arma::vec(arma::logspace(0, -3, rank)) : arma::vec{1};
  return orthonormal_matrix(N, rank, 9, 1) * arma::diagmat(s) * orthonormal_matrix(L, rank, 9, 2).t();
}

RangeBasis basis_of(const arma::mat& H, double least = 1e-10) {
  RangeBasis basis;
  EXPECT_EQ(range_basis(H, least, basis), Status::ok);
  return basis;
}

class RangeBasisTest : public testing::TestWithParam<Shape> {};

INSTANTIATE_TEST_SUITE_P(Shapes, RangeBasisTest,
                         testing::Values(Shape{40, 12, 12}, Shape{40, 12, 5}, Shape{12, 40, 12}, Shape{12, 40, 7},
                                         Shape{25, 25, 25}, Shape{25, 25, 3}, Shape{1, 1, 1}, Shape{1, 6, 1},
                                         Shape{6, 1, 1}, Shape{150, 200, 70}));

TEST_P(RangeBasisTest, IsOrthonormalAndGivesTheMatrixBack) {
  const auto [N, L, rank] = GetParam();
  const arma::mat H = matrix_of(GetParam()), before = H;

  const RangeBasis basis = basis_of(H);

  ASSERT_EQ(basis.rank(), rank);
  EXPECT_EQ(arma::size(basis.Q), arma::size(N, rank));
  EXPECT_EQ(arma::size(basis.Bt), arma::size(L, rank));
  EXPECT_LE(frobenius(basis.Q.t() * basis.Q - arma::eye(rank, rank)), tolerance(N, L));
  EXPECT_LE(relative_difference(arma::mat(basis.Q * basis.Bt.t()), H), tolerance(N, L));
  EXPECT_TRUE(identical(H, before));
}

// |R_kk|: what the longest column still has outside of the k directions before it.
TEST_P(RangeBasisTest, DiagonalIsTheLongestColumnThatIsLeft) {
  const arma::mat H = matrix_of(GetParam());

  const RangeBasis basis = basis_of(H);

  ASSERT_EQ(basis.diagonal.n_elem, basis.rank());
  for (uword k = 0; k < basis.rank(); ++k) {
    const arma::mat left = H - basis.Q.head_cols(k) * basis.Bt.head_cols(k).t();
    EXPECT_NEAR(basis.diagonal(k), arma::sqrt(arma::sum(arma::square(left), 0)).max(),
                tolerance(GetParam().N, GetParam().L))
        << k;
  }
  EXPECT_TRUE(basis.diagonal.is_sorted("descend"));
}

TEST_P(RangeBasisTest, ALargerToleranceGivesTheFirstColumns) {
  const arma::mat H = matrix_of(GetParam());
  const RangeBasis basis = basis_of(H);

  const RangeBasis coarse = basis_of(H, 0.05);

  const uword k = coarse.rank();
  EXPECT_EQ(k, basis.rank(0.05));
  EXPECT_TRUE(k < basis.rank() || k == 1) << "the singular values end at 1/1000";
  EXPECT_LE(relative_difference(coarse.Q, arma::mat(basis.Q.head_cols(k))), tolerance(GetParam().N, GetParam().L));
  EXPECT_TRUE(identical(coarse.Bt, arma::mat(basis.Bt.head_cols(k))));
}

TEST(RangeBasis, RankCountsWhatIsAboveTheTolerance) {
  const RangeBasis basis = basis_of(arma::diagmat(arma::vec{0.25, 1, 0.5}), 0);

  EXPECT_EQ(basis.rank(0), 3u);
  EXPECT_EQ(basis.rank(0.2), 3u);
  EXPECT_EQ(basis.rank(0.25), 2u) << "not above";
  EXPECT_EQ(basis.rank(0.5), 1u);
  EXPECT_EQ(basis.rank(1), 0u);
  EXPECT_EQ(basis_of(8 * arma::diagmat(arma::vec{0.25, 1, 0.5}), 0.3).rank(), 2u) << "relative to the largest";
}

TEST(RangeBasis, OfAMatrixOfZerosIsEmpty) {
  const RangeBasis basis = basis_of(arma::mat(6, 4, arma::fill::zeros), 0);

  EXPECT_EQ(arma::size(basis.Q), arma::size(6, 0));
  EXPECT_EQ(arma::size(basis.Bt), arma::size(4, 0));
  EXPECT_EQ(basis.rank(0), 0u);
}

TEST(RangeBasis, AcceptsABlockOfALargerMatrix) {
  const arma::mat H = matrix_of({20, 9, 9});
  const Framed<double> framed(H);
  RangeBasis of_block;

  ASSERT_EQ(range_basis(framed.view(), 1e-10, of_block), Status::ok);

  EXPECT_TRUE(identical(of_block.Q, basis_of(H).Q));
}

TEST(RangeBasis, RefusesWhatIsNotANumber) {
  arma::mat H = matrix_of({20, 9, 9});
  H(3, 3) = arma::datum::nan;
  RangeBasis basis;

  EXPECT_EQ(range_basis(H, 1e-10, basis), Status::not_finite);
  EXPECT_TRUE(basis.Q.is_empty());
}

// B W = V, and W has no part outside of the range of B': these two define B^+ V.
TEST_P(RangeBasisTest, LiftIsTheSolutionOfSmallestNorm) {
  const auto [N, L, rank] = GetParam();
  const RangeBasis basis = basis_of(matrix_of(GetParam()));
  const arma::mat V = normal_matrix(rank, 3, 9, 4);

  const arma::mat W = MinimumNormLift(basis.Bt)(V);

  arma::mat U, ignored;
  arma::vec s;
  ASSERT_TRUE(arma::svd_econ(U, s, ignored, basis.Bt));
  EXPECT_LE(frobenius(basis.Bt.t() * W - V), tolerance(N, L) * frobenius(basis.Bt) * frobenius(W));
  EXPECT_LE(frobenius(W - U * (U.t() * W)), tolerance(N, L) * s.max() / s.min() * frobenius(W))
      << "U is known to eps cond(B)";
}

TEST(MinimumNormLift, RefusesWrongShapes) {
  const MinimumNormLift lift(basis_of(matrix_of({20, 9, 9})).Bt);

  EXPECT_NE(thrown<std::logic_error>([&] { static_cast<void>(lift(arma::mat(8, 2))); }), "");
}

}  // namespace
}  // namespace elmx
