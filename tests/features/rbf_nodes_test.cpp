#include <gtest/gtest.h>

#include <cmath>

#include "features/hidden_nodes.hpp"
#include "features/layers.hpp"
#include "support/framed.hpp"
#include "support/golden.hpp"
#include "support/judge.hpp"
#include "support/problem.hpp"
#include "support/semi_supervised.hpp"
#include "support/threads.hpp"

namespace elmx {
namespace {

const NodeRanges kUnit{0, 1, 0, 1};

Inputs unscaled(const arma::mat& X) {
  const arma::uvec rows = arma::regspace<arma::uvec>(0, X.n_rows - 1);
  return {X, rows, Scaler::fit("none", X, rows)};
}

arma::mat outputs_of(const HiddenNodes& layer, const Inputs& inputs) {
  arma::mat H(inputs.samples(), layer.W.n_cols);
  layer.outputs(inputs, 0, View<double>(H));
  return H;
}

TEST(RbfNodes, OutputsAreTheDefinition) {
  for (const auto& [samples, inputs, nodes] :
       std::vector<std::array<uword, 3>>{{1, 1, 1}, {30, 4, 7}, {511, 3, 5}, {513, 3, 5}, {700, 21, 18}, {1, 9, 33}}) {
    const arma::mat X = normal_matrix(samples, inputs, 17, 1);
    const HiddenNodes layer("rbf", normal_matrix(inputs, nodes, 17, 2), arma::abs(normal_matrix(1, nodes, 17, 3)));
    Framed<double> H(arma::mat(samples, nodes));

    layer.outputs(unscaled(X), 0, H.view());

    // ||a||^2 + ||x||^2 - 2 a'x has an error of (d + 2) eps (||a|| + ||x||)^2, times b in the exponent; exp
    // and sqrt a few eps.
    const double reach = arma::abs(X).max() + arma::abs(layer.W).max(), d = static_cast<double>(inputs);
    const double error = (d + 4) * arma::datum::eps * (1 + layer.b.max() * d * reach * reach);
    EXPECT_LE(arma::abs(H.content() - rbf_by_definition(X, layer.W, layer.b)).max(), error)
        << samples << " x " << inputs << " x " << nodes;
    EXPECT_FALSE(H.touched());
  }
}

TEST(RbfNodes, AgreesWithStoredValues) {
  const StoredValues golden("models", "s3elm_basic");
  const arma::mat X = matrix_from(golden.input["X"]), A = matrix_from(golden.input["A_nodes"]);
  const arma::rowvec b = vector_from(golden.input["b_nodes"]).t();
  arma::mat sigmoid(X.n_rows, A.n_cols);

  HiddenNodes("sigmoid", A, b).outputs(unscaled(X), 0, View<double>(sigmoid));

  EXPECT_TRUE(golden.agrees(outputs_of({"rbf", A, b}, unscaled(X)), matrix_from(golden.expected["H_rbf"])));
  EXPECT_TRUE(golden.agrees(sigmoid, matrix_from(golden.expected["H_sigmoid"])));
  EXPECT_FALSE(
      golden.agrees(outputs_of({"rbf", A, b * (1 + 1e-9)}, unscaled(X)), matrix_from(golden.expected["H_rbf"])));
}

// Far from the origin ||a||^2 + ||x||^2 - 2 a'x is rounding, of either sign.
TEST(RbfNodes, IsOneWhereASampleIsTheCentre) {
  const arma::mat X = normal_matrix(200, 3, 17, 1) + 1000;

  const arma::mat H = outputs_of({"rbf", X.t(), arma::rowvec(200, arma::fill::ones)}, unscaled(X));

  EXPECT_TRUE(H.is_finite());
  EXPECT_LE(H.max(), 1);
  EXPECT_GE(H.diag().min(), 1 - 1e-8) << "10 eps ||x||^2 = 7e-9";
}

TEST(RbfNodes, SeesScaledSamplesInTheirOrder) {
  const arma::mat X = 10 * normal_matrix(60, 4, 17, 1);
  const arma::uvec rows{7, 3, 3, 59, 0};
  const Inputs seen{X, rows, Scaler::fit("minus_one_one", X, arma::regspace<arma::uvec>(0, 30))};
  const HiddenNodes layer = HiddenNodes::draw("rbf", kRng, 4, 6, kUnit);
  arma::mat late(2, 6);

  layer.outputs(seen, 3, View<double>(late));

  const arma::mat exact = rbf_by_definition(seen.scaler.apply(X, rows), layer.W, layer.b);
  EXPECT_LE(relative_difference(outputs_of(layer, seen), exact), 10 * tolerance(4, 6)) << "||a||^2 + ||x||^2 below 10";
  EXPECT_LE(relative_difference(late, arma::mat(exact.rows(3, 4))), 10 * tolerance(4, 6));
}

TEST(RbfNodes, DrawsWhatAdditiveNodesDraw) {
  const HiddenNodes few = HiddenNodes::draw("rbf", kRng, 5, 3, kUnit),
                    many = HiddenNodes::draw("rbf", kRng, 5, 40, kUnit);
  const HiddenNodes of_sigmoids = HiddenNodes::draw("sigmoid", kRng, 5, 40, kUnit);

  EXPECT_TRUE(identical(many.W, of_sigmoids.W));
  EXPECT_TRUE(identical(many.b, of_sigmoids.b));
  EXPECT_TRUE(identical(few.W, arma::mat(many.W.head_cols(3))));
  EXPECT_GE(many.b.min(), 0);
}

TEST(RbfNodes, DoesNotDependOnTheNumberOfThreads) {
  const arma::mat X = normal_matrix(3000, 11, 17, 1);
  const HiddenNodes layer = HiddenNodes::draw("rbf", kRng, 11, 37, kUnit);
  const auto on = [&](int count) {
    const Threads scope(count);
    return outputs_of(layer, unscaled(X));
  };

  EXPECT_TRUE(identical(on(1), on(2)));
}

TEST(RbfNodes, RefusesMoreThanThereIs) {
  const arma::mat X = normal_matrix(10, 3, 17, 1), other = normal_matrix(10, 2, 17, 1);
  const HiddenNodes layer = HiddenNodes::draw("rbf", kRng, 3, 4, kUnit);
  arma::mat nodes(10, 5), samples(11, 4), late(10, 4);

  EXPECT_THROW(layer.outputs(unscaled(X), 0, View<double>(nodes)), std::logic_error);
  EXPECT_THROW(layer.outputs(unscaled(X), 0, View<double>(samples)), std::logic_error);
  EXPECT_THROW(layer.outputs(unscaled(X), 1, View<double>(late)), std::logic_error);
  EXPECT_THROW(layer.outputs(unscaled(other), 0, View<double>(late)), std::logic_error);
}

}  // namespace
}  // namespace elmx
