#include "solvers/mixed/refinement.hpp"

#include <gtest/gtest.h>

#include "support/judge.hpp"
#include "support/problem.hpp"

// Refinement with approximate inverses of many qualities, judged by the normal equations.

namespace elmx {
namespace {

/// Returns a layer whose Gram matrix has eigenvalues that are spread evenly between 1 / condition and 1.
arma::mat layer_of(uword n, uword k, double condition) {
  const arma::vec eigenvalues = arma::linspace(1 / condition, 1, k);
  return orthonormal_matrix(n, k, 5, 1) * arma::diagmat(arma::sqrt(eigenvalues)) * orthonormal_matrix(k, k, 5, 2).t();
}

class Refined : public testing::Test {
 protected:
  const uword n = 300, k = 60;
  const arma::mat Y = normal_matrix(n, 2, 5, 3);
  const double lambda = 1e-12;

  Refinement refined(const arma::mat& A, const arma::mat& inverse, uword most_products) const {
    return refined(A, Y, inverse, most_products);
  }
  Refinement refined(const arma::mat& A, const arma::mat& targets, const arma::mat& inverse,
                     uword most_products) const {
    const StoredMatrix<double> stored{View<const double>(A)};
    const arma::mat cross = A.t() * targets;
    return refine<double>(
        {stored, View<const double>(targets), cross, arma::accu(A % A), lambda},
        [&](View<double> X) {
          const arma::mat product = inverse * X.copy();
          for (uword j = 0; j < X.cols; ++j) std::copy_n(product.colptr(j), X.rows, &X(0, j));
        },
        most_products);
  }
  double off(const arma::mat& A, const Refinement& of) const {
    return ridge_backward_error(A, Y, lambda, of.W) / tolerance(n, k);
  }
};

TEST_F(Refined, StepsSufficeForAnInverseOfSomeDigits) {
  const arma::mat A = layer_of(n, k, 1e4);
  const arma::mat R = A.t() * A + lambda * arma::eye(k, k);
  const Refinement of = refined(A, arma::inv_sympd(arma::mat(R + 1e-6 * arma::eye(k, k))), 50);
  EXPECT_TRUE(of.converged);
  EXPECT_FALSE(of.conjugate);
  EXPECT_LE(of.products, 12u);
  EXPECT_LE(off(A, of), 1);
}

// Steps with (||R|| I)^-1 do not halve the residual. Conjugate gradients do: they need as many products as
// single precision to double at this condition, and go on after the eighth, which predicts that.
TEST_F(Refined, ConjugateGradientsFinishWhereStepsAreSlow) {
  const arma::mat A = layer_of(n, k, 50);
  const Refinement of = refined(A, arma::eye(k, k), 400);
  EXPECT_TRUE(of.converged);
  EXPECT_TRUE(of.conjugate);
  EXPECT_GT(of.products, 10u);
  EXPECT_LE(off(A, of), 1);
}

TEST_F(Refined, GivesUpEarlyWhereProductsCannotSuffice) {
  const arma::mat A = layer_of(n, k, 1e8);
  const Refinement of = refined(A, arma::eye(k, k), 24);
  EXPECT_FALSE(of.converged);
  EXPECT_TRUE(of.conjugate);
  EXPECT_LE(of.products, 12u) << "of 24: the eight steps that show it, and four residuals";
  const arma::mat start = A.t() * Y;  // the inverse of the test times A'Y
  EXPECT_LE(off(A, of) * tolerance(n, k), ridge_backward_error(A, Y, lambda, start));
}

TEST_F(Refined, EndsAtTheLimitOfProducts) {
  const arma::mat A = layer_of(n, k, 50);
  for (const uword most : {1u, 2u, 6u}) {
    const Refinement of = refined(A, arma::eye(k, k), most);
    EXPECT_FALSE(of.converged) << most;
    EXPECT_LE(of.products, most + 1) << most;  // the residual after conjugate gradients
    EXPECT_TRUE(of.W.is_finite()) << most;
  }
}

TEST_F(Refined, ZeroTargetsHaveZeroWeights) {
  const Refinement of = refined(layer_of(n, k, 10), arma::mat(n, 1, arma::fill::zeros), arma::eye(k, k), 50);
  EXPECT_TRUE(of.converged);
  EXPECT_TRUE(of.W.is_zero());
}

TEST_F(Refined, AnInverseThatIsNotFiniteDoesNotConverge) {
  arma::mat inverse(k, k, arma::fill::eye);
  inverse(3, 3) = arma::datum::nan;
  EXPECT_FALSE(refined(layer_of(n, k, 10), inverse, 50).converged);
}

}  // namespace
}  // namespace elmx
