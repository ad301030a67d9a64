#include <gtest/gtest.h>

#include <limits>
#include <set>
#include <vector>

#include "linalg/cholesky.hpp"
#include "support/definite.hpp"
#include "support/judge.hpp"

namespace elmx {
namespace {

template <class T>
class ConditionTest : public testing::Test {};
using Reals = testing::Types<double, float>;
TYPED_TEST_SUITE(ConditionTest, Reals);

// pocon never exceeds the true number (but for rounding) and is seldom less than a third of it (Higham,
// Accuracy and Stability of Numerical Algorithms, 2nd ed., ch. 15).
TYPED_TEST(ConditionTest, EstimateIsWithinAFactorOfTen) {
  using T = TypeParam;
  for (const uword n : {uword(1), uword(2), uword(40), uword(257)}) {
    for (const double cond : {1.0, 1e2, 1e4, 1e10}) {
      if (cond > 0.01 / std::numeric_limits<T>::epsilon()) continue;
      const arma::Mat<T> G = definite<T>(n, cond);
      const arma::mat full = symmetric(G);
      const double exact = arma::norm(full, 1) * arma::norm(arma::mat(arma::inv(full)), 1);
      arma::Mat<T> R = G;

      const double norm = symmetric_norm1(View<const T>(G));
      ASSERT_EQ(cholesky(View<T>(R)), Status::ok);
      const double estimate = condition_estimate(View<const T>(R), norm);

      EXPECT_NEAR(norm / arma::norm(full, 1), 1, tolerance(n, n));
      EXPECT_GE(estimate, exact / 10) << n << ", cond " << cond;
      EXPECT_LE(estimate, exact * 1.1) << n << ", cond " << cond;  // float rounds the inverse: cond eps < 0.1
    }
  }
}

/// The results of calls between which memory is taken, so that each call finds free memory at another
/// address.
template <class Call>
std::vector<double> with_memory_taken(uword numbers, const Call& call) {
  std::vector<std::vector<double>> taken;
  std::vector<double> results;
  for (uword i = 0; i < 16; ++i) {
    results.push_back(call());
    taken.emplace_back(numbers + 2 * i);
  }
  return results;
}

// The BLAS kernels Haswell and SkylakeX add numbers in an order that depends on their address.
TYPED_TEST(ConditionTest, EstimateDoesNotDependOnWhereMemoryIsFree) {
  using T = TypeParam;
  for (const uword n : {uword(257), uword(300), uword(400), uword(1000)}) {
    const arma::Mat<T> G = definite<T>(n, 1e2);
    const double norm = symmetric_norm1(View<const T>(G));
    arma::Mat<T> R = G;
    ASSERT_EQ(cholesky(View<T>(R)), Status::ok);

    const std::vector<double> estimates = with_memory_taken(3 * n * sizeof(T) / sizeof(double),
                                                            [&] { return condition_estimate(View<const T>(R), norm); });

    EXPECT_EQ(std::set(estimates.begin(), estimates.end()).size(), 1u) << n;
  }
}

TEST(ReciprocalCondition, DoesNotDependOnWhereMemoryIsFree) {
  for (const uword n : {uword(257), uword(300), uword(400), uword(1000)}) {
    arma::mat R = definite<double>(n, 1e2);
    ASSERT_EQ(cholesky(View<double>(R)), Status::ok);

    const std::vector<double> estimates =
        with_memory_taken(3 * n, [&] { return reciprocal_condition(View<const double>(R)); });

    EXPECT_EQ(std::set(estimates.begin(), estimates.end()).size(), 1u) << n;
  }
}

TEST(ReciprocalCondition, IsWithinAFactorOfTen) {
  for (const uword n : {uword(1), uword(2), uword(40), uword(257)}) {
    arma::mat R = definite<double>(n, 1e4);
    ASSERT_EQ(cholesky(View<double>(R)), Status::ok);
    const arma::mat upper = arma::trimatu(R), inverse = arma::inv(arma::trimatu(R));
    const double exact = 1 / (arma::norm(upper, 1) * arma::norm(inverse, 1));

    const double estimate = reciprocal_condition(View<const double>(R));

    EXPECT_GE(estimate, exact / 1.1) << n;
    EXPECT_LE(estimate, exact * 10) << n;
  }
}

TEST(Condition, OfNothingIsOne) {
  const arma::mat G(0, 0);

  EXPECT_EQ(symmetric_norm1(View<const double>(G)), 0);
  EXPECT_EQ(condition_estimate(View<const double>(G), 0), 1);
}

}  // namespace
}  // namespace elmx
