#include "features/activation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "base/error.hpp"
#include "support/thrown.hpp"

namespace elmx {
namespace {

/// f(v) by the standard library in long double; the square of the gaussian is rounded as T does.
template <class T>
long double exact(Activation activation, T v) {
  const auto x = static_cast<long double>(v);
  const auto square = static_cast<long double>(static_cast<T>(v * v));
  switch (activation) {
    case Activation::gaussian:
      return std::exp(-square);
    case Activation::sigmoid:
      return 1 / (1 + std::exp(-x));
    case Activation::hardlim:
      return v >= 0 ? 1 : 0;
    case Activation::triangular:
      return std::max(0.0L, 1 - std::abs(x));
    case Activation::sine:
      return std::sin(x);
    case Activation::linear:
      return x;
    case Activation::tanh:
      return std::tanh(x);
    case Activation::relu:
      return std::max(0.0L, x);
  }
  return 0;
}

/// |f - exact| in units in the last place of the exact value, which may be taken for 0 below the smallest
/// normal number.
template <class T>
double units(T f, long double value) {
  const auto least = static_cast<long double>(std::numeric_limits<T>::min());
  const long double unit =
      std::max(std::abs(value) * static_cast<long double>(std::numeric_limits<T>::epsilon()), least);
  return static_cast<double>(std::abs(static_cast<long double>(f) - value) / unit);
}

/// Both signs of what is dense around 0, of every magnitude that T has, and of the edges where exp overflows
/// or underflows.
template <class T>
std::vector<T> grid() {
  std::vector<T> v;
  for (int i = 0; i <= 4000; ++i) v.push_back(static_cast<T>(i) / 200);
  for (T x = std::numeric_limits<T>::denorm_min(); x < std::numeric_limits<T>::max() / 4; x *= T(1.7)) {
    v.push_back(x);
    if (x * T(1.7) <= x) x *= 2;
  }
  for (const double edge : {1.0, 9.0, 27.3, 37.0, 44.0, 87.3, 88.7, 88.8, 103.9, 104.1, 708.3, 709.7, 709.8, 744.4,
                            745.2, 746.0, 1e5, 3e38}) {
    v.push_back(static_cast<T>(edge));
    v.push_back(std::nextafter(static_cast<T>(edge), T(0)));
  }
  for (int i = -40; i <= 40; ++i) v.push_back(static_cast<T>(i * 3.14159265358979323846 / 2));
  const std::size_t n = v.size();
  for (std::size_t i = 0; i < n; ++i) v.push_back(-v[i]);
  return v;
}

template <class T>
class ActivationTest : public testing::Test {};
using Reals = testing::Types<double, float>;
TYPED_TEST_SUITE(ActivationTest, Reals);

TYPED_TEST(ActivationTest, IsItsFormulaToFourUnitsInTheLastPlace) {
  using T = TypeParam;
  const std::vector<T> v = grid<T>();
  for (const ActivationInfo& row : activations()) {
    std::vector<T> f = v;

    activate(row.activation, f.data(), f.size(), T(0));

    double worst = 0;
    T at = 0;
    for (std::size_t i = 0; i < v.size(); ++i) {
      const double off = units(f[i], exact(row.activation, v[i]));
      if (!(off <= worst)) {
        worst = off;
        at = v[i];
      }
      if (std::isnan(off)) break;  // the worst of all, whatever comes
    }
    EXPECT_LE(worst, 4) << row.name << " at v = " << at;
  }
}

TYPED_TEST(ActivationTest, EveryLengthIsRightUpToItsEndAndNoFurther) {
  using T = TypeParam;
  const T mark = T(-12345.5), bias = T(0.375);
  for (const ActivationInfo& row : activations()) {
    for (std::size_t n = 0; n <= 37; ++n) {
      for (std::size_t offset = 0; offset < 3; ++offset) {  // unaligned too
        std::vector<T> f(n + 24, mark);
        for (std::size_t i = 0; i < n; ++i) f[offset + i] = static_cast<T>(i) * T(0.17) - 3;
        const std::vector<T> before = f;

        activate(row.activation, f.data() + offset, n, bias);

        for (std::size_t i = 0; i < f.size(); ++i) {
          if (i < offset || i >= offset + n) {
            ASSERT_EQ(f[i], mark) << row.name << ", length " << n;
          } else {
            const T v = static_cast<T>(before[i] + bias);
            ASSERT_LE(units(f[i], exact(row.activation, v)), 4) << row.name << " of " << v << ", length " << n;
          }
        }
      }
    }
  }
}

TYPED_TEST(ActivationTest, AtTheJumpOfHardlimIsOne) {
  using T = TypeParam;
  const T least = std::numeric_limits<T>::min();
  std::vector<T> v = {T(0), -T(0), least, -least};

  activate(Activation::hardlim, v.data(), v.size(), T(0));

  EXPECT_EQ(v, (std::vector<T>{1, 1, 1, 0}));
}

TEST(Activation, ValuesByHand) {
  const auto at = [](Activation activation, double v) {
    activate(activation, &v, 1, 1.0);
    return v;
  };

  EXPECT_DOUBLE_EQ(at(Activation::gaussian, 0), std::exp(-1.0));
  EXPECT_EQ(at(Activation::sigmoid, -1), 0.5);
  EXPECT_EQ(at(Activation::triangular, -0.75), 0.75);
  EXPECT_EQ(at(Activation::triangular, -3), 0);
  EXPECT_EQ(at(Activation::linear, 1.5), 2.5);
  EXPECT_EQ(at(Activation::relu, -3), 0);
  EXPECT_EQ(at(Activation::relu, 3), 4);
  EXPECT_DOUBLE_EQ(at(Activation::tanh, 0), std::tanh(1.0));
  EXPECT_DOUBLE_EQ(at(Activation::sine, 0), std::sin(1.0));
}

TEST(Activation, EveryNameIsFoundAgain) {
  for (const ActivationInfo& row : activations()) EXPECT_EQ(activation_from(row.name), row.activation) << row.name;
}

TEST(Activation, AnUnknownNameIsRefusedWithTheNearest) {
  EXPECT_NE(thrown<ConfigError>([] { activation_from("gausian"); }).find("\"gaussian\""), std::string::npos);
}

}  // namespace
}  // namespace elmx
