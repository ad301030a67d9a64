#include <gtest/gtest.h>

#include "nets/optimisers/optimiser.hpp"
#include "nets/optimisers/rls_by_definition.hpp"

namespace elmx {
namespace {

using Wide = std::vector<long double>;

/// Section 3.6 in long double, entry by entry, with the options and gradients rounded to T.
template <class T>
void expect_steps(const AdamOptions& options, double within) {
  LooseParameter<T> loose(normal_matrix(4, 3, 3));
  Parameter<T>& parameter = loose.parameter;
  Adam<T> adam(options, parameter);
  EXPECT_FALSE(parameter.needs.average || parameter.needs.factors);
  Wide theta(parameter.Theta.begin(), parameter.Theta.end()), m(12, 0), v(12, 0);
  const long double beta1 = options.beta1, beta2 = options.beta2;
  for (std::uint32_t s = 1; s <= 3; ++s) {
    loose.draw(2, s);
    const T clip = s == 2 ? T(0.25) : T(1);
    for (std::size_t i = 0; i < 12; ++i) {
      const long double g = static_cast<long double>(clip) * static_cast<long double>(parameter.D(i));
      m[i] = beta1 * m[i] + (1 - beta1) * g;
      v[i] = beta2 * v[i] + (1 - beta2) * g * g;
      theta[i] -= options.rate / (1 - std::pow(beta1, s)) * m[i] /
                  (std::sqrt(v[i]) / std::sqrt(1 - std::pow(beta2, s)) + options.epsilon);
    }

    adam.update(parameter, clip, s);

    const auto near = [&](const arma::Mat<T>& found, const Wide& expected) {
      const arma::vec values(std::vector<double>(expected.begin(), expected.end()));
      return relative_difference(as<double>(found), arma::mat(arma::reshape(values, 4, 3))) <= within;
    };
    EXPECT_TRUE(near(parameter.Theta, theta)) << s;
    EXPECT_TRUE(near(arma::Mat<T>(adam.state()[0].data(), 4, 3), m)) << s;
    EXPECT_TRUE(near(arma::Mat<T>(adam.state()[1].data(), 4, 3), v)) << s;
  }
}

TEST(Adam, ThreeStepsByHand) {
  expect_steps<double>({}, 1e-14);
  expect_steps<double>({0.3, 0.7, 0.8, 0.2}, 1e-14);
  expect_steps<float>({0.3, 0.5, 0.75, 0.2}, 1e-6);
  expect_steps<float>({}, 2e-5);  // 1 - 0.999 of a rounded 0.999
}

// The first step of every entry is the rate, whatever the gradient: m / sqrt(v) = sgn(g).
TEST(Adam, TheFirstStepHasTheLengthOfTheRate) {
  LooseParameter<> loose(arma::mat(3, 2, arma::fill::zeros));
  Adam<double> adam({0.01, 0.9, 0.999, 0}, loose.parameter);
  loose.draw(5, 1);

  adam.update(loose.parameter, 1, 1);

  EXPECT_LE(relative_difference(loose.parameter.Theta, arma::mat(-0.01 * arma::sign(loose.parameter.D))), 1e-13);
}

TEST(Adam, WithoutAGradientNothingMoves) {
  LooseParameter<> loose(arma::mat(3, 2, arma::fill::ones));
  Adam<double> adam({}, loose.parameter);
  loose.parameter.D.zeros(3, 2);

  adam.update(loose.parameter, 1, 1);

  EXPECT_EQ(arma::accu(arma::abs(loose.parameter.Theta - 1)), 0);
}

}  // namespace
}  // namespace elmx
