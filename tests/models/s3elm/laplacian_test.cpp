#include "models/s3elm/laplacian.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "models/s3elm/affinity.hpp"
#include "support/judge.hpp"
#include "support/semi_supervised.hpp"
#include "support/thrown.hpp"

namespace elmx {
namespace {

/// 1 - a_ij / sqrt(d_i d_j), a row and a column of zeros where d_i = 0; long double.
arma::mat normalised_by_definition(const arma::mat& A) {
  arma::mat L(A.n_rows, A.n_rows, arma::fill::zeros);
  const auto degree = [&](uword i) {
    long double sum = 0;
    for (uword j = 0; j < A.n_cols; ++j) sum += A(i, j);
    return sum;
  };
  for (uword i = 0; i < A.n_rows; ++i) {
    for (uword j = 0; j < A.n_rows; ++j) {
      if (A(i, j) != 0) L(i, j) = -static_cast<double>(A(i, j) / std::sqrt(degree(i)) / std::sqrt(degree(j)));
    }
    if (degree(i) > 0) L(i, i) = 1;
  }
  return L;
}

arma::mat by_definition(const arma::mat& A, bool normalised) {
  return normalised ? normalised_by_definition(A) : laplacian_by_definition(A);
}

/// Affinities of very different size; samples 3 and 7 have no neighbour.
arma::mat some_affinity() {
  arma::mat A = heat_by_definition(normal_matrix(12, 2, 3, 1), 3);
  for (const uword i : {3, 7}) {
    A.row(i).zeros();
    A.col(i).zeros();
  }
  return A;
}

TEST(Laplacian, AgreesWithStoredValues) {
  const StoredValues golden("models", "s3elm_basic");
  const arma::mat A = matrix_from(golden.expected["affinity"]), X = matrix_from(golden.input["X"]);
  const arma::sp_mat nearest =
      nearest_neighbour_affinity(X, golden.input["knn"].get<uword>(), golden.input["sigma"].get<double>());

  EXPECT_TRUE(golden.agrees(laplacian(A, false), matrix_from(golden.expected["laplacian"])));
  EXPECT_TRUE(golden.agrees(arma::mat(laplacian(nearest, false)), matrix_from(golden.expected["laplacian_knn3_or"])));
  EXPECT_FALSE(golden.agrees(laplacian(A, true), matrix_from(golden.expected["laplacian"])));
}

TEST(Laplacian, IsTheDefinitionDenseAndSparse) {
  const arma::mat A = some_affinity();
  for (const bool normalised : {false, true}) {
    const arma::mat exact = by_definition(A, normalised);

    EXPECT_LE(arma::abs(laplacian(A, normalised) - exact).max(), tolerance(12, 1))
        << "degrees below 12; normalised " << normalised;
    EXPECT_LE(arma::abs(arma::mat(laplacian(arma::sp_mat(A), normalised)) - exact).max(), tolerance(12, 1))
        << normalised;
  }
}

TEST(Laplacian, IsSymmetricAndPositiveSemidefinite) {
  const arma::mat A = some_affinity();
  for (const bool normalised : {false, true}) {
    const arma::mat L = laplacian(A, normalised);

    EXPECT_LE(arma::abs(L - L.t()).max(), tolerance(1, 1));
    EXPECT_GE(arma::eig_sym(L).min(), -tolerance(12, 12));
    if (normalised) {
      EXPECT_LE(arma::eig_sym(L).max(), 2 + tolerance(12, 12));
      EXPECT_LE(arma::abs(L * arma::sqrt(arma::sum(A, 1))).max(), tolerance(12, 12))
          << "D^1/2 1 lies in its null space";
    } else {
      EXPECT_LE(arma::abs(arma::sum(L, 1)).max(), tolerance(12, 12));
    }
  }
}

TEST(Laplacian, OfSamplesWithoutNeighboursHasRowsOfZeros) {
  for (const bool normalised : {false, true}) {
    for (const arma::mat& L :
         {laplacian(some_affinity(), normalised), arma::mat(laplacian(arma::sp_mat(some_affinity()), normalised))}) {
      EXPECT_EQ(arma::abs(L.row(3)).max(), 0);
      EXPECT_EQ(arma::abs(L.col(7)).max(), 0);
    }
    EXPECT_EQ(arma::abs(laplacian(arma::mat(4, 4, arma::fill::zeros), normalised)).max(), 0);
    EXPECT_EQ(laplacian(arma::sp_mat(4, 4), normalised).n_nonzero, 0u);
  }
}

// The least number beside a degree of 4: divided by the root of it, half of the least number, which rounds to
// 0. A sparse matrix drops an entry that becomes 0.
TEST(Laplacian, SurvivesAffinitiesThatUnderflow) {
  const double least = std::numeric_limits<double>::denorm_min();
  arma::mat A(8, 8, arma::fill::zeros);
  for (uword i = 0; i < 5; ++i) {
    for (uword j = 0; j < 5; ++j) A(i, j) = i == j ? 0 : 1;  // degree 4
  }
  for (uword i = 0; i < 5; ++i) A(i, 5) = A(5, i) = least;
  A(6, 7) = A(7, 6) = 0.25;
  A(0, 6) = A(6, 0) = 0.5;
  const arma::mat exact = by_definition(A, true);

  EXPECT_LE(arma::abs(laplacian(A, true) - exact).max(), tolerance(8, 1));
  EXPECT_LE(arma::abs(arma::mat(laplacian(arma::sp_mat(A), true)) - exact).max(), tolerance(8, 1));
}

TEST(Laplacian, RefusesWhatIsNotSquare) {
  EXPECT_NE(thrown<std::logic_error>([] { laplacian(arma::mat(3, 4), false); }), "");
  EXPECT_NE(thrown<std::logic_error>([] { laplacian(arma::sp_mat(3, 4), false); }), "");
}

}  // namespace
}  // namespace elmx
