#include "linalg/gram.hpp"

#include <gtest/gtest.h>

#include "support/by_loops.hpp"
#include "support/framed.hpp"
#include "support/judge.hpp"
#include "support/problem.hpp"

namespace elmx {
namespace {

// A sample less and more than a block of 4096, two blocks and a bit, one sample.
constexpr std::array<uword, 6> kSamples{1, 40, 4095, 4096, 4097, 9000};

/// The type of the samples and the type of the sums.
template <class Sample, class Sum>
struct Types {
  using T = Sample;
  using A = Sum;
};

template <class P>
class GramTest : public testing::Test {};
using Precisions = testing::Types<Types<double, double>, Types<float, float>, Types<float, double>>;
TYPED_TEST_SUITE(GramTest, Precisions);

// For float samples summed in double this is the claim: the products of floats are exact in double, so that
// the sum is as good as one of doubles, a billion times better than a float sum.
TYPED_TEST(GramTest, IsTheProductOfTheSamplesAsTheyAreToThePrecisionOfTheSums) {
  using T = typename TypeParam::T;
  using A = typename TypeParam::A;
  for (const uword N : kSamples) {
    const Framed<T> H(arma::conv_to<arma::Mat<T>>::from(normal_matrix(N, 19, 3, 1)));
    const Framed<T> targets(arma::conv_to<arma::Mat<T>>::from(normal_matrix(N, 2, 3, 2)));
    Framed<A> G(arma::Mat<A>(19, 19, arma::fill::value(std::numeric_limits<A>::quiet_NaN())));
    Framed<A> C(arma::Mat<A>(19, 2, arma::fill::value(std::numeric_limits<A>::quiet_NaN())));

    ridge_gram(H.view(), 0.5, G.view());
    cross_product(std::as_const(H).view(), targets.view(), C.view());

    const arma::mat h = apply(Op::none, H.content()), t = apply(Op::none, targets.content());
    const arma::mat exact = product_by_loops(1, h.t(), h, 0.5, arma::eye(19, 19));
    const arma::mat upper = arma::trimatu(arma::conv_to<arma::mat>::from(G.content()));
    EXPECT_LE(frobenius(upper - arma::trimatu(exact)) / (frobenius(h) * frobenius(h)), tolerance<A>(1, 1)) << N;
    EXPECT_LE(frobenius(arma::conv_to<arma::mat>::from(C.content()) - product_by_loops(1, h.t(), t, 0, {})) /
                  (frobenius(h) * frobenius(t)),
              tolerance<A>(1, 1))
        << N;
    EXPECT_FALSE(G.touched());
    EXPECT_FALSE(C.touched());
  }
}

TYPED_TEST(GramTest, LeavesTheLowerTriangleAlone) {
  using T = typename TypeParam::T;
  using A = typename TypeParam::A;
  const arma::Mat<T> H = arma::conv_to<arma::Mat<T>>::from(normal_matrix(50, 5, 3, 1));
  arma::Mat<A> G(5, 5, arma::fill::value(A(7)));

  ridge_gram(View<const T>(H), 0.5, View<A>(G));

  EXPECT_TRUE(identical(below_diagonal(G), below_diagonal(arma::Mat<A>(5, 5, arma::fill::value(A(7))))));
}

TEST(Gram, ByHand) {
  const arma::mat H = {{1, 2}, {3, 4}}, T = arma::vec{1, -1};
  arma::mat G(2, 2), C(2, 1);

  ridge_gram(View<const double>(H), 0.25, View<double>(G));
  cross_product(View<const double>(H), View<const double>(T), View<double>(C));

  EXPECT_EQ(G(0, 0), 10.25);
  EXPECT_EQ(G(0, 1), 14);
  EXPECT_EQ(G(1, 1), 20.25);
  EXPECT_EQ(C(0), -2);
  EXPECT_EQ(C(1), -2);
}

}  // namespace
}  // namespace elmx
