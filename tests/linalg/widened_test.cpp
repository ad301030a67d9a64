#include <gtest/gtest.h>

#include "linalg/tall_matrix.hpp"
#include "support/judge.hpp"
#include "support/problem.hpp"

namespace elmx {
namespace {

TEST(Widened, ProductsAreThoseOfDouble) {
  for (const auto& [m, k, c] :
       std::vector<std::array<uword, 3>>{{1, 1, 1}, {300, 40, 3}, {40, 700, 1}, {523, 300, 10}}) {
    const arma::fmat A = arma::conv_to<arma::fmat>::from(normal_matrix(m, k, 1));
    const arma::mat wide = arma::conv_to<arma::mat>::from(A), X = normal_matrix(k, c, 2), E = normal_matrix(m, c, 3);
    arma::mat Z = E, C = X;
    wide_gemm(Op::none, -1.0, View<const float>(A), View<const double>(X), 1.0, View<double>(Z));
    wide_gemm(Op::transpose, 2.0, View<const float>(A), View<const double>(E), 0.0, View<double>(C));
    EXPECT_LE(relative_difference(Z, arma::mat(E - wide * X)), tolerance(m, k)) << m << " x " << k;
    EXPECT_LE(relative_difference(C, arma::mat(2 * wide.t() * E)), tolerance(m, k)) << m << " x " << k;
  }
}

TEST(Widened, MatrixShowsTheSameNumbers) {
  const arma::fmat A = arma::conv_to<arma::fmat>::from(normal_matrix(9000, 3, 1));
  const StoredMatrix<float> stored{View<const float>(A)};
  const WidenedMatrix wide(stored);
  arma::mat seen(9000, 2);
  wide.for_each_block(
      2, [&](uword first, View<const double> block) { seen.rows(first, first + block.rows - 1) = block.copy(); });
  EXPECT_TRUE(arma::all(arma::vectorise(seen == arma::conv_to<arma::mat>::from(A.head_cols(2)))));
}

}  // namespace
}  // namespace elmx
