#include <gtest/gtest.h>

#include "nets/layers.hpp"
#include "nets/layers/dense.hpp"

namespace elmx {
namespace {

TEST(LastStep, OutputsAreTheLastRowsAndOnlyTheyHaveAGradient) {
  for (const uword T : {1, 4}) {
    OpenNetwork open({T, 3});
    add_last_step(open.network);
    for (const uword M : {2, 5, 1}) {
      const arma::mat X = random_signal({T, 3}, M);

      EXPECT_EQ(open.network.output(), (Shape{1, 3}));
      EXPECT_EQ(
          relative_difference(outputs_of(open.network, X, M), arma::mat(X.submat(X.n_rows - M, 0, X.n_rows - 1, 2))),
          0);
      arma::mat expected(T * M, 3, arma::fill::zeros);
      expected.tail_rows(M) = normal_matrix(M, 3, 31);
      EXPECT_EQ(relative_difference(open.gradients(X, M, random_objective())[0], expected), 0);
      EXPECT_LE(gradient_error(open, X, M), 1e-6);
    }
  }
}

}  // namespace
}  // namespace elmx
