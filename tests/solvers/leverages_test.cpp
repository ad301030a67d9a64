#include "solvers/ridge/leverages.hpp"

#include <gtest/gtest.h>

#include "support/growing.hpp"
#include "support/problem.hpp"
#include "support/status.hpp"

// Leverages from the state of every solver against their definition by singular values, and e / (1 - h)
// against networks that are trained without a sample.

namespace elmx {
namespace {

/// h_i = sum_j u_ij^2 s_j^2 / (s_j^2 + lambda).
arma::vec leverages_by_svd(const arma::mat& A, double lambda) {
  arma::mat U, V;
  arma::vec s;
  arma::svd_econ(U, s, V, A);
  return arma::square(U) * (arma::square(s) / (arma::square(s) + lambda));
}

/// min ||A W - Y||^2 + lambda ||W||^2 by QR of [A; sqrt(lambda) I].
arma::mat solve_by_qr(const arma::mat& A, const arma::mat& Y, double lambda) {
  const arma::mat augmented = arma::join_cols(A, std::sqrt(lambda) * arma::eye(A.n_cols, A.n_cols));
  arma::mat Q, R;
  arma::qr_econ(Q, R, augmented);
  return arma::solve(arma::trimatu(R), Q.t() * arma::join_cols(Y, arma::zeros(A.n_cols, Y.n_cols)));
}

/// y_i - a_i W_(i), W_(i) of all samples but i.
arma::mat errors_by_deletion(const arma::mat& A, const arma::mat& Y, double lambda) {
  arma::mat errors(arma::size(Y));
  for (uword i = 0; i < A.n_rows; ++i) {
    arma::mat rest = A, targets = Y;
    rest.shed_row(i);
    targets.shed_row(i);
    errors.row(i) = Y.row(i) - A.row(i) * solve_by_qr(rest, targets, lambda);
  }
  return errors;
}

struct LeveragesCase {
  uword n, k, c;
  double cond, lambda;
};

void PrintTo(const LeveragesCase& one, std::ostream* out) {
  *out << one.n << "x" << one.k << "x" << one.c << " cond " << one.cond << " lambda " << one.lambda;
}

/// The bound is first order and for one rounding; the steps of a growth and the sums of n terms commit some.
constexpr double kRoundings = 30;

template <class T>
void expect_leverages(const Leverages& of, const arma::mat& A, double lambda, const std::string& name) {
  const arma::vec exact = leverages_by_svd(A, lambda);
  ASSERT_EQ(of.h.n_elem, exact.n_elem) << name;
  for (uword i = 0; i < exact.n_elem; ++i)
    EXPECT_LE(std::abs(of.h(i) - exact(i)), kRoundings * of.rounding(i)) << name << " sample " << i;
  const arma::vec x =
      arma::sum(arma::square(A * arma::inv_sympd(A.t() * A + lambda * arma::eye(A.n_cols, A.n_cols))), 1);
  const double eps = std::numeric_limits<T>::epsilon();
  EXPECT_LE(of.rounding.max(),
            2 * eps * (arma::accu(A % A) * x.max() + std::sqrt(arma::max(arma::sum(A % A, 1)) * x.max()) + 1))
      << name << ": no looser than stated";
}

std::vector<std::string> block_ridge_names() {
  return algorithms_that([](const RidgeAlgorithm& row) { return row.ridge_solution && row.kind != StepKind::node; });
}

class LeveragesTest : public testing::TestWithParam<LeveragesCase> {};

INSTANTIATE_TEST_SUITE_P(Each, LeveragesTest,
                         testing::Values(LeveragesCase{30, 12, 2, 10, 0.1}, LeveragesCase{25, 12, 1, 1e3, 1e-4},
                                         LeveragesCase{20, 33, 3, 10, 0.5}, LeveragesCase{40, 9, 2, 1, 1e-8},
                                         LeveragesCase{24, 24, 1, 100, 1e-3}, LeveragesCase{1, 3, 1, 1, 1},
                                         LeveragesCase{30, 12, 2, 10, 1e4}));

TEST_P(LeveragesTest, OfGrowingSolversAreThoseOfTheSingularValues) {
  const auto [n, k, c, cond, lambda] = GetParam();
  const auto [H, Y] = make_problem(n, k, c, cond, 5);
  for (const std::string& name : ridge_names()) {
    SteppedSolver<double> solver(name, H, Y, lambda);
    ASSERT_EQ(solver.add(2), Status::ok);
    expect_leverages<double>(leverages<double>(solver.solver(), StoredMatrix<double>(H), 2, lambda), H.head_cols(2),
                             lambda, name);
    ASSERT_EQ(solver.add(k - 2), Status::ok);
    expect_leverages<double>(leverages<double>(solver.solver(), StoredMatrix<double>(H), k, lambda), H, lambda, name);
  }
}

TEST_P(LeveragesTest, OfBlockSolversAreThoseOfTheSingularValuesStoredOrInBlocks) {
  const auto [n, k, c, cond, lambda] = GetParam();
  const auto [A, Y] = make_problem(n, k, c, cond, 6);
  const InBlocks<double> blocks(A, 7);
  for (const std::string& name : block_ridge_names()) {
    GrowingRun<double> run(row_of(name), blocks, View<const double>(Y), lambda);
    ASSERT_EQ(run.add(1), Status::ok);
    ASSERT_EQ(run.add(k - 1), Status::ok) << name;
    const Leverages in_blocks = leverages<double>(run.solver(), blocks, k, lambda),
                    stored = leverages<double>(run.solver(), StoredMatrix<double>(A), k, lambda);
    expect_leverages<double>(in_blocks, A, lambda, name);
    expect_leverages<double>(stored, A, lambda, name);
  }
}

TEST_P(LeveragesTest, ErrorsOverWhatIsLeftAreThoseOfDeletion) {
  const auto [n, k, c, cond, lambda] = GetParam();
  if (n == 1) GTEST_SKIP() << "nothing is left to train on";
  const auto [H, Y] = make_problem(n, k, c, cond, 7);
  SteppedSolver<double> solver("panel", H, Y, lambda);
  ASSERT_EQ(solver.add(k), Status::ok);
  const Leverages of = leverages<double>(solver.solver(), StoredMatrix<double>(H), k, lambda);
  const arma::mat exact = errors_by_deletion(H, Y, lambda);

  arma::mat errors = Y - H * solver.weights();
  errors.each_col() /= 1 - of.h;

  // d(e / (1 - h)) = (de + dh e / (1 - h)) / (1 - h)
  const double off = kRoundings *
                     (arma::datum::eps * static_cast<double>(n + k) * arma::abs(Y).max() +
                      of.rounding.max() * arma::abs(exact).max()) /
                     (1 - of.h).min();
  EXPECT_LE(arma::abs(errors - exact).max(), off);
}

// The inverse of another matrix: that of R, off by a part of itself.
class WrongInverse final : public InverseOperator<double> {
 public:
  WrongInverse(const arma::mat& A, double lambda, double off)
      : P_(arma::inv_sympd(A.t() * A + lambda * arma::eye(A.n_cols, A.n_cols)) + off * random_part(A, lambda)) {}
  void apply_inverse(uword, View<double> X) const override {
    const arma::mat product = P_ * X.copy();
    for (uword j = 0; j < X.cols; ++j) std::copy_n(product.colptr(j), X.rows, &X(0, j));
  }

 private:
  static arma::mat random_part(const arma::mat& A, double lambda) {
    const arma::mat M = normal_matrix(A.n_cols, A.n_cols, 5, 2);
    return arma::norm(arma::inv_sympd(A.t() * A + lambda * arma::eye(A.n_cols, A.n_cols))) / arma::norm(M + M.t()) *
           (M + M.t());
  }
  arma::mat P_;
};

TEST_P(LeveragesTest, StableSolversDoNotDrift) {
  const auto [n, k, c, cond, lambda] = GetParam();
  const auto [H, Y] = make_problem(n, k, c, cond, 5);
  for (const std::string name : {"panel", "standard"}) {
    SteppedSolver<double> solver(name, H, Y, lambda);
    ASSERT_EQ(solver.add(2), Status::ok);
    ASSERT_EQ(solver.add(k - 2), Status::ok);
    EXPECT_LE(leverages<double>(solver.solver(), StoredMatrix<double>(H), k, lambda).drift, kRoundings) << name;
  }
}

TEST(Leverages, AnInverseThatIsWrongShowsItAtTheProbes) {
  const auto [H, Y] = make_problem(60, 12, 2, 100, 5);
  const double lambda = 1e-3;
  const arma::vec exact = leverages_by_svd(H, lambda);
  for (const double off : {1e-9, 1e-6}) {
    const Leverages of = leverages<double>(WrongInverse(H, lambda, off), StoredMatrix<double>(H), 12, lambda);
    const double error = arma::max(arma::abs(of.h - exact) / of.rounding);
    EXPECT_GT(of.drift, 1) << off;
    EXPECT_LE(error, 10 * of.drift) << off << ": ten times the error at the probes covers all";
    EXPECT_LE(of.drift, 2 * error) << off;
  }
}

// -x_i'G of weights that are off by anything is the way back to the minimiser, exactly.
TEST_P(LeveragesTest, OneRefinementGivesTheOutputsOfTheMinimiser) {
  const auto [n, k, c, cond, lambda] = GetParam();
  const auto [H, Y] = make_problem(n, k, c, cond, 5);
  SteppedSolver<double> solver("panel", H, Y, lambda);
  ASSERT_EQ(solver.add(k), Status::ok);
  const arma::mat exact = solve_by_qr(H, Y, lambda), W = exact + 0.01 * normal_matrix(k, c, 5, 3);
  const arma::mat gradient = H.t() * (H * W - Y) + lambda * W;

  const Leverages of = leverages<double>(solver.solver(), StoredMatrix<double>(H), k, lambda, gradient);

  EXPECT_LE(arma::abs(H * W + of.refined - H * exact).max(), 1e-12 * (1 + cond * cond) * arma::abs(Y).max());
}

// h_i = a_i'x_i + x_i'r_i + r_i'R^-1 r_i exactly. If r_i is the eigenvector of R^-1 at its norm and x_i'r_i
// is not negative, the estimate is this error itself.
TEST(DriftAtProbes, IsTheErrorOfALeverageForTheWorstResidual) {
  const arma::mat R = {{4, 0}, {0, 0.25}};
  const double inverse = 4, allowed = 1e-3;
  for (const arma::vec& x : {arma::vec{1, 0}, arma::vec{1, 0.5}, arma::vec{0, 2}}) {
    const arma::vec r = {0, 0.1}, a = R * x + r;
    const double error = arma::dot(a, arma::solve(R, a)) - arma::dot(a, x);
    EXPECT_NEAR(drift_at_probes(x, r, {allowed}, inverse), error / allowed, 1e-9) << x.t();
    EXPECT_EQ(drift_at_probes(x, arma::vec{0, arma::datum::nan}, {allowed}, inverse), arma::datum::inf);
  }
}

TEST(InverseNorm, IsThatOfTheInverseAsFarAsTheSolverKnowsIt) {
  for (const double unit : {1.0, 1e4}) {  // an inverse of norm 1e6, and one of norm 0.01
    auto [H, Y] = make_problem(60, 12, 2, 1e4, 5);
    H *= unit;
    const double lambda = 1e-6 * unit * unit;
    const double exact = arma::norm(arma::inv_sympd(arma::mat(H.t() * H + lambda * arma::eye(12, 12))));
    for (const std::string& name : ridge_names()) {
      SteppedSolver<double> solver(name, H, Y, lambda);
      ASSERT_EQ(solver.add(12), Status::ok);
      const double estimate = inverse_norm<double>(solver.solver(), StoredMatrix<double>(H), 12);
      EXPECT_LE(estimate, 1.01 * exact) << name << ", " << unit;
      EXPECT_GE(estimate, (solver.solver().at_samples_only() ? 1e-3 : 0.5) * exact) << name << ", " << unit;
    }
  }
}

TEST(Leverages, InSinglePrecisionAreWithinTheirBound) {
  const Problem<float> problem = make_problem<float>(60, 20, 2, 10, 8);
  const arma::mat A = arma::conv_to<arma::mat>::from(problem.H);
  for (const std::string& name : ridge_names()) {
    SteppedSolver<float> solver(name, problem.H, problem.T, 0.01);
    ASSERT_EQ(solver.add(4), Status::ok);
    ASSERT_EQ(solver.add(16), Status::ok);
    expect_leverages<float>(leverages<float>(solver.solver(), StoredMatrix<float>(problem.H), 20, 0.01), A, 0.01, name);
  }
  for (const std::string& name : block_ridge_names()) {
    const InBlocks<float> blocks(problem.H, 16);
    GrowingRun<float> run(row_of(name), blocks, View<const float>(problem.T), 0.01);
    ASSERT_EQ(run.add(20), Status::ok);
    expect_leverages<float>(leverages<float>(run.solver(), blocks, 20, 0.01), A, 0.01, name);
  }
}

TEST(Leverages, OfAMixedSolverAreThatOfItsFactor) {
  const Problem<float> problem = make_problem<float>(60, 20, 2, 10, 9);
  const StoredMatrix<float> A{View<const float>(problem.H)};
  GrowingRun<float> run(row_of("standard"), A, View<const float>(problem.T), 0.01, Arithmetic::wide_gram);
  ASSERT_EQ(run.add(20), Status::ok);
  expect_leverages<float>(leverages<float>(run.solver(), StoredMatrix<float>(problem.H), 20, 0.01),
                          arma::conv_to<arma::mat>::from(problem.H), 0.01, "mixed");
}

TEST(Leverages, OfMoreSamplesThanABlockHasAreThoseOfEach) {
  const auto [H, Y] = make_problem(2500, 5, 1, 10, 10);
  for (const std::string name : {"alg1", "panel"}) {  // one holds A R^-1 by samples, one a factor
    SteppedSolver<double> solver(name, H, Y, 0.1);
    ASSERT_EQ(solver.add(5), Status::ok);
    expect_leverages<double>(leverages<double>(solver.solver(), StoredMatrix<double>(H), 5, 0.1), H, 0.1, name);
  }
}

// Sample 7 is alone in a direction in which it is short, so that 1 - h_7 = lambda / (1e-8 + lambda) is lost
// in the rounding errors of A'A if lambda is small. The size of the other samples sets this limit.
TEST(LeftOut, IsRightToADigitOrNotThere) {
  arma::mat A = normal_matrix(40, 6, 5, 2);
  A.col(5).zeros();
  A.row(7).zeros();
  A(7, 5) = 1e-4;
  A *= orthonormal_matrix(6, 6, 5, 1).t();
  const arma::mat Y = normal_matrix(40, 2, 5, 3);
  int there = 0, missing = 0;
  for (const double lambda : {1e-16, 1e-15, 1e-14, 1e-12, 1e-10, 1e-8, 1e-6}) {
    SteppedSolver<double> solver("panel", A, Y, lambda);
    ASSERT_EQ(solver.add(6), Status::ok);
    const auto of =
        left_out<double>(solver.solver(), StoredMatrix<double>(A), {7}, solve_by_qr(A, Y, lambda), Y.row(7));
    of ? ++there : ++missing;
    if (!of) continue;
    const arma::mat exact = errors_by_deletion(A, Y, lambda).row(7);
    EXPECT_LE(arma::norm(of->residuals - exact), 0.1 * arma::norm(exact)) << lambda;
    const arma::mat R = A.t() * A + lambda * arma::eye(6, 6);
    EXPECT_LE(arma::norm(of->directions - arma::solve(R, A.row(7).t())), 0.1 * arma::norm(of->directions)) << lambda;
  }
  EXPECT_GE(there, 2);
  EXPECT_GE(missing, 2);
}

// Each sample alone in its direction, h_i = 1 / (1 + lambda): 1 - h_i is below the spacing of numbers at 1.
TEST(Leverages, OfInterpolationAreNotToldFromOneByTheirBound) {
  const arma::mat H = 3 * arma::eye(6, 6), Y(6, 1, arma::fill::ones);
  SteppedSolver<double> solver("panel", H, Y, 1e-17);
  ASSERT_EQ(solver.add(6), Status::ok);
  const Leverages of = leverages<double>(solver.solver(), StoredMatrix<double>(H), 6, 1e-17);

  EXPECT_TRUE(arma::all(1 - of.h <= of.rounding));
}

}  // namespace
}  // namespace elmx
