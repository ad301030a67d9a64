#include "linalg/checks/ratios.hpp"

#include <gtest/gtest.h>

#include "support/by_loops.hpp"
#include "support/judge.hpp"

namespace elmx {
namespace {

TEST(CheckGroup, NamesTheFirstWrongResultOfEachFunction) {
  CheckGroup group{.name = "any"};
  group.add("dgemm", "1 x 1", kMostRatio);
  group.add("dgemm", "2 x 2", 2 * kMostRatio);
  group.add("dgemm", "3 x 3", 3 * kMostRatio);
  group.add("dsyrk", "1 x 1", arma::datum::nan);
  group.add("dtrsm", "1 x 1", true);
  EXPECT_EQ(group.checks, 5U);
  EXPECT_EQ(group.largest, arma::datum::inf);
  ASSERT_EQ(group.wrong.size(), 2U);
  EXPECT_EQ(group.wrong[0].where, "2 x 2");
  EXPECT_EQ(group.wrong[1].function, "dsyrk");
}

TEST(PlainProduct, IsTheSumOfProducts) {
  for (const uword k : {1, 3, 4, 31, 32, 33, 70}) {
    const arma::mat A = random_entries(17, k, 1), B = random_entries(k, 9, 2);
    const arma::mat exact = product_by_loops(1, A, B, 0, {});
    EXPECT_LE(frobenius(plain_product(A, B) - exact), tolerance(1, k) * frobenius(A) * frobenius(B)) << k;
  }
}

TEST(OfCondition, HasTheGivenSingularValues) {
  for (const auto& [rows, cols] : {std::pair{30, 12}, std::pair{12, 30}, std::pair{1, 5}}) {
    const arma::vec s = arma::svd(of_condition(rows, cols, 1e6, 3));
    EXPECT_NEAR(s.max(), 1, 1e-13);
    EXPECT_NEAR(s.min(), s.n_elem == 1 ? 1 : 1e-6, 1e-13);
  }
}

TEST(PlainBackwardError, IsZeroAtTheMinimumOnly) {
  const arma::mat H = random_entries(40, 7, 1), Y = random_entries(40, 2, 2);
  arma::mat W = arma::solve(H.t() * H + 0.1 * arma::eye(7, 7), H.t() * Y);
  EXPECT_LE(plain_backward_error(H, Y, 0.1, W), tolerance(40, 7));
  EXPECT_NEAR(plain_backward_error(H, Y, 0.2, W), ridge_backward_error(H, Y, 0.2, W), tolerance(40, 7));
  W(3, 1) += 1e-9;
  EXPECT_GT(plain_backward_error(H, Y, 0.1, W), 1e3 * arma::datum::eps);
}

TEST(SameForAnyThreads, SeesADifferenceOfOneBit) {
  const int before = threads();
  EXPECT_TRUE(same_for_any_threads([] { return arma::mat(2, 2, arma::fill::ones); }));
  EXPECT_FALSE(same_for_any_threads([] {
    arma::mat M(2, 2, arma::fill::ones);
    if (threads() == 2) M(1, 1) += arma::datum::eps;
    return M;
  }));
  EXPECT_EQ(threads(), before);
}

}  // namespace
}  // namespace elmx
