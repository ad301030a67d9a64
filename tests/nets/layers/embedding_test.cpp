#include <gtest/gtest.h>

#include "nets/layers.hpp"
#include "nets/layers/dense.hpp"

namespace elmx {
namespace {

template <class T>
void expect_rows() {
  const arma::Mat<T> table = as<T>(normal_matrix(6, 4, 5));
  Network<T> network({3, 1});
  network.add(std::make_unique<Embedding<T>>(Shape{3, 1}, table));
  for (const uword M : {2, 1, 3}) {
    arma::Mat<T> tokens(3 * M, 1);
    for (uword i = 0; i < tokens.n_elem; ++i) tokens(i) = static_cast<T>((5 * i + 1) % 6);

    const arma::Mat<T> Y = outputs_of(network, with_ones(tokens), M);

    EXPECT_EQ(network.output(), (Shape{3, 4}));
    ASSERT_EQ(Y.n_rows, 3 * M);
    for (uword i = 0; i < Y.n_rows; ++i)
      EXPECT_EQ(relative_difference(arma::Mat<T>(Y.row(i)), arma::Mat<T>(table.row((5 * i + 1) % 6))), 0);
  }
}

TEST(Embedding, AStepIsTheRowOfItsToken) {
  expect_rows<double>();
  expect_rows<float>();
}

TEST(Embedding, RefusesTokensThatAreNotInTheTable) {
  Embedding<double> embedding({1, 1}, arma::mat(6, 4, arma::fill::ones));
  const arma::mat last{{5, 1}}, none{{6, 1}};

  EXPECT_NO_THROW(embedding.forward(last, 1));
  EXPECT_THROW(embedding.forward(none, 1), std::logic_error);
  EXPECT_THROW(Embedding<double>({1, 2}, arma::mat(6, 4)), std::logic_error);
}

TEST(Embedding, RefusesToHandAGradientOn) {
  OpenNetwork open({2, 1});
  open.network.add(std::make_unique<Embedding<double>>(Shape{2, 1}, arma::mat(6, 4, arma::fill::ones)));

  EXPECT_THROW(open.gradients(arma::mat(4, 2, arma::fill::ones), 2, random_objective()), std::logic_error);
}

TEST(Embedding, BeforeAnLstmTheGradientsAreTheCentralDifferences) {
  const arma::mat table = normal_matrix(6, 4, 5), tokens = with_ones(arma::mat(arma::vec{0, 5, 2, 3, 1, 0}));
  Network<double> network({3, 1});
  network.add(std::make_unique<Embedding<double>>(Shape{3, 1}, table));
  add_lstm(network, 3);
  OpenNetwork open({3, 4});  // the same on the vectors themselves, which begins with an Entry
  open.network.add(std::make_unique<Lstm<double>>(Shape{3, 4}, *network.parameters()[0], *network.parameters()[1]));
  arma::mat vectors(6, 4), dZ;
  for (uword i = 0; i < 6; ++i) vectors.row(i) = table.row(static_cast<uword>(tokens(i, 0)));

  random_objective()(outputs_of(network, tokens, 2), dZ);
  network.backward(View<double>(dZ));
  const auto expected = open.gradients(with_ones(vectors), 2, random_objective());

  for (const std::size_t i : {0, 1}) EXPECT_EQ(relative_difference(network.parameters()[i]->D, expected[i + 1]), 0);
  EXPECT_LE(gradient_error(open, with_ones(vectors), 2), 1e-6);
}

}  // namespace
}  // namespace elmx
