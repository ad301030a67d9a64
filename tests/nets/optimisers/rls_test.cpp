#include "nets/optimisers/rls.hpp"

#include <gtest/gtest.h>

#include "nets/optimisers/rls_by_definition.hpp"
#include "support/framed.hpp"

namespace elmx {
namespace {

constexpr uword kDirect = 1000, kFactored = 1;  // rows of a full batch: D itself, or its factors

struct NamedOptions {
  const char* name;
  RlsOptions options;
};
void PrintTo(const NamedOptions& named, std::ostream* out) { *out << named.name; }

class RlsTest : public testing::TestWithParam<NamedOptions> {
 protected:
  const RlsOptions options = GetParam().options;
  const arma::mat Theta = [] {
    arma::mat A = normal_matrix(6, 5, 3);
    A(2, 3) = A(5, 1) = 0;  // sgn(0) = 0
    return A;
  }();
};

INSTANTIATE_TEST_SUITE_P(
    Each, RlsTest,
    testing::Values(
        NamedOptions{"plain", {}}, NamedOptions{"forgetting", {.forgetting = 0.9, .k = 0.5, .eta = 0.7}},
        NamedOptions{"large_k", {.k = 10, .eta = 10}},
        NamedOptions{"momentum", {.forgetting = 0.95, .eta = 0.7, .momentum = 0.5}},
        NamedOptions{"l1", {.forgetting = 0.8, .k = 1, .eta = 0.7, .l1 = 0.03}},
        NamedOptions{"l1_without_bias", {.forgetting = 0.8, .k = 1, .l1 = 0.03, .l1_bias = false}},
        NamedOptions{"momentum_l1", {.forgetting = 0.8, .k = 1, .eta = 0.7, .momentum = 0.6, .l1 = 0.03}},
        NamedOptions{"momentum_l1_without_bias", {.forgetting = 0.8, .momentum = 0.6, .l1 = 0.03, .l1_bias = false}},
        NamedOptions{"bias_outside", {.forgetting = 0.9, .k = 1, .momentum = 0.6, .bias_in_p = false}},
        NamedOptions{"bias_outside_l1", {.k = 1, .l1 = 0.03, .bias_in_p = false}},
        NamedOptions{"trace", {.forgetting = 0.5, .k = 0.3, .p_trace_max = 7}},
        NamedOptions{"trace_l1", {.forgetting = 0.5, .l1 = 0.03, .p_trace_max = 7}},
        NamedOptions{"trace_momentum_l1", {.forgetting = 0.5, .momentum = 0.5, .l1 = 0.03, .p_trace_max = 7}},
        NamedOptions{"k_zero", {.k = 0}}),
    [](const auto& test) { return std::string(test.param.name); });

// With the gradient and with its factors, for one and several time steps, clipped and not, batches of
// changing size.
TEST_P(RlsTest, StepsAreThoseOfTheDefinition) {
  for (const uword rows : {kDirect, kFactored}) {
    for (const uword steps : {1, 4}) {
      LooseParameter<> loose(Theta, steps);
      Rls<double> rls(options, loose.parameter, rows);
      RlsByDefinition expected(options, Theta, steps);
      EXPECT_TRUE(loose.parameter.needs.average);
      EXPECT_EQ(loose.parameter.needs.factors, rows == kFactored && !(options.l1 > 0 && options.momentum == 0));
      for (std::uint32_t s = 1; s <= 6; ++s) {
        const double clip = s % 2 == 0 ? 0.3 : 1;
        loose.draw(s % 3 == 0 ? 2 : 4, s);

        rls.update(loose.parameter, clip, s);
        expected.update(loose.x(), clip * loose.D());

        EXPECT_LE(relative_difference(loose.parameter.Theta, expected.Theta), 1e-13)
            << rows << " " << steps << " " << s;
        EXPECT_LE(relative_difference(rls.P(), expected.P), 1e-13);
        if (options.momentum > 0) {
          const arma::mat Omega(rls.state()[1].data(), 6, 5);
          EXPECT_LE(relative_difference(Omega, expected.Omega), 1e-13);
        }
      }
    }
  }
}

TEST_P(RlsTest, FloatAgreesWithTheDefinition) {
  for (const uword rows : {kDirect, kFactored}) {
    LooseParameter<float> loose(Theta);
    Rls<float> rls(options, loose.parameter, rows);
    RlsByDefinition expected(options, as<double>(loose.parameter.Theta));
    for (std::uint32_t s = 1; s <= 3; ++s) {
      loose.draw(4, s);
      rls.update(loose.parameter, 1, s);
      expected.update(loose.x(), loose.D());
    }
    EXPECT_LE(relative_difference(as<double>(loose.parameter.Theta), expected.Theta), 1e-5);
    EXPECT_LE(relative_difference(as<double>(rls.P()), expected.P), 1e-5);
  }
}

// (35): P^-1 = lambda P_before^-1 + kappa x x';  P x = u / h with the new P.
TEST_P(RlsTest, InverseOfPGainsOneProduct) {
  if (options.p_trace_max > 0) return;
  const uword steps = 3;
  LooseParameter<> loose(Theta, steps);
  Rls<double> rls(options, loose.parameter, kDirect);
  for (std::uint32_t s = 1; s <= 5; ++s) {
    loose.draw(4, s);
    const arma::mat before = rls.P();
    const arma::vec x = met_by_P(options, loose.x()), u = before * x;
    const double kappa = options.k * steps, h = options.forgetting + kappa * arma::dot(x, u);

    rls.update(loose.parameter, 1, s);

    const arma::mat A = options.forgetting * arma::inv(before) + kappa * x * x.t();
    EXPECT_LE(relative_difference(arma::mat(arma::inv(rls.P())), A), 1e-12);
    EXPECT_LE(relative_difference(arma::mat(rls.P() * x), arma::mat(u / h)), 1e-12);
    if (options.forgetting == 1 && options.k > 0) {
      EXPECT_LT(arma::trace(rls.P()), arma::trace(before));
      EXPECT_LE(arma::eig_sym(rls.P()).max(), 1 + 1e-14);
    }
  }
}

// B (1 + r / q) < r, q = 4, r = 8: B < 8 / 3.
TEST(Rls, FactorsWhereTheyAreCheaper) {
  for (const uword rows : {1, 2, 3, 4}) {
    LooseParameter<> loose(arma::mat(4, 8));
    Rls<double> rls({}, loose.parameter, rows);
    EXPECT_EQ(loose.parameter.needs.factors, rows <= 2) << rows;
  }
}

TEST(Rls, WithoutKItIsGradientDescent) {
  const arma::mat Theta = normal_matrix(4, 3, 3);
  LooseParameter<> loose(Theta);
  Rls<double> rls({.k = 0, .eta = 0.3}, loose.parameter, kDirect);
  arma::mat expected = Theta;
  for (std::uint32_t s = 1; s <= 5; ++s) {
    loose.draw(4, s);
    rls.update(loose.parameter, 1, s);
    expected -= 0.3 * loose.D();
  }
  EXPECT_TRUE(identical(rls.P(), arma::mat(4, 4, arma::fill::eye)));
  EXPECT_LE(relative_difference(loose.parameter.Theta, expected), 1e-15);
}

// The bias takes its gradient over h as its step where P is left without it; the weights do not.
TEST(Rls, ABiasOutsideOfPTakesPlainSteps) {
  const arma::mat Theta = normal_matrix(4, 3, 3);
  LooseParameter<> loose(Theta);
  Rls<double> rls({.k = 1, .bias_in_p = false}, loose.parameter, kDirect);
  arma::mat expected = Theta;
  for (std::uint32_t s = 1; s <= 5; ++s) {
    loose.draw(4, s);
    const arma::mat P = rls.P();
    const arma::vec x = loose.x().head(3);
    rls.update(loose.parameter, 1, s);
    expected -= loose.D() / (1 + arma::dot(x, P(arma::span(0, 2), arma::span(0, 2)) * x));
  }
  EXPECT_LE(relative_difference(arma::mat(loose.parameter.Theta.row(3)), arma::mat(expected.row(3))), 1e-14);
  EXPECT_GT(relative_difference(arma::mat(loose.parameter.Theta.head_rows(3)), arma::mat(expected.head_rows(3))), 1e-3);
  const arma::mat I(4, 4, arma::fill::eye);
  EXPECT_TRUE(identical(arma::mat(rls.P().tail_cols(1)), arma::mat(I.tail_cols(1))));
}

// Omega_s = alpha Omega_{s-1} + ..: with alpha small enough nothing is left of it, not one bit.
TEST(Rls, MomentumAndL1OfNothingChangeNothing) {
  const auto trained = [](const RlsOptions& options) {
    LooseParameter<> loose(normal_matrix(5, 3, 3));
    Rls<double> rls(options, loose.parameter, kDirect);
    for (std::uint32_t s = 1; s <= 4; ++s) {
      loose.draw(4, s);
      rls.update(loose.parameter, 1, s);
    }
    return arma::mat(arma::join_rows(loose.parameter.Theta, rls.P()));
  };
  const arma::mat plain = trained({});

  EXPECT_TRUE(identical(trained({.momentum = 0, .l1 = 0}), plain));
  for (const RlsOptions& nearly :
       {RlsOptions{.momentum = 1e-300}, RlsOptions{.l1 = 1e-300}, RlsOptions{.momentum = 1e-300, .l1 = 1e-300}}) {
    EXPECT_LE(relative_difference(trained(nearly), plain), 1e-15);
  }
  EXPECT_TRUE(identical(trained({.p_trace_max = 1e300}), plain));
}

TEST(Rls, TheDivisionByForgettingIsSkippedWhileTheTraceIsAboveItsBound) {
  LooseParameter<> loose(normal_matrix(20, 2, 3));
  Rls<double> rls({.forgetting = 0.9, .p_trace_max = 100}, loose.parameter, kDirect);
  double largest = 0;
  for (std::uint32_t s = 1; s <= 300; ++s) {
    loose.draw(1, s % 2);  // two directions are excited, the others wind up
    rls.update(loose.parameter, 1, s);
    largest = std::max(largest, arma::trace(rls.P()));
  }
  EXPECT_LE(largest, 100 / 0.9);
  EXPECT_GE(largest, 100);
}

}  // namespace
}  // namespace elmx
