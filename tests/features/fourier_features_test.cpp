#include "features/fourier_features.hpp"

#include <gtest/gtest.h>

#include "features/feature_map.hpp"
#include "support/framed.hpp"
#include "support/judge.hpp"
#include "support/problem.hpp"

namespace elmx {
namespace {

arma::mat columns_of(const FeatureMap& map, const arma::mat& X) {
  arma::mat A(X.n_rows, map.columns());
  const arma::uvec all = arma::regspace<arma::uvec>(0, X.n_rows - 1);
  map.outputs(Inputs{X, all, Scaler::fit("none", X, all)}, 0, View<double>(A));
  return A;
}

// Hoeffding: a mean of L products within [-2, 2] is off by more than t with probability 2 exp(-L t^2 / 8); here 1e-9
// for each of 200 pairs.
TEST(FourierFeatures, TheirProductsAreTheGaussianKernel) {
  const uword L = 20000;
  const arma::mat X = normal_matrix(20, 3, 7, 1);
  for (const double gamma : {0.1, 0.5, 3.0}) {
    const FeatureMap::Nodes nodes{HiddenNodes::draw(kFourier, Rng(3, Purpose::layer), 3, L, {-1, 1, 0, 1, gamma}),
                                  std::sqrt(2.0 / L)};
    const arma::mat A = columns_of(FeatureMap(nodes), X), K = A * A.t();
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

// The first columns are the map of a smaller network, whatever it is composed of.
TEST(FeatureMap, AColumnDoesNotDependOnThoseAfterIt) {
  const arma::mat X = normal_matrix(700, 3, 7, 2);
  const Rng rng(3, Purpose::layer);
  const FeatureMap direct(FeatureMap::DirectLinks{3}), rbf(FeatureMap::Nodes{HiddenNodes::draw("rbf", rng, 3, 5, {})});
  const FeatureMap layers(
      FeatureMap::Layers{{HiddenNodes::draw("tanh", rng, 3, 8, {}), HiddenNodes::draw("sigmoid", rng, 11, 6, {})}});
  const FeatureMap map(FeatureMap::SideBySide{{direct, rbf, layers}});
  const arma::mat all = columns_of(map, X);
  const arma::uvec rows = arma::regspace<arma::uvec>(0, 699);

  ASSERT_EQ(map.columns(), 3u + 5 + 8 + 6);
  for (const uword k : {2u, 3u, 7u, 13u, 16u, 21u}) {
    arma::mat first(700, k);
    map.outputs(Inputs{X, rows, Scaler::fit("none", X, rows)}, 0, View<double>(first));
    EXPECT_LE(relative_difference(first, arma::mat(all.head_cols(k))), 1e-14) << k;
  }
}

TEST(FeatureMap, LayersAreFedByTheLayerBelowAndTheInputs) {
  const arma::mat X = normal_matrix(5000, 3, 7, 2);  // more than one block
  const Rng rng(3, Purpose::layer);
  const RandomLayer lower = RandomLayer::draw(rng, 3, 4, Activation::tanh, {}),
                    upper = RandomLayer::draw(rng, 7, 5, Activation::tanh, {});
  const std::vector<HiddenNodes> layers{HiddenNodes::draw("tanh", rng, 3, 4, {}),
                                        HiddenNodes::draw("tanh", rng, 7, 5, {})};

  const arma::mat one = arma::tanh(X * lower.W + arma::repmat(lower.b, 5000, 1));
  const arma::mat two = arma::tanh(arma::join_rows(one, X) * upper.W + arma::repmat(upper.b, 5000, 1));
  EXPECT_LE(
      relative_difference(columns_of(FeatureMap(FeatureMap::Layers{layers}), X), arma::mat(arma::join_rows(one, two))),
      1e-14);
  EXPECT_LE(relative_difference(columns_of(FeatureMap(FeatureMap::Layers{layers, true}), X), two), 1e-14);
  EXPECT_TRUE(identical(columns_of(FeatureMap(FeatureMap::DirectLinks{3}), X), X));
}

}  // namespace
}  // namespace elmx
