#include "features/fourier_features.hpp"

#include <gtest/gtest.h>

#include "features/feature_map.hpp"
#include "features/layers.hpp"
#include "support/framed.hpp"
#include "support/judge.hpp"
#include "support/problem.hpp"

namespace elmx {
namespace {

// Hoeffding: a mean of L products within [-2, 2] is off by more than t with probability 2 exp(-L t^2 / 8);
// here 1e-9 for each of 200 pairs.
TEST(FourierFeatures, TheirProductsAreTheGaussianKernel) {
  const uword L = 20000;
  const arma::mat X = normal_matrix(20, 3, 7, 1);
  for (const double gamma : {0.1, 0.5, 3.0}) {
    const FeatureMap<double>::Nodes nodes{
        HiddenNodes::draw(kFourier, Rng(3, Purpose::layer), 3, L, {-1, 1, 0, 1, gamma}), std::sqrt(2.0 / L)};
    const arma::mat A = columns_of(FeatureMap<double>(nodes), X), K = A * A.t();
    for (uword i = 0; i < 20; ++i) {
      for (uword j = 0; j < 20; ++j) {
        EXPECT_NEAR(K(i, j), std::exp(-gamma * arma::accu(arma::square(X.row(i) - X.row(j)))),
                    std::sqrt(8 * std::log(2e9) / L))
            << gamma;
      }
    }
  }
}

TEST(FourierFeatures, ANodeDoesNotDependOnTheOthers) {
  const RandomLayer few = fourier_features(Rng(3, Purpose::layer), 4, 3, 1),
                    many = fourier_features(Rng(3, Purpose::layer), 4, 9, 1);

  EXPECT_TRUE(identical(few.W, arma::mat(many.W.head_cols(3))));
}

}  // namespace
}  // namespace elmx
