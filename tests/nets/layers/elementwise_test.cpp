#include "nets/layers/elementwise.hpp"

#include <gtest/gtest.h>

#include <array>

#include "support/framed.hpp"
#include "support/judge.hpp"
#include "support/problem.hpp"
#include "support/threads.hpp"

namespace elmx {
namespace {

/// Lengths around those of vectors and chunks.
template <class T>
class ElementwiseTest : public testing::Test {
 protected:
  static constexpr std::array<uword, 8> lengths = {1, 3, 8, 17, 100, 16384, 16385, 50001};

  static arma::Col<T> values(uword n, std::uint32_t stream) {
    return arma::conv_to<arma::Col<T>>::from(normal_matrix(n, 1, 61, stream));
  }
  static arma::mat wide(const arma::Mat<T>& A) { return arma::conv_to<arma::mat>::from(A); }
};

using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(ElementwiseTest, Types);

TYPED_TEST(ElementwiseTest, Activations) {
  using T = TypeParam;
  for (const uword n : this->lengths) {
    const arma::Col<T> z = this->values(n, 1), dy = this->values(n, 2);
    for (const Activation activation : {Activation::linear, Activation::relu, Activation::tanh, Activation::sigmoid}) {
      arma::Col<T> y = z, dz = dy;

      activate_signal(activation, y.memptr(), n);
      times_slope(activation, y.memptr(), dz.memptr(), n);

      arma::mat f = this->wide(z), slope(n, 1, arma::fill::ones);
      if (activation == Activation::relu) {
        slope = arma::conv_to<arma::mat>::from(f > 0);
        f = arma::clamp(f, 0, arma::datum::inf);
      } else if (activation == Activation::tanh) {
        f = arma::tanh(f);
        slope = 1 - f % f;
      } else if (activation == Activation::sigmoid) {
        f = 1 / (1 + arma::exp(-f));
        slope = f % (1 - f);
      }
      EXPECT_LE(relative_difference(this->wide(y), f), tolerance<T>(1, 1)) << n;
      EXPECT_LE(relative_difference(this->wide(dz), arma::mat(slope % this->wide(dy))), tolerance<T>(1, 1)) << n;
    }
  }
}

// Gates may be as far out as they like.
TYPED_TEST(ElementwiseTest, SaturatedActivations) {
  using T = TypeParam;
  for (const uword n : {1, 3, 16, 37}) {
    for (const double z : {90.0, 200.0, 1000.0, 1e30}) {
      for (const double sign : {1.0, -1.0}) {
        arma::Col<T> sigmoid(n, arma::fill::value(static_cast<T>(sign * z))), tanh = sigmoid;
        activate_signal(Activation::sigmoid, sigmoid.memptr(), n);
        activate_signal(Activation::tanh, tanh.memptr(), n);
        for (uword i = 0; i < n; ++i) {
          EXPECT_NEAR(static_cast<double>(sigmoid(i)), sign > 0 ? 1 : 0, 1e-37) << sign * z;
          EXPECT_EQ(static_cast<double>(tanh(i)), sign) << sign * z;
        }
      }
    }
  }
}

TYPED_TEST(ElementwiseTest, NotANumberIsKept) {
  using T = TypeParam;
  for (const uword n : this->lengths) {
    arma::Col<T> v = this->values(n, 1);
    EXPECT_TRUE(all_finite(v.memptr(), n));
    for (const T bad : {arma::Datum<T>::nan, arma::Datum<T>::inf, -arma::Datum<T>::inf}) {
      for (const uword at : {uword(0), n / 2, n - 1}) {
        arma::Col<T> w = v;
        w(at) = bad;
        EXPECT_FALSE(all_finite(w.memptr(), n)) << n << " " << at;
        activate_signal(Activation::relu, w.memptr(), n);
        EXPECT_EQ(all_finite(w.memptr(), n), bad < 0) << n << " " << at;
      }
    }
    v.fill(std::numeric_limits<T>::max());
    v(0) = std::numeric_limits<T>::denorm_min();
    EXPECT_TRUE(all_finite(v.memptr(), n));
  }
}

TYPED_TEST(ElementwiseTest, SumsAndCombinations) {
  using T = TypeParam;
  for (const uword n : this->lengths) {
    const arma::Col<T> x = this->values(n, 1), y = this->values(n, 2);
    arma::Col<T> z = y;

    combine(T(0.5), x.memptr(), T(-0.25), z.memptr(), n);

    EXPECT_LE(relative_difference(this->wide(z), arma::mat(0.5 * this->wide(x) - 0.25 * this->wide(y))),
              tolerance<T>(1, 1));
    const double sum = arma::accu(arma::square(this->wide(x)));
    EXPECT_NEAR(squared_sum(x.memptr(), n), sum, 1e-13 * sum);
  }
}

TYPED_TEST(ElementwiseTest, DowndatesAreSymmetricToTheLastBit) {
  using T = TypeParam;
  for (const uword n : {1, 2, 7, 33, 250}) {
    const arma::Col<T> v = this->values(n, 1);
    const arma::Mat<T> S = arma::reshape(this->values(n * n, 2), n, n), before = S + S.t();
    arma::Mat<T> P = before;

    downdate(v.memptr(), T(1.25), P.memptr(), n);

    EXPECT_TRUE(identical(P, arma::Mat<T>(P.t())));
    EXPECT_LE(
        relative_difference(this->wide(P), arma::mat(1.25 * (this->wide(before) - this->wide(v) * this->wide(v).t()))),
        tolerance<T>(1, 1));
  }
}

TYPED_TEST(ElementwiseTest, ResultsDoNotDependOnTheNumberOfThreads) {
  using T = TypeParam;
  const uword n = 100003, order = 300;
  const auto on = [&](int count) {
    const Threads scope(count);
    arma::Col<T> y = this->values(n, 1), dy = this->values(n, 2), m = this->values(n, 3),
                 v = arma::square(this->values(n, 4));
    activate_signal(Activation::tanh, y.memptr(), n);
    times_slope(Activation::tanh, y.memptr(), dy.memptr(), n);
    adam_step({T(0.9), T(0.99), T(0.1), T(1.5), T(1e-3), T(0.5)}, dy.memptr(), m.memptr(), v.memptr(), y.memptr(), n);
    combine(T(0.3), dy.memptr(), T(0.7), m.memptr(), n);
    arma::Mat<T> P(order, order, arma::fill::eye);
    downdate(y.memptr(), T(1.1), P.memptr(), order);
    return arma::vec(arma::join_cols(this->wide(arma::join_cols(y, m, v)), arma::vectorise(this->wide(P)),
                                     arma::vec{squared_sum(y.memptr(), n)}));
  };

  EXPECT_TRUE(identical(on(1), on(2)));
}

// The slopes of the others are not there; nothing may end the program from within a parallel region.
TEST(TimesSlope, RefusesOtherActivations) {
  for (const uword n : {10, 100000}) {
    arma::vec y(n, arma::fill::zeros), dy(n, arma::fill::zeros);
    EXPECT_THROW(times_slope(Activation::gaussian, y.memptr(), dy.memptr(), n), std::logic_error);
  }
}

}  // namespace
}  // namespace elmx
