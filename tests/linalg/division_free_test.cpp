#include "linalg/division_free.hpp"

#include <vector>

#include "linalg/inverse_factor_contract.hpp"
#include "linalg/inverse_ldl.hpp"

namespace elmx {
namespace {

template <class T>
struct DivisionFree {
  using Real = T;

  explicit DivisionFree(uword n) : pivots(n) {}
  Status by_columns(View<T> S) { return division_free_inverse_by_columns(S, pivots.data()); }
  Status blocked(View<T> S) { return division_free_inverse(S, pivots.data()); }
  Status extend(View<T> S, uword k) { return extend_division_free_inverse(S, k, pivots.data()); }

  arma::mat inverse(arma::Mat<T> S) const {
    divide(View<T>(S), pivots.data());
    arma::mat L = arma::trimatu(arma::conv_to<arma::mat>::from(S));
    const arma::vec D = L.diag();
    L.diag().ones();
    return L * arma::diagmat(D) * L.t();
  }

  std::vector<T> pivots;
};
using Reals = testing::Types<DivisionFree<double>, DivisionFree<float>>;
INSTANTIATE_TYPED_TEST_SUITE_P(DivisionFree, InverseFactor, Reals);

// pi = 4 = 0.5 2^3: p = 0.5, rho = 2 / 8;  N_22 = 0.5 5 - 2 rho = 2,  N_12 = -1 rho,  w = 0.5.
TEST(DivisionFree, ByHand) {
  const arma::mat R = {{4, 2}, {99, 5}};
  arma::mat S = R;
  std::vector<double> pivots(2);

  ASSERT_EQ(division_free_inverse_by_columns(View<double>(S), pivots.data()), Status::ok);

  EXPECT_TRUE(identical(S, arma::mat{{1, -0.25}, {99, 0.5}}));
  EXPECT_EQ(pivots, (std::vector<double>{4, 2}));
  divide(View<double>(S), pivots.data());
  EXPECT_TRUE(identical(S, arma::mat{{0.25, -0.5}, {99, 0.25}}));
}

// No product of pivots grows: 300 pivots of 1e200 or 1e-200.
TEST(DivisionFree, DenominatorsStayBetweenAHalfAndOne) {
  for (const double size : {1.0, 3e200, 3e-200}) {
    const arma::mat R = size * nearly_diagonal<double>(300);
    for (const auto factor : {&DivisionFree<double>::by_columns, &DivisionFree<double>::blocked}) {
      DivisionFree<double> factorisation(300);
      arma::mat S = R;

      ASSERT_EQ((factorisation.*factor)(View<double>(S)), Status::ok);

      const arma::vec w = S.diag();
      EXPECT_GE(w.min(), 0.5);
      EXPECT_LE(w.max(), 1);
    }
  }
}

// Both forms carry the same L and D; each element of them differs by the rounding of both, so by cond(R) eps n.
TEST(DivisionFree, DividedIsTheLdlForm) {
  const arma::mat R = definite<double>(200, 1e3);
  for (const auto factor : {&DivisionFree<double>::by_columns, &DivisionFree<double>::blocked}) {
    DivisionFree<double> factorisation(200);
    arma::mat S = R, LD = R;

    ASSERT_EQ((factorisation.*factor)(View<double>(S)), Status::ok);
    divide(View<double>(S), factorisation.pivots.data());
    ASSERT_EQ(inverse_ldl(View<double>(LD)), Status::ok);

    EXPECT_LE(relative_difference(S, LD), 1e3 * tolerance(200, 200));
  }
}

TEST(DivisionFree, ShapesThatDoNotFitAreTheProgrammersError) {
  arma::mat S(2, 3), R(2, 2);
  std::vector<double> pivots(3);

  EXPECT_THROW((void)division_free_inverse(View<double>(S), pivots.data()), std::logic_error);
  EXPECT_THROW((void)division_free_inverse_by_columns(View<double>(S), pivots.data()), std::logic_error);
  EXPECT_THROW((void)extend_division_free_inverse(View<double>(R), 3, pivots.data()), std::logic_error);
  EXPECT_THROW(divide(View<double>(S), pivots.data()), std::logic_error);
}

}  // namespace
}  // namespace elmx
