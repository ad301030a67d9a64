#include <gtest/gtest.h>

#include "nets/layers.hpp"

// Recursive least squares proper: what one linear layer with k = 1 and eta = 1 solves.

namespace elmx {
namespace {

struct ClassicalCase {
  uword steps, inputs, outputs, samples;
  double forgetting;
};
void PrintTo(const ClassicalCase& c, std::ostream* out) {
  *out << c.steps << "_steps_of_" << c.samples << "_" << c.inputs << "x" << c.outputs << "_lambda" << c.forgetting;
}

class ClassicalRlsTest : public testing::TestWithParam<ClassicalCase> {};

INSTANTIATE_TEST_SUITE_P(Each, ClassicalRlsTest,
                         testing::Values(ClassicalCase{40, 5, 3, 1, 1}, ClassicalCase{40, 5, 3, 1, 0.95},
                                         ClassicalCase{1, 1, 1, 1, 1}, ClassicalCase{3, 8, 2, 1, 0.9},
                                         ClassicalCase{40, 5, 3, 6, 1}, ClassicalCase{40, 5, 12, 3, 0.95},
                                         ClassicalCase{20, 4, 30, 2, 0.98}));

// minimise  lambda^S ||Theta - Theta_0||_F^2 + sum over s of lambda^(S-s) ||x_s' Theta - mean z_s||^2   by
// QR. More samples a batch have equal inputs and targets of their own.
TEST_P(ClassicalRlsTest, EndsAtTheRidgeSolution) {
  const auto [S, inputs, outputs, M, forgetting] = GetParam();
  Network<double> network({1, inputs});
  add_dense(network, outputs, Activation::linear);
  const arma::mat Theta_0 = network.parameters()[0]->Theta;
  const RlsOptions options{.forgetting = forgetting, .k = 1};
  OpenTraining<> open(std::move(network), LossKind::mse, {}, [&, rows = M](std::size_t, Parameter<double>& parameter) {
    return std::make_unique<Rls<double>>(options, parameter, rows);
  });
  const uword q = inputs + 1;
  const double first = std::pow(forgetting, static_cast<double>(S) / 2);
  arma::mat A = first * arma::eye(q, q), B = first * Theta_0;

  for (uword s = 1; s <= S; ++s) {
    const arma::rowvec x = with_ones(normal_matrix(1, inputs, 71, static_cast<std::uint32_t>(s)));
    const arma::mat Z = normal_matrix(M, outputs, 72, static_cast<std::uint32_t>(s));
    const double weight = std::pow(forgetting, static_cast<double>(S - s) / 2);
    A = arma::join_cols(A, arma::mat(weight * x));
    B = arma::join_cols(B, arma::mat(weight * arma::mean(Z, 0)));
    open.training->step(arma::mat(arma::repmat(x, M, 1)), Z, M);
  }

  arma::mat Q, R;
  ASSERT_TRUE(arma::qr_econ(Q, R, A));
  EXPECT_LE(relative_difference(open.parameter(0).Theta, arma::mat(arma::solve(arma::trimatu(R), Q.t() * B))), 1e-12);
  EXPECT_LE(relative_difference(open.rls[0]->P(), arma::mat(arma::inv(R.t() * R))), 1e-12);
}

}  // namespace
}  // namespace elmx
