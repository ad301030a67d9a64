#include <gtest/gtest.h>

#include "nets/optimisers/rls_by_definition.hpp"
#include "support/framed.hpp"

namespace elmx {
namespace {

enum class Rows { normal, nearly_constant, pixels };

struct LongCase {
  Rows rows;
  double forgetting, k;
};
void PrintTo(const LongCase& c, std::ostream* out) {
  const char* names[] = {"normal", "nearly_constant", "pixels"};
  *out << names[static_cast<int>(c.rows)] << "_lambda" << c.forgetting << "_k" << c.k;
}

constexpr uword kInputs = 20;

/// The average inputs of 10000 steps, one a column.
arma::mat averages(Rows rows) {
  static const arma::mat Z = normal_matrix(kInputs, 10000, 51);
  arma::mat X = Z;
  if (rows == Rows::pixels) X = 127.5 + 127.5 * arma::clamp(Z / 3, -1, 1);
  if (rows == Rows::nearly_constant) X = 0.5 + 1e-3 * Z;
  X.tail_rows(1).ones();
  return X;
}

/// After these steps: the smallest eigenvalue of P over the largest. Not a number where P is not finite,
/// minus infinity where P was not symmetric to the last bit at every hundredth step.
template <class T>
double smallest_eigenvalue(Rows rows, const RlsOptions& options) {
  LooseParameter<T> loose(arma::mat(kInputs, 1, arma::fill::zeros));
  loose.parameter.D.zeros(kInputs, 1);
  Rls<T> rls(options, loose.parameter, 1000);
  const arma::Mat<T> X = as<T>(averages(rows));
  for (uword s = 1; s <= X.n_cols; ++s) {
    loose.parameter.x = X.col(s - 1);
    rls.update(loose.parameter, 1, s);
    if (s % 100 == 0 && !identical(rls.P(), arma::Mat<T>(rls.P().t()))) return -std::numeric_limits<double>::infinity();
  }
  if (!rls.P().is_finite()) return std::numeric_limits<double>::quiet_NaN();
  const arma::vec values = arma::eig_sym(as<double>(rls.P()));
  return values.min() / values.max();
}

/// Whether float has a digit of x'P x left: its rounding is eps kappa ||x||^2 times as large (rls.hpp: inputs
/// should be scaled).
bool within_float(Rows rows, double k) {
  return k * arma::sum(arma::square(averages(rows)), 0).max() <
         0.1 / static_cast<double>(std::numeric_limits<float>::epsilon());
}

class RlsStabilityTest : public testing::TestWithParam<LongCase> {};

std::vector<LongCase> long_cases() {
  std::vector<LongCase> cases;
  for (const Rows rows : {Rows::normal, Rows::nearly_constant, Rows::pixels}) {
    for (const double forgetting : {1.0, 0.999, 0.99}) {
      for (const double k : {0.1, 10.0}) cases.push_back({rows, forgetting, k});
    }
  }
  return cases;
}
INSTANTIATE_TEST_SUITE_P(Each, RlsStabilityTest, testing::ValuesIn(long_cases()));

TEST_P(RlsStabilityTest, PStaysSymmetricAndPositiveDefinite) {
  const auto [rows, forgetting, k] = GetParam();
  const RlsOptions options{.forgetting = forgetting, .k = k};
  const double smallest = smallest_eigenvalue<double>(rows, options);

  EXPECT_GT(smallest, 0);
  // In float where float can tell P from a singular matrix. Forgetting in directions that no average has
  // (wind-up) ends beyond that.
  if (within_float(rows, k) &&
      (forgetting == 1 || smallest > static_cast<double>(std::numeric_limits<float>::epsilon()))) {
    EXPECT_GT(smallest_eigenvalue<float>(rows, options), 0);
  }
}

// Where float would not last (not a number for nearly constant rows), a bound on the trace makes it last.
TEST_P(RlsStabilityTest, WithABoundOnTheTraceFloatLastsToo) {
  const auto [rows, forgetting, k] = GetParam();
  if (!within_float(rows, k)) GTEST_SKIP() << "inputs too large for float";

  EXPECT_GT(smallest_eigenvalue<float>(rows, {.forgetting = forgetting, .k = k, .p_trace_max = kInputs}), 0);
}

}  // namespace
}  // namespace elmx
