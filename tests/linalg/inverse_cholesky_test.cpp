#include "linalg/inverse_cholesky.hpp"

#include "linalg/inverse_factor_contract.hpp"
#include "linalg/ridge_qr.hpp"

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

template <class T>
struct InverseOfCholesky : InverseCholesky<T> {
  using InverseCholesky<T>::InverseCholesky;
  Status by_columns(View<T> S) { return inverse_of_cholesky(S); }
  Status blocked(View<T> S) { return inverse_of_cholesky(S); }
  Status extend(View<T> S, uword k) { return extend_inverse_cholesky(S, k, inverse_of_cholesky<T>); }
};
using ByCholesky = testing::Types<InverseOfCholesky<double>, InverseOfCholesky<float>>;
INSTANTIATE_TYPED_TEST_SUITE_P(InverseOfCholesky, InverseFactor, ByCholesky);

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

// A backward error dR of the factorisation is F' dR F in F'RF, at most ||dR|| / lambda: with ||dR|| = eps
// sqrt(n) ||R|| the bound below. It is judged without forming H'H again, and by QR, which never forms it.
TEST(InverseOfCholesky, IsBackwardStableWhereBorderingBreaksDown) {
  const uword n = 256;
  const double lambda = 1e-14;
  const arma::mat H = neighbouring_nodes(300, n), I = arma::eye(n, n), R = H.t() * H + lambda * I;
  arma::mat bordered = R, F = R;

  EXPECT_EQ(inverse_cholesky(View<double>(bordered)), Status::not_positive_definite);
  ASSERT_EQ(inverse_of_cholesky(View<double>(F)), Status::ok);

  F = arma::mat(arma::trimatu(F));
  const double bound = arma::datum::eps * std::sqrt(n) * arma::norm(R) / lambda;  // 0.15; of F = 0 it is 1
  const arma::mat HF = H * F;
  EXPECT_LE(frobenius(HF.t() * HF + lambda * F.t() * F - I) / std::sqrt(n), bound);

  RidgeQr qr(n, 1, lambda);
  const arma::mat Y(300, 1, arma::fill::ones);
  arma::mat W;
  qr.add_samples(View<const double>(H), View<const double>(Y));
  ASSERT_EQ(qr.solve(W), Status::ok);
  const arma::mat by_qr = qr.inverse_factor();
  EXPECT_LE(relative_difference<double>(F * F.t(), by_qr * by_qr.t()), bound);
}

TEST(InverseCholesky, ShapesThatDoNotFitAreTheProgrammersError) {
  arma::mat S(2, 3), R(2, 2);

  EXPECT_THROW((void)inverse_cholesky(View<double>(S)), std::logic_error);
  EXPECT_THROW((void)inverse_cholesky_by_columns(View<double>(S)), std::logic_error);
  EXPECT_THROW((void)inverse_of_cholesky(View<double>(S)), std::logic_error);
  EXPECT_THROW((void)extend_inverse_cholesky(View<double>(R), 3), std::logic_error);
}

}  // namespace
}  // namespace elmx
