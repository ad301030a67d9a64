#include <gtest/gtest.h>

#include "models/s3elm/laplacian.hpp"
#include "support/framed.hpp"
#include "support/judge.hpp"
#include "support/semi_supervised.hpp"
#include "support/status.hpp"
#include "support/threads.hpp"
#include "support/thrown.hpp"

namespace elmx {
namespace {

struct Case {
  uword N;
  double sigma, c;
};

void PrintTo(const Case& one, std::ostream* out) { *out << one.N << "_sigma" << one.sigma << "_c" << one.c; }

class Resolvent : public testing::TestWithParam<Case> {
 protected:
  arma::mat L() const {
    return laplacian_by_definition(heat_by_definition(normal_matrix(GetParam().N, 2, 3, 1), GetParam().sigma));
  }
  arma::mat Z() const { return normal_matrix(GetParam().N, 7, 3, 2); }
  /// Z'(I + c L)^-1 Z by LU.
  arma::mat exact() const {
    return Z().t() * arma::solve(arma::eye(GetParam().N, GetParam().N) + GetParam().c * L(), Z());
  }
  /// Of a symmetric solve, relative to ||Z||^2: cond(I + c L) = 1 + c theta_max, the eigenvalue of the
  /// inverse being at most 1.
  double allowed() const {
    return tolerance(GetParam().N, 7) * (1 + GetParam().c * arma::norm(L(), 2)) * arma::dot(Z(), Z());
  }
};

// At sigma = 1000 most samples have no neighbour.
INSTANTIATE_TEST_SUITE_P(Graphs, Resolvent,
                         testing::Values(Case{1, 1, 5}, Case{2, 1, 3}, Case{30, 0.5, 0}, Case{30, 0.5, 1e-3},
                                         Case{30, 0.5, 1}, Case{30, 0.5, 180}, Case{90, 20, 180}, Case{90, 1000, 1e4}));

TEST_P(Resolvent, FormByEigenvaluesIsTheDefinition) {
  Spectrum spectrum;

  ASSERT_EQ(spectrum_of(L(), spectrum), Status::ok);
  const arma::mat form = resolvent_form(spectrum, GetParam().c, arma::mat(spectrum.V.t() * Z()));

  EXPECT_LE(arma::abs(form - exact()).max(), allowed());
  EXPECT_TRUE(identical(form, arma::mat(form.t())));
  EXPECT_GE(spectrum.theta.min(), 0);
  EXPECT_EQ(spectrum.bytes(), 8.0 * static_cast<double>(GetParam().N * (GetParam().N + 1)));
}

TEST_P(Resolvent, FormByCholeskyIsTheDefinition) {
  ResolventFactor factor;

  ASSERT_EQ(factorise_resolvent(L(), GetParam().c, factor), Status::ok);
  const arma::mat form = resolvent_form(factor, Z());

  EXPECT_LE(arma::abs(form - exact()).max(), allowed());
  EXPECT_TRUE(identical(form, arma::mat(form.t())));
  EXPECT_EQ(factor.bytes(), 8.0 * static_cast<double>(GetParam().N * GetParam().N));
}

// A residual below t ||z|| leaves t ||z|| of x, the eigenvalues of the inverse being at most 1, and so t
// ||z||^2 of the form.
TEST_P(Resolvent, FormByConjugateGradientsIsTheDefinition) {
  for (const double residual : {1e-4, 1e-12}) {
    arma::mat form;

    ASSERT_EQ(resolvent_form(arma::sp_mat(L()), GetParam().c, Z(), residual, form), Status::ok);

    EXPECT_LE(arma::abs(form - exact()).max(), residual * arma::sum(arma::square(Z()), 0).max() + allowed())
        << residual;
    EXPECT_TRUE(identical(form, arma::mat(form.t())));
  }
}

TEST(Resolvent, JudgesRefuseAnotherShift) {
  const arma::mat L = laplacian_by_definition(heat_by_definition(normal_matrix(30, 2, 3, 1), 0.5)),
                  Z = normal_matrix(30, 7, 3, 2);
  Spectrum spectrum;
  ASSERT_EQ(spectrum_of(L, spectrum), Status::ok);
  const arma::mat T = spectrum.V.t() * Z;

  EXPECT_GT(arma::abs(resolvent_form(spectrum, 1 + 1e-6, T) - Z.t() * arma::solve(arma::eye(30, 30) + L, Z)).max(),
            1e-9);
}

// Without neighbours a sample is on its own: (I + c 0)^-1 = I.
TEST(Resolvent, OfAGraphWithoutEdgesIsTheGramMatrix) {
  const arma::mat Z = normal_matrix(20, 3, 3, 1), nothing(20, 20, arma::fill::zeros);
  Spectrum spectrum;
  ResolventFactor factor;
  arma::mat form;
  ASSERT_EQ(spectrum_of(nothing, spectrum), Status::ok);
  ASSERT_EQ(factorise_resolvent(nothing, 1e6, factor), Status::ok);
  ASSERT_EQ(resolvent_form(arma::sp_mat(20, 20), 1e6, Z, 1e-12, form), Status::ok);

  const arma::mat exact = Z.t() * Z;
  EXPECT_LE(relative_difference(resolvent_form(spectrum, 1e6, arma::mat(spectrum.V.t() * Z)), exact),
            tolerance(20, 20));
  EXPECT_LE(relative_difference(resolvent_form(factor, Z), exact), tolerance(20, 20));
  EXPECT_LE(relative_difference(form, exact), 1e-12 + tolerance(20, 20));
}

TEST(Resolvent, FormOfColumnsOfZerosIsZero) {
  const arma::sp_mat L(laplacian_by_definition(heat_by_definition(normal_matrix(20, 2, 3, 1), 1)));
  arma::mat form;

  ASSERT_EQ(resolvent_form(L, 10, arma::mat(20, 2, arma::fill::zeros), 1e-12, form), Status::ok);

  EXPECT_EQ(arma::abs(form).max(), 0);
}

// A path: 2000 samples, condition number 4e6; the diagonal says nothing about it.
TEST(Resolvent, ConjugateGradientsReachTheirToleranceOnALongPath) {
  const uword N = 2000;
  arma::sp_mat A(N, N);
  for (uword i = 0; i + 1 < N; ++i) A(i, i + 1) = A(i + 1, i) = 1;
  arma::sp_mat L = -A;
  L.diag() = arma::vec(arma::mat(arma::sum(A, 1)));
  const arma::mat Z = normal_matrix(N, 1, 3, 1);
  arma::mat form;
  ResolventFactor factor;

  ASSERT_EQ(resolvent_form(L, 1e6, Z, 1e-10, form), Status::ok);
  ASSERT_EQ(factorise_resolvent(arma::mat(L), 1e6, factor), Status::ok);

  EXPECT_NEAR(form(0), resolvent_form(factor, Z)(0), (1e-10 + 4e6 * tolerance(1, 1)) * arma::dot(Z, Z));
}

TEST(Resolvent, DoesNotDependOnTheNumberOfThreads) {
  const arma::sp_mat L(laplacian_by_definition(heat_by_definition(normal_matrix(90, 2, 3, 1), 20)));
  const auto on = [&](int count) {
    const Threads scope(count);
    arma::mat form;
    EXPECT_EQ(resolvent_form(L, 50, normal_matrix(90, 5, 3, 2), 1e-10, form), Status::ok);
    return form;
  };

  EXPECT_TRUE(identical(on(1), on(2)));
}

// Failures.

TEST(Resolvent, EigenvaluesRefuseWhatIsNotANumber) {
  arma::mat L(4, 4, arma::fill::eye);
  L(1, 2) = L(2, 1) = arma::datum::nan;
  Spectrum spectrum;

  EXPECT_EQ(spectrum_of(L, spectrum), Status::not_finite);
  EXPECT_TRUE(spectrum.V.is_empty());
}

TEST(Resolvent, CholeskyRefusesWhatIsNotPositiveDefinite) {
  for (const double wrong : {-2.0, arma::datum::nan}) {
    arma::mat L(4, 4, arma::fill::eye);
    L(2, 2) = wrong;
    ResolventFactor factor{arma::mat(1, 1, arma::fill::ones)};

    EXPECT_EQ(factorise_resolvent(L, 1, factor), Status::not_positive_definite);
    EXPECT_EQ(factor.R.n_elem, 1u) << "left as it was";
  }
}

TEST(Resolvent, ConjugateGradientsSayWhereTheyDoNotArrive) {
  arma::sp_mat not_a_number(arma::mat(4, 4, arma::fill::eye)), singular(2, 2), skew(2, 2);
  not_a_number(2, 2) = arma::datum::nan;
  singular(0, 1) = singular(1, 0) = 1;  // I + L = [1 1; 1 1]
  skew(0, 1) = -1;
  skew(1, 0) = 1;
  arma::mat form;

  EXPECT_EQ(resolvent_form(not_a_number, 1, arma::mat(4, 2, arma::fill::ones), 1e-10, form), Status::not_finite);
  EXPECT_EQ(resolvent_form(singular, 1, arma::vec{1, 0}, 1e-10, form), Status::not_finite);
  EXPECT_EQ(resolvent_form(singular, 1, arma::mat{{1, 0}, {0, 0}}, 1e-10, form), Status::not_finite)
      << "one column of two";
  EXPECT_EQ(resolvent_form(skew, 1, arma::vec{1, 0}, 1e-10, form), Status::not_finite) << "for ever, without a limit";
  EXPECT_EQ(resolvent_form(arma::sp_mat(4, 4), 1, arma::mat(4, 2, arma::fill::value(arma::datum::nan)), 1e-10, form),
            Status::not_finite);
  EXPECT_TRUE(form.is_empty()) << "left as it was";
}

TEST(Resolvent, RefusesWrongShapes) {
  Spectrum spectrum;
  ASSERT_EQ(spectrum_of(arma::mat(4, 4, arma::fill::eye), spectrum), Status::ok);

  EXPECT_NE(thrown<std::logic_error>([&] { resolvent_form(spectrum, 1, arma::mat(3, 2)); }), "");
}

}  // namespace
}  // namespace elmx
