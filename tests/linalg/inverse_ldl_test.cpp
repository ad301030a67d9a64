#include "linalg/inverse_ldl.hpp"

#include "linalg/inverse_factor_contract.hpp"

namespace elmx {
namespace {

template <class T>
struct InverseLdl {
  using Real = T;

  explicit InverseLdl(uword) {}
  Status by_columns(View<T> S) { return inverse_ldl_by_columns(S); }
  Status blocked(View<T> S) { return inverse_ldl(S); }
  Status extend(View<T> S, uword k) { return extend_inverse_ldl(S, k); }

  arma::mat inverse(const arma::Mat<T>& S) const {
    arma::mat L = arma::trimatu(arma::conv_to<arma::mat>::from(S));
    const arma::vec D = L.diag();
    L.diag().ones();
    return L * arma::diagmat(D) * L.t();
  }
};
using Reals = testing::Types<InverseLdl<double>, InverseLdl<float>>;
INSTANTIATE_TYPED_TEST_SUITE_P(InverseLdl, InverseFactor, Reals);

TEST(InverseLdl, ByHand) {
  const arma::mat R = {{4, 2}, {99, 5}};
  arma::mat S = R, T = R;

  ASSERT_EQ(inverse_ldl_by_columns(View<double>(S)), Status::ok);
  ASSERT_EQ(inverse_ldl(View<double>(T).block(0, 0, 1, 1)), Status::ok);
  ASSERT_EQ(extend_inverse_ldl(View<double>(T), 1), Status::ok);

  const arma::mat LD = {{0.25, -0.5}, {99, 0.25}};
  EXPECT_TRUE(identical(S, LD));
  EXPECT_TRUE(identical(T, LD));
}

TEST(InverseLdl, ShapesThatDoNotFitAreTheProgrammersError) {
  arma::mat S(2, 3), R(2, 2);

  EXPECT_THROW((void)inverse_ldl(View<double>(S)), std::logic_error);
  EXPECT_THROW((void)inverse_ldl_by_columns(View<double>(S)), std::logic_error);
  EXPECT_THROW((void)extend_inverse_ldl(View<double>(R), 3), std::logic_error);
}

}  // namespace
}  // namespace elmx
