#include "cluster/distributed_gram.hpp"

#include <gtest/gtest.h>

#include <type_traits>

#include "cluster/shared_problem.hpp"
#include "cluster/whole.hpp"
#include "linalg/blas.hpp"
#include "linalg/block_cyclic.hpp"
#include "linalg/distributed_inverse_ldl.hpp"
#include "support/definite.hpp"

namespace elmx {
namespace {

constexpr std::array<uword, 6> kGrowth{1, 8, 32, 45, 97, 150};

template <class T>
class DistributedGramTest : public testing::Test {
 protected:
  const Problem<T> problem_ = make_problem<T>(90, 150, 2, 1e3, 4);

  /// What G with the parameter lambda is at n nodes, in double.
  arma::mat ridge_matrix(uword n, double lambda) const {
    const arma::mat H = arma::conv_to<arma::mat>::from(arma::Mat<T>(problem_.H.head_cols(n)));
    return H.t() * H + lambda * arma::eye(n, n);
  }

  /// G by one process: sums over blocks of samples in order, a product for each piece of a block of the array
  /// that new rows meet. No number of ranks is in it.
  arma::Mat<T> lower_by_blocks() const {
    const uword n = problem_.H.n_cols, N = problem_.H.n_rows, width = distributed_block(n);
    const View<const T> H(problem_.H);
    arma::Mat<T> G(n, n);
    uword first = 0;
    for (const uword size : kGrowth) {
      for (uword row = first; row < size; row = std::min(size, (row / width + 1) * width)) {
        const uword rows = std::min(size, (row / width + 1) * width) - row;
        for (uword col = 0; col < row + rows; col += width) {
          const uword cols = std::min(width, row + rows - col);
          arma::Mat<T> sum(rows, cols);
          for (uword s = 0; s < N; s += SharedProblem<T>::kBlock) {
            const uword samples = std::min(SharedProblem<T>::kBlock, N - s);
            gemm(Op::transpose, Op::none, T(1), H.block(s, row, samples, rows), H.block(s, col, samples, cols), T(1),
                 View<T>(sum));
          }
          G.submat(row, col, arma::size(rows, cols)) = sum;
        }
      }
      first = size;
    }
    return arma::trimatl(G);
  }
};

using BothTypes = testing::Types<double, float>;
TYPED_TEST_SUITE(DistributedGramTest, BothTypes);

TYPED_TEST(DistributedGramTest, OverNodesItHasTheBitsOfOneProcessForAnyNumberOfRanks) {
  using T = TypeParam;
  const SharedProblem<T> shared(this->problem_, GramOver::nodes);
  DistributedGram<T> gram(150, shared.samples());

  for (const uword size : kGrowth) gram.extend(size - gram.columns());

  DistributedMatrix<T> R(150);
  gram.ridge_matrix(0, 0, R);
  const arma::Mat<T> expected = this->lower_by_blocks();
  EXPECT_TRUE(identical(below_diagonal(whole(gram.array())), below_diagonal(expected)));
  EXPECT_TRUE(identical(arma::Mat<T>(arma::trimatu(whole(R))), arma::Mat<T>(expected.t())));
  EXPECT_TRUE(same_on_all_ranks(gram.cross()));
}

TYPED_TEST(DistributedGramTest, GrownInOddStepsItIsItsDefinitionAtEverySize) {
  using T = TypeParam;
  constexpr double kLambda = 0.5;
  const arma::mat Y = arma::conv_to<arma::mat>::from(this->problem_.T);
  for (const GramOver over : {GramOver::nodes, GramOver::samples}) {
    const SharedProblem<T> shared(this->problem_, over);
    DistributedGram<T> gram(150, shared.samples());
    DistributedMatrix<T> R(150);
    uword first = 0;
    for (const uword size : kGrowth) {
      gram.extend(size - first);
      gram.ridge_matrix(kLambda, first, R);

      const arma::mat expected = this->ridge_matrix(size, kLambda);
      const double eps = tolerance<T>(90, size);
      const arma::Mat<T> upper = arma::trimatu(whole(R).submat(0, 0, arma::size(size, size)));
      EXPECT_LE(relative_difference<double>(symmetric(upper), expected), eps) << size;
      const arma::mat H = arma::conv_to<arma::mat>::from(arma::Mat<T>(this->problem_.H.head_cols(size)));
      const arma::mat cross = arma::conv_to<arma::mat>::from(gram.cross());
      EXPECT_LE(frobenius(cross - H.t() * Y), eps * frobenius(H) * frobenius(Y)) << size;
      EXPECT_TRUE(same_on_all_ranks(gram.cross()));
      first = size;
    }
  }
}

TYPED_TEST(DistributedGramTest, WholeColumnsAreThoseOfTheArrayAndEarlierOnesAreLeft) {
  using T = TypeParam;
  constexpr double kLambda = 0.5;
  const SharedProblem<T> shared(this->problem_, GramOver::samples);
  DistributedGram<T> gram(150, shared.samples());
  gram.extend(150);
  DistributedMatrix<T> R(150);
  gram.ridge_matrix(kLambda, 0, R);
  const arma::Mat<T> expected = arma::trimatu(whole(R));
  for (const uword block : {uword(1), uword(7), uword(64)}) {
    for (const uword first : {uword(0), uword(45), uword(150)}) {
      const BlockCyclic layout = columns_of(ranks(), block);
      arma::Mat<T> S(150, layout.count(150));
      S.fill(-1);

      gram.ridge_columns(kLambda, first, layout, View<T>(S));

      arma::Mat<T> all(150, 150);
      for (uword j = 0; j < S.n_cols; ++j) all.col(layout.global(j)) = S.col(j);
      ranks().sum(all.memptr(), all.n_elem);
      for (uword j = 0; j < 150; ++j) {
        const arma::Col<T> column =
            j < first ? arma::Col<T>(j + 1, arma::fill::value(T(-1))) : arma::Col<T>(expected.col(j).head(j + 1));
        EXPECT_TRUE(identical(arma::Mat<T>(all.col(j).head(j + 1)), arma::Mat<T>(column))) << block << ", " << j;
      }
    }
  }
}

TYPED_TEST(DistributedGramTest, AnewItIsWhatItWasAndHasRoomForItsOwnFactor) {
  using T = TypeParam;
  const SharedProblem<T> shared(this->problem_, GramOver::samples);
  DistributedGram<T> grown(150, shared.samples()), anew(150, shared.samples());
  grown.extend(45);
  anew.extend(7);

  anew.restart(45);

  EXPECT_TRUE(identical(below_diagonal(whole(anew.array())), below_diagonal(whole(grown.array()))));
  EXPECT_TRUE(identical(anew.cross(), grown.cross()));
  for (const double lambda : {1.0, 2.0}) {  // one after another in its own array
    anew.ridge_matrix(lambda, 0, anew.array());
    const arma::Mat<T> R = whole(anew.array()).submat(0, 0, arma::size(45, 45));
    EXPECT_LE(relative_difference<double>(symmetric(R), this->ridge_matrix(45, lambda)), tolerance<T>(90, 45));
    EXPECT_EQ(anew.array().factorise(FactorForm::Kind::cholesky, 0, 45), Status::ok);
  }
}

}  // namespace
}  // namespace elmx
