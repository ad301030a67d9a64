#include "features/feature_map.hpp"

#include <gtest/gtest.h>

#include "features/layers.hpp"
#include "support/framed.hpp"
#include "support/judge.hpp"
#include "support/problem.hpp"

namespace elmx {
namespace {

using Map = FeatureMap<double>;

// The first columns are the map of a smaller network, whatever it is composed of.
TEST(FeatureMap, AColumnDoesNotDependOnThoseAfterIt) {
  const arma::mat X = normal_matrix(700, 3, 7, 2);
  const Rng rng(3, Purpose::layer);
  const Map direct(Map::DirectLinks{3}), rbf(Map::Nodes{HiddenNodes::draw("rbf", rng, 3, 5, {})});
  const Map layers(
      Map::Layers{{HiddenNodes::draw("tanh", rng, 3, 8, {}), HiddenNodes::draw("sigmoid", rng, 11, 6, {})}});
  const Map map(Map::SideBySide{{direct, rbf, layers}});
  const arma::mat all = columns_of(map, X);
  const arma::uvec rows = arma::regspace<arma::uvec>(0, 699);

  ASSERT_EQ(map.columns(), 3u + 5 + 8 + 6);
  for (const uword k : {2u, 3u, 7u, 13u, 16u, 21u}) {
    arma::mat first(700, k);
    map.outputs(Inputs{X, rows, Scaler::fit("none", X, rows)}, 0, View<double>(first));
    EXPECT_LE(relative_difference(first, arma::mat(all.head_cols(k))), 1e-14) << k;
  }
}

TEST(FeatureMap, SomeColumnsAreThoseOfTheWholeMap) {
  const arma::mat X = normal_matrix(700, 3, 7, 2);
  const Rng rng(3, Purpose::layer);
  const Map map(Map::SideBySide{{Map(Map::DirectLinks{3}), Map(Map::Nodes{HiddenNodes::draw("rbf", rng, 3, 5, {})}),
                                 Map(Map::Layers{{HiddenNodes::draw("tanh", rng, 3, 8, {})}})}});
  const arma::mat all = columns_of(map, X);
  const arma::uvec rows = arma::regspace<arma::uvec>(0, 699);

  for (const arma::uvec& columns : {arma::uvec{0, 2, 4, 9, 15}, arma::uvec{3, 7}, arma::uvec{1, 8}, arma::uvec{14}}) {
    arma::mat some(700, columns.n_elem);
    map.outputs_of(columns, Inputs{X, rows, Scaler::fit("none", X, rows)}, 0, View<double>(some));
    EXPECT_LE(relative_difference(some, arma::mat(all.cols(columns))), 1e-14) << columns.t();
  }
}

TEST(FeatureMap, LayersAreFedByTheLayerBelowAndTheInputs) {
  const arma::mat X = normal_matrix(5000, 3, 7, 2);  // more than one block
  const Rng rng(3, Purpose::layer);
  const HiddenNodes lower = HiddenNodes::draw("tanh", rng, 3, 4, {}), upper = HiddenNodes::draw("tanh", rng, 7, 5, {});
  const std::vector<HiddenNodes> layers{lower, upper};

  const arma::mat one = arma::tanh(X * lower.W + arma::repmat(lower.b, 5000, 1));
  const arma::mat two = arma::tanh(arma::join_rows(one, X) * upper.W + arma::repmat(upper.b, 5000, 1));
  EXPECT_LE(relative_difference(columns_of(Map(Map::Layers{layers}), X), arma::mat(arma::join_rows(one, two))), 1e-14);
  EXPECT_LE(relative_difference(columns_of(Map(Map::Layers{layers, true}), X), two), 1e-14);
  EXPECT_TRUE(identical(columns_of(Map(Map::DirectLinks{3}), X), X));
}

// Broad features beside direct links are [X, feature nodes, enhancement nodes], and what is fitted is shared
// by copies.
TEST(FeatureMap, BroadFeaturesStandBesideOtherMaps) {
  const arma::mat X = normal_matrix(700, 3, 7, 2);
  const arma::uvec all = arma::regspace<arma::uvec>(0, X.n_rows - 1);
  arma::mat Z;
  const auto broad = std::make_shared<const BroadFeatures<double>>(
      BroadFeatureMap{.group = 3}, std::vector<BroadStep>{{2, 0, 4}, {1, 2, 3}},
      Inputs{X, all, Scaler::fit("none", X, all)}, Rng(3, Purpose::layer), Z);
  arma::mat A(X.n_rows, 18);
  broad->expand(Z, View<double>(A));

  const Map map(Map::SideBySide{{Map(Map::DirectLinks{3}), Map(broad)}});

  ASSERT_EQ(map.columns(), 3u + 18);
  EXPECT_LE(relative_difference(columns_of(map, X), arma::mat(arma::join_rows(X, A))), 1e-14);
}

}  // namespace
}  // namespace elmx
