#include <gtest/gtest.h>

#include "nets/layers.hpp"
#include "nets/layers/convolution.hpp"

namespace elmx {
namespace {

struct PoolCase {
  Shape input;
  MaxPoolOptions options;
  uword M;
};
void PrintTo(const PoolCase& c, std::ostream* out) {
  *out << c.input.channels << "x" << c.input.rows << "x" << c.input.cols << "_by_" << c.options.rows << "x"
       << c.options.cols << "_s" << c.options.stride << "_M" << c.M;
}

class MaxPoolTest : public testing::TestWithParam<PoolCase> {
 protected:
  const Shape input = GetParam().input;
  const MaxPoolOptions options = GetParam().options;
  const uword M = GetParam().M;
  const uword rows = (input.rows - options.rows) / options.stride + 1,
              cols = (input.cols - options.cols) / options.stride + 1;
};

INSTANTIATE_TEST_SUITE_P(Each, MaxPoolTest,
                         testing::Values(PoolCase{{1, 2, 4, 6}, {2, 2, 2}, 7}, PoolCase{{1, 3, 7, 5}, {3, 3, 2}, 7},
                                         PoolCase{{1, 2, 4, 5}, {2, 3, 1}, 3}, PoolCase{{1, 1, 5, 6}, {2, 2, 2}, 1},
                                         PoolCase{{1, 2, 8, 7}, {2, 2, 3}, 2}, PoolCase{{1, 2, 3, 4}, {3, 4, 1}, 5},
                                         PoolCase{{1, 4, 1, 1}, {1, 1, 1}, 2}));

template <class T>
void expect_largest(const PoolCase& c, uword rows, uword cols, const arma::Mat<T>& X) {
  Network<T> network(c.input);
  add_pool(network, c.options);

  const arma::Mat<T> Y = outputs_of(network, X, c.M);

  EXPECT_EQ(network.output(), (Shape{1, c.input.channels, rows, cols}));
  for (uword m = 0; m < c.M; ++m) {
    for (uword channel = 0; channel < c.input.channels; ++channel) {
      for (uword u = 0; u < rows; ++u) {
        for (uword v = 0; v < cols; ++v) {
          T largest = -std::numeric_limits<T>::infinity();
          for (uword i = 0; i < c.options.rows; ++i) {
            for (uword j = 0; j < c.options.cols; ++j) {
              largest = std::max(largest, X(m, (channel * c.input.rows + u * c.options.stride + i) * c.input.cols +
                                                   v * c.options.stride + j));
            }
          }
          ASSERT_EQ(Y(m, (channel * rows + u) * cols + v), largest);
        }
      }
    }
  }
}

TEST_P(MaxPoolTest, OutputsAreTheLargestOfTheWindows) {
  const arma::mat X = random_signal(input, M);
  expect_largest<double>(GetParam(), rows, cols, X);
  expect_largest<float>(GetParam(), rows, cols, as<float>(X));
  expect_largest<double>(GetParam(), rows, cols, with_ones(arma::mat(normal_matrix(M, input.features(), 4) - 100)));
}

TEST_P(MaxPoolTest, GradientsAreTheCentralDifferences) {
  OpenNetwork open(input);
  add_pool(open.network, options);

  EXPECT_LE(gradient_error(open, random_signal(input, M), M), 1e-6);
}

// Of equal entries the first of the window, row by row, has the gradient.
TEST(MaxPool, TheFirstOfEqualEntriesHasTheGradient) {
  OpenNetwork open({1, 1, 2, 3});
  add_pool(open.network, {2, 3, 1});
  const arma::mat X = with_ones(arma::mat{{1, 2, 2, 2, 0, 2}, {5, 5, 5, 5, 5, 5}, {0, 0, 0, 0, 0, 1}});

  const arma::mat dX = open.gradients(X, 3, [](const arma::mat& Z, arma::mat& dZ) {
    dZ = arma::vec{10, 20, 30};
    return arma::accu(Z % dZ);
  })[0];

  EXPECT_EQ(arma::accu(arma::abs(dX - arma::mat{{0, 10, 0, 0, 0, 0}, {20, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 30}})), 0);
}

TEST(MaxPool, ASmallerBatchAfterALargerOne) {
  OpenNetwork open({1, 2, 4, 4});
  add_pool(open.network, {3, 3, 1});

  for (const uword M : {2, 300, 1, 9}) EXPECT_LE(gradient_error(open, random_signal({1, 2, 4, 4}, M, M), M), 1e-6);
}

// A diverged network shows wherever in the window it is.
TEST(MaxPool, WhatIsNotANumberIsNotOverlooked) {
  for (uword k = 0; k < 4; ++k) {
    Network<double> network({1, 1, 2, 2});
    add_pool(network, {2, 2, 2});
    arma::mat X = with_ones(arma::mat(arma::rowvec{1, 2, 3, 4}));
    X(k) = arma::datum::nan;

    EXPECT_TRUE(outputs_of(network, X, 1).has_nan()) << k;
  }
}

TEST(MaxPool, RefusesAWindowLargerThanTheImage) {
  EXPECT_THROW(MaxPool<double>({1, 2, 2, 3}, {3, 3, 1}), std::logic_error);
  EXPECT_THROW(MaxPool<double>({1, 2, 3, 2}, {3, 3, 1}), std::logic_error);
  EXPECT_THROW(MaxPool<double>({1, 2, 3, 3}, {3, 3, 0}), std::logic_error);
}

TEST(MaxPool, RefusesRowsOfALargerMatrix) {
  MaxPool<double> pool({1, 1, 2, 2}, {2, 2, 2});
  const arma::mat X = random_signal({1, 1, 2, 2}, 5);

  EXPECT_THROW(pool.forward(View<const double>(X).block(1, 0, 3, 5), 3), std::logic_error);
}

}  // namespace
}  // namespace elmx
