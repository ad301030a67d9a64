#include <gtest/gtest.h>

#include "nets/optimisers/optimiser.hpp"
#include "nets/optimisers/rls_by_definition.hpp"

namespace elmx {
namespace {

template <class T>
void expect_sgd_steps(const SgdOptions& options, double within) {
  LooseParameter<T> loose(normal_matrix(4, 3, 3));
  Parameter<T>& parameter = loose.parameter;
  Sgd<T> sgd(options, parameter);
  EXPECT_FALSE(parameter.needs.average || parameter.needs.factors);
  std::vector<long double> theta(parameter.Theta.begin(), parameter.Theta.end()), omega(12, 0);
  for (std::uint32_t s = 1; s <= 3; ++s) {
    loose.draw(2, s);
    const T clip = s == 2 ? T(0.25) : T(1);

    const arma::Mat<T> D = parameter.D;
    sgd.update(parameter, clip, s);

    arma::mat expected(4, 3), velocity(4, 3);
    for (std::size_t i = 0; i < 12; ++i) {
      omega[i] =
          options.momentum * omega[i] - options.rate * static_cast<long double>(clip) * static_cast<long double>(D(i));
      theta[i] += omega[i];
      expected(i) = static_cast<double>(theta[i]);
      velocity(i) = static_cast<double>(omega[i]);
    }
    EXPECT_LE(relative_difference(as<double>(parameter.Theta), expected), within) << s;
    EXPECT_LE(relative_difference(as<double>(arma::Mat<T>(sgd.state()[0].data(), 4, 3)), velocity), within) << s;
  }
}

TEST(Sgd, ThreeStepsByHand) {
  for (const double momentum : {0.0, 0.9}) {
    expect_sgd_steps<double>({0.1, momentum}, 1e-15);
    expect_sgd_steps<float>({0.1, momentum}, 1e-6);
  }
}

}  // namespace
}  // namespace elmx
