#include "linalg/distributed_inverse_ldl.hpp"

#include <gtest/gtest.h>

#include <tuple>

#include "cluster/whole.hpp"
#include "support/definite.hpp"
#include "support/judge.hpp"
#include "support/status.hpp"

namespace elmx {
namespace {

/// Some columns of a whole on this rank.
template <class T>
class Columns {
 public:
  Columns(const arma::Mat<T>& whole, uword block)
      : layout_(columns_of(ranks(), block)), local_(whole.n_rows, layout_.count(whole.n_cols)) {
    distribute(whole, 0);
  }

  /// Those from `first` on.
  void distribute(const arma::Mat<T>& whole, uword first) {
    for (uword j = layout_.count(first); j < local_.n_cols; ++j) local_.col(j) = whole.col(layout_.global(j));
  }

  Status factor(uword first = 0) { return distributed_inverse_ldl(View<T>(local_), layout_, first, ranks()); }
  void multiply(arma::Mat<T>& X) const { multiply_inverse_ldl(View<const T>(local_), layout_, View<T>(X), ranks()); }

  arma::Mat<T> whole() const {
    arma::Mat<T> all(local_.n_rows, local_.n_rows);
    for (uword j = 0; j < local_.n_cols; ++j) all.col(layout_.global(j)) = local_.col(j);
    ranks().sum(all.memptr(), all.n_elem);
    return all;
  }

 private:
  BlockCyclic layout_;
  arma::Mat<T> local_;
};

template <class T>
arma::mat inverse_of(const arma::Mat<T>& factors) {
  arma::mat L = arma::trimatu(arma::conv_to<arma::mat>::from(factors));
  const arma::vec D = L.diag();
  L.diag().ones();
  return L * arma::diagmat(D) * L.t();
}

/// The leading n x n with other numbers below the diagonal as they are.
template <class T>
arma::Mat<T> leading(const arma::Mat<T>& M, uword n) {
  return M.submat(0, 0, arma::size(n, n));
}

template <class T>
class InverseLdlOverRanks : public testing::Test {
 protected:
  static constexpr double kCond = 100;

  /// Sizes that are no multiple of block or ranks, with ranks that own nothing and with many blocks.
  static constexpr std::array<std::pair<uword, uword>, 9> kSizesAndBlocks{
      {{1, 4}, {3, 1}, {5, 4}, {16, 16}, {50, 1}, {61, 8}, {100, 7}, {129, 32}, {200, 64}}};

  /// L D L'R = I, D > 0, the numbers below the diagonal those of R.
  static void expect_factors(const arma::Mat<T>& factors, const arma::Mat<T>& R, const std::string& where) {
    const uword n = R.n_rows;
    const arma::mat residual = inverse_of(factors) * symmetric(R) - arma::eye(n, n);
    EXPECT_LE(frobenius(residual) / std::sqrt(n), tolerance<T>(1, 1) * std::sqrt(n) * kCond) << where;
    EXPECT_GT(arma::vec(arma::conv_to<arma::vec>::from(factors.diag())).min(), 0) << where;
    EXPECT_TRUE(identical(below_diagonal(factors), below_diagonal(R))) << where;
  }
};

using BothTypes = testing::Types<double, float>;
TYPED_TEST_SUITE(InverseLdlOverRanks, BothTypes);

TYPED_TEST(InverseLdlOverRanks, IsItsDefinition) {
  using T = TypeParam;
  for (const auto& [n, block] : this->kSizesAndBlocks) {
    const arma::Mat<T> R = definite<T>(n, n == 1 ? 1 : this->kCond);
    Columns<T> columns(R, block);

    EXPECT_EQ(columns.factor(), Status::ok);

    this->expect_factors(columns.whole(), R, std::to_string(n) + ", " + std::to_string(block));
  }
}

TYPED_TEST(InverseLdlOverRanks, GrowsByColumnsAndLeavesThoseBeforeAsTheyAre) {
  using T = TypeParam;
  const uword n = 130;
  const arma::Mat<T> R = definite<T>(n, this->kCond);
  for (const uword block : {uword(8), uword(32)}) {
    arma::Mat<T> before(n, 0);
    uword first = 0;
    for (const uword size : {uword(1), uword(33), uword(64), uword(129), n}) {
      Columns<T> columns(leading(R, size), block);
      columns.distribute(arma::join_rows(before.head_rows(size), R.submat(0, first, arma::size(size, size - first))),
                         0);

      EXPECT_EQ(columns.factor(first), Status::ok);

      const arma::Mat<T> factors = columns.whole();
      this->expect_factors(factors, leading(R, size), std::to_string(block) + ", " + std::to_string(size));
      if (first > 0) {
        EXPECT_TRUE(identical(arma::Mat<T>(factors.head_cols(first)), arma::Mat<T>(before.head_rows(size))));
      }
      before = arma::join_cols(factors, R.head_cols(size).eval().tail_rows(n - size));
      first = size;
    }
  }
}

TYPED_TEST(InverseLdlOverRanks, MultipliesByTheInverseTheSameOnAllRanks) {
  using T = TypeParam;
  const uword n = 150;
  const arma::Mat<T> R = definite<T>(n, this->kCond), X = arma::conv_to<arma::Mat<T>>::from(normal_matrix(n, 3, 9));
  Columns<T> columns(R, 8);
  arma::Mat<T> Z = X;

  EXPECT_EQ(columns.factor(), Status::ok);
  columns.multiply(Z);

  EXPECT_LE(
      relative_difference<double>(symmetric(R) * arma::conv_to<arma::mat>::from(Z), arma::conv_to<arma::mat>::from(X)),
      tolerance<T>(n, n) * this->kCond);
  EXPECT_TRUE(same_on_all_ranks(Z));
}

TYPED_TEST(InverseLdlOverRanks, EveryRankSeesThatItIsNotPositiveDefinite) {
  using T = TypeParam;
  const uword n = 100;
  for (const uword at : {0u, 40u, 99u}) {
    for (const T wrong : {T(0), T(-1), std::numeric_limits<T>::quiet_NaN(), std::numeric_limits<T>::infinity()}) {
      arma::Mat<T> G = nearly_diagonal<T>(n), H = nearly_diagonal<T>(n);
      G(at, at) = wrong;
      H(at / 2, std::max(at, uword(1))) = std::numeric_limits<T>::quiet_NaN();
      Columns<T> diagonal(G, 8), beside(H, 8);

      EXPECT_EQ(diagonal.factor(), Status::not_positive_definite) << at << ", " << wrong;
      EXPECT_EQ(beside.factor(), Status::not_positive_definite) << at;
    }
  }
}

/// Of one rank, as counted column by column: the owner of a block sends its columns down to the diagonal to
/// all others; all send what they have of the rows of the block right of it and of the columns that are done.
double numbers_sent(uword n, uword block, uword first) {
  double sent = 0;
  for (uword j = 0; j < n; ++j) {
    const uword of_block = (j / block + 1) * block, end = std::min({of_block, j < first ? first : n, n});
    sent += static_cast<double>(j + 1) + static_cast<double>(n - std::max(end, first));
  }
  const double P = ranks().count();
  return sent * (P - 1) / P;
}

TYPED_TEST(InverseLdlOverRanks, SendsWhatTheFormulaSays) {
  using T = TypeParam;
  const double P = ranks().count();
  for (const auto& [n, block, first] :
       {std::tuple<uword, uword, uword>{61, 8, 0}, {61, 8, 20}, {64, 1, 0}, {64, 16, 0}}) {
    const arma::Mat<T> R = nearly_diagonal<T>(n);
    Columns<T> columns(R, block);
    if (first > 0) {
      Columns<T> start(leading(R, first), block);
      EXPECT_EQ(start.factor(), Status::ok);
      columns.distribute(
          arma::join_rows(arma::join_cols(start.whole(), R.submat(first, 0, arma::size(n - first, first))),
                          R.tail_cols(n - first)),
          0);
    }
    const double before = ranks().bytes_sent();

    EXPECT_EQ(columns.factor(first), Status::ok);

    const double sent = (ranks().bytes_sent() - before) / sizeof(T), N = static_cast<double>(n);
    EXPECT_NEAR(sent, numbers_sent(n, block, first), 1e-9 * N * N) << n << ", " << block << ", " << first;
    if (first == 0 && n % block == 0) {
      EXPECT_NEAR(sent, (P - 1) / P * (N * N - N * (static_cast<double>(block) - 1) / 2), 1e-9 * N * N)
          << n << ", " << block;
    }
  }
}

}  // namespace
}  // namespace elmx
