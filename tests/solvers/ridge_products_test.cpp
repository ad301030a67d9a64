#include "solvers/ridge/ridge_products.hpp"

#include <gtest/gtest.h>

#include "support/by_loops.hpp"
#include "support/growing.hpp"
#include "support/judge.hpp"
#include "support/problem.hpp"

namespace elmx {
namespace {

/// Sums of l products, relative to the sum of the magnitudes: a norm-wise tolerance of the factors' norms.
template <class T>
double allowed(const arma::mat& A, const arma::mat& B) {
  return tolerance<T>(A.n_rows, 1) * frobenius(A) * frobenius(B);
}

template <class T>
double off(const arma::Mat<T>& one, const arma::mat& exact) {
  return arma::size(one) == arma::size(exact) ? frobenius(arma::conv_to<arma::mat>::from(one) - exact)
                                              : arma::datum::inf;
}

arma::mat times_transposed(const arma::mat& A, const arma::mat& B) { return product_by_loops(1, A.t(), B, 0, {}); }

template <class T>
class RidgeProductsTest : public testing::Test {
 protected:
  const Problem<T> problem{arma::conv_to<arma::Mat<T>>::from(normal_matrix(60, 110, 7, 1)),
                           arma::conv_to<arma::Mat<T>>::from(normal_matrix(60, 3, 7, 2))};
  const arma::mat A = arma::conv_to<arma::mat>::from(problem.H), Y = arma::conv_to<arma::mat>::from(problem.T);
  const StoredMatrix<T> stored{View<const T>(problem.H)};
  const InBlocks<T> streamed{View<const T>(problem.H), 7};
};

using Precisions = testing::Types<double, float>;
TYPED_TEST_SUITE(RidgeProductsTest, Precisions);

TYPED_TEST(RidgeProductsTest, AreTheProductsOfTheOldAndTheAddedNodes) {
  using T = TypeParam;
  for (const TallMatrix<T>* input :
       {static_cast<const TallMatrix<T>*>(&this->stored), static_cast<const TallMatrix<T>*>(&this->streamed)}) {
    for (const Products needed : {Products::none, Products::border, Products::gram}) {
      RidgeProducts<T> products(*input, View<const T>(this->problem.T), needed);
      uword k = 0;
      for (const uword q : {uword(1), uword(5), uword(70), uword(2)}) {
        products.advance(q);

        const arma::mat old = this->A.head_cols(k), H = this->A.cols(k, k + q - 1);
        ASSERT_EQ(products.old_nodes(), k);
        ASSERT_EQ(products.added(), q);
        if (needed == Products::none) {
          EXPECT_TRUE(products.P().is_empty() && products.Q().is_empty() && products.cross().is_empty());
        } else {
          EXPECT_LE(off(products.P(), k > 0 ? times_transposed(old, H) : arma::mat(0, q)), allowed<T>(old, H)) << q;
        }
        if (needed == Products::border) {
          EXPECT_TRUE(products.Q().is_empty() && products.cross().is_empty());
        }
        if (needed == Products::gram) {
          const arma::mat whole = this->A.head_cols(k + q);
          EXPECT_LE(off(arma::Mat<T>(arma::trimatu(products.Q())), arma::trimatu(times_transposed(H, H))),
                    allowed<T>(H, H));
          EXPECT_LE(off(products.cross(), times_transposed(whole, this->Y)), allowed<T>(whole, this->Y));
        }
        k += q;
      }
    }
  }
}

TYPED_TEST(RidgeProductsTest, GramMatrixIsThatOfAllNodesHoweverOftenItWasFactorised) {
  using T = TypeParam;
  const double lambda = 0.25;
  RidgeProducts<T> products(this->streamed, View<const T>(this->problem.T), Products::gram);
  GramMatrix<T> gram(this->A.n_cols);
  uword k = 0;
  for (const uword q : {uword(1), uword(9), uword(64), uword(36)}) {
    products.advance(q);
    gram.extend(products);
    k += q;
    const arma::mat nodes = this->A.head_cols(k), R = times_transposed(nodes, nodes) + lambda * arma::eye(k, k);
    const double bound = allowed<T>(nodes, nodes);
    ASSERT_EQ(gram.size(), k);

    for (const T garbage : {T(3), std::numeric_limits<T>::quiet_NaN()}) {  // as a factorisation leaves it
      const View<T> upper = gram.ridge_matrix(lambda);
      EXPECT_LE(off(arma::Mat<T>(arma::trimatu(upper.copy())), arma::trimatu(R)), bound) << k;
      for (uword j = 0; j < k; ++j) {
        for (uword i = 0; i <= j; ++i) upper(i, j) = garbage;
      }

      const arma::mat X = normal_matrix(k, 2, 7, 4);
      const arma::Mat<T> narrow = arma::conv_to<arma::Mat<T>>::from(X);
      const arma::mat exact = product_by_loops(1, R, arma::conv_to<arma::mat>::from(narrow), 0, {});
      EXPECT_LE(off(gram.times(lambda, narrow), exact), (bound + tolerance<T>(k, 1) * frobenius(R)) * frobenius(X))
          << k;
      EXPECT_NEAR(gram.norm(lambda), frobenius(R), bound);
    }
  }
}

TYPED_TEST(RidgeProductsTest, RefuseNodesThatAreNotThereAndStepsLeftOut) {
  using T = TypeParam;
  RidgeProducts<T> products(this->stored, View<const T>(this->problem.T), Products::gram);
  GramMatrix<T> gram(this->A.n_cols);
  products.advance(100);
  EXPECT_THROW(RidgeProducts<T>(products).advance(11), std::logic_error);

  products.advance(5);
  EXPECT_THROW(gram.extend(products), std::logic_error);
}

}  // namespace
}  // namespace elmx
