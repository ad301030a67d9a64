#include "linalg/inverse_cholesky.hpp"

#include "linalg/inverse_factor_contract.hpp"

namespace elmx {
namespace {

template <class T>
struct InverseCholesky {
  using Real = T;

  explicit InverseCholesky(uword) {}
  Status by_columns(View<T> S) { return inverse_cholesky_by_columns(S); }
  Status blocked(View<T> S) { return inverse_cholesky(S); }
  Status extend(View<T> S, uword k) { return extend_inverse_cholesky(S, k); }

  arma::mat inverse(const arma::Mat<T>& S) const {
    const arma::mat F = arma::trimatu(arma::conv_to<arma::mat>::from(S));
    return F * F.t();
  }
};
using Inverses = testing::Types<InverseCholesky<double>, InverseCholesky<float>>;
INSTANTIATE_TYPED_TEST_SUITE_P(InverseCholesky, InverseFactor, Inverses);

TEST(InverseCholesky, ByHand) {
  const arma::mat R = {{4, 2}, {99, 5}};
  arma::mat S = R, T = R;

  ASSERT_EQ(inverse_cholesky_by_columns(View<double>(S)), Status::ok);
  ASSERT_EQ(inverse_cholesky(View<double>(T).block(0, 0, 1, 1)), Status::ok);
  ASSERT_EQ(extend_inverse_cholesky(View<double>(T), 1), Status::ok);

  const arma::mat F = {{0.5, -0.25}, {99, 0.5}};
  EXPECT_TRUE(identical(S, F));
  EXPECT_TRUE(identical(T, F));
}

TEST(InverseCholesky, ShapesThatDoNotFitAreTheProgrammersError) {
  arma::mat S(2, 3), R(2, 2);

  EXPECT_THROW((void)inverse_cholesky(View<double>(S)), std::logic_error);
  EXPECT_THROW((void)inverse_cholesky_by_columns(View<double>(S)), std::logic_error);
  EXPECT_THROW((void)extend_inverse_cholesky(View<double>(R), 3), std::logic_error);
}

}  // namespace
}  // namespace elmx
