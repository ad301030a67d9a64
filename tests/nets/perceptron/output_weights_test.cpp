#include "nets/perceptron/output_weights.hpp"

#include <gtest/gtest.h>

#include "linalg/decompositions.hpp"
#include "nets/golden.hpp"
#include "support/framed.hpp"
#include "support/judge.hpp"
#include "support/ridge_solution.hpp"
#include "support/status.hpp"
#include "support/threads.hpp"
#include "support/thrown.hpp"

namespace elmx {
namespace {

OutputProblem output_problem(const Problem<double>& problem, double tau) { return {problem.H, problem.T, tau}; }

/// The weights reached after so many iterations from `start`.
arma::mat after(const OutputProblem& problem, std::size_t iterations, arma::mat start, CgOptions options = {}) {
  options.iterations = iterations;
  minimise_by_cg(problem, options, start);
  return start;
}

class OutputWeightsGolden : public testing::TestWithParam<const char*> {
 protected:
  const Golden golden{GetParam()};
  const Net net = golden.net();
  const arma::mat H = hidden_by_definition(net.X, net.W);
  const OutputProblem problem{H, net.Y, net.tau_lambda};
};

INSTANTIATE_TEST_SUITE_P(Each, OutputWeightsGolden, testing::Values("dec_core_scalar", "dec_core_multi"));

TEST_P(OutputWeightsGolden, RidgeSolution) {
  arma::mat by_cholesky, by_qr;

  ASSERT_EQ(solve_by_cholesky(problem, by_cholesky), Status::ok);
  ASSERT_EQ(solve_by_qr(problem, by_qr), Status::ok);

  for (const arma::mat& Lambda : {by_cholesky, by_qr, after(problem, 100, net.Lambda, {.tolerance = 1e-14})}) {
    EXPECT_TRUE(golden.agrees(Lambda, matrix_from(golden.expected["Lambda_min"])));
    EXPECT_TRUE(golden.agrees(static_cast<double>(error_by_definition(net, net.W, Lambda)),
                              golden.expected["E_at_Lambda_min"]));
  }
}

TEST_P(OutputWeightsGolden, IteratesOfConjugateGradients) {
  const arma::vec y = net.Y.col(0), b = H.t() * y;
  for (const Json& iterate : golden.expected["cg_iterates"]) {
    const arma::mat Lambda = after(problem, iterate["iter"].get<std::size_t>(), net.Lambda, {.tolerance = 1e-12});

    const arma::vec lambda = Lambda.col(0), residual = H * lambda - y;
    const double least_squares = std::sqrt(arma::dot(residual, residual) + net.tau_lambda * arma::dot(lambda, lambda));
    EXPECT_TRUE(golden.agrees(lambda, vector_from(iterate["lambda_col0"]))) << iterate["iter"];
    EXPECT_TRUE(golden.agrees(arma::norm(H.t() * residual + net.tau_lambda * lambda) / arma::norm(b),
                              iterate["normal_residual_rel"]));
    EXPECT_TRUE(golden.agrees(least_squares / arma::norm(y), iterate["ls_residual_rel"]));
  }
}

// Both tests stop at the first iterate whose ratio is below the tolerance: the third here.
TEST_P(OutputWeightsGolden, ConjugateGradientsStopWhereTheirTestSays) {
  const Json& iterates = golden.expected["cg_iterates"];
  for (const bool literal : {false, true}) {
    const char* ratio = literal ? "ls_residual_rel" : "normal_residual_rel";
    for (const uword stop : {1u, 2u, 3u}) {
      const double least = iterates[stop - 1][ratio].get<double>();
      bool first = true;
      for (uword i = 0; i + 1 < stop; ++i) first = first && iterates[i][ratio].get<double>() > least * 1.0001;
      if (!first) continue;
      arma::mat lambda = net.Lambda.col(0);
      const arma::mat y = net.Y.col(0);

      EXPECT_EQ(minimise_by_cg({H, y, net.tau_lambda}, {.tolerance = least * 1.0001, .literal = literal}, lambda), stop)
          << ratio;
    }
  }
}

struct Case {
  uword N, L, c;
  double cond, tau;
};

void PrintTo(const Case& one, std::ostream* out) {
  *out << one.N << "x" << one.L << "x" << one.c << "_cond" << one.cond << "_tau" << one.tau;
}

class OutputWeightsTest : public testing::TestWithParam<Case> {
 protected:
  const Problem<double> data = make_problem(GetParam().N, GetParam().L, GetParam().c, GetParam().cond, 7);
  const OutputProblem problem = output_problem(data, GetParam().tau);
};

INSTANTIATE_TEST_SUITE_P(Shapes, OutputWeightsTest,
                         testing::Values(Case{200, 20, 1, 10, 1e-3}, Case{200, 20, 3, 10, 1e-3},
                                         Case{20, 40, 2, 10, 1e-3}, Case{1, 1, 1, 1, 1e-3},
                                         Case{700, 60, 2, 1e4, 1e-3}));

TEST_P(OutputWeightsTest, DirectSolutionsAreStationary) {
  arma::mat by_cholesky, by_qr;

  ASSERT_EQ(solve_by_cholesky(problem, by_cholesky), Status::ok);
  ASSERT_EQ(solve_by_qr(problem, by_qr), Status::ok);

  EXPECT_LE(ridge_backward_error(data.H, data.T, GetParam().tau, by_cholesky), tolerance(GetParam().N, GetParam().L));
  EXPECT_LE(ridge_backward_error(data.H, data.T, GetParam().tau, by_qr), tolerance(GetParam().N, GetParam().L));
}

TEST_P(OutputWeightsTest, AllSolversAgree) {
  const RidgeSolution exact = solve_by_svd(data.H, data.T, GetParam().tau);
  arma::mat by_cholesky, by_qr;
  ASSERT_EQ(solve_by_cholesky(problem, by_cholesky), Status::ok);
  ASSERT_EQ(solve_by_qr(problem, by_qr), Status::ok);
  const arma::mat by_cg =
      after(problem, 0, arma::mat(GetParam().L, GetParam().c, arma::fill::zeros), {.tolerance = 1e-13});

  const double bound = tolerance(GetParam().N, GetParam().L) * exact.condition;
  EXPECT_LE(relative_difference(by_cholesky, exact.weights), bound);
  EXPECT_LE(relative_difference(by_qr, exact.weights), bound);
  EXPECT_LE(relative_difference(by_cg, exact.weights), bound + 1e-13 * exact.condition);
}

TEST_P(OutputWeightsTest, ConjugateGradientsNeverIncreaseTheError) {
  const arma::mat start = normal_matrix(GetParam().L, GetParam().c, 8);
  const auto error = [&](const arma::mat& Lambda) {
    const double r = frobenius(data.H * Lambda - data.T), l = frobenius(Lambda);
    return 0.5 * (r * r + GetParam().tau * l * l);
  };
  double before = error(start);

  for (std::size_t iterations = 1; iterations <= 30; ++iterations) {
    const double now = error(after(problem, iterations, start, {.tolerance = 1e-14}));
    EXPECT_LE(now, before + 1e-12 * (1 + before)) << iterations;
    before = now;
  }
}

TEST(OutputWeights, ConjugateGradientsFromTheSolutionTakeNoIteration) {
  const auto data = make_problem(100, 8, 2, 10, 7);
  arma::mat Lambda;
  ASSERT_EQ(solve_by_qr(output_problem(data, 0.1), Lambda), Status::ok);
  const arma::mat before = Lambda;

  EXPECT_EQ(minimise_by_cg(output_problem(data, 0.1), {}, Lambda), 0u);
  EXPECT_TRUE(identical(before, Lambda));
}

TEST(OutputWeights, ConjugateGradientsHaltOnASolutionThatIsExact) {
  const auto data = make_problem(100, 8, 2, 10, 7);
  const arma::mat zero(100, 2, arma::fill::zeros);
  arma::mat Lambda(8, 2, arma::fill::zeros);

  EXPECT_EQ(minimise_by_cg({data.H, zero, 0.1}, {.tolerance = 1e-300, .literal = true}, Lambda), 0u);
  EXPECT_EQ(frobenius(Lambda), 0);
}

// The residual of least squares does not vanish: (38) as it is printed never succeeds. Ten times the units,
// for each output.
TEST(OutputWeights, TheLiteralTestEndsAtTheLimitOfIterations) {
  const auto data = make_problem(300, 40, 2, 1e3, 7);
  arma::mat literal(40, 2, arma::fill::zeros), limited = literal, normal = literal;
  const OutputProblem problem = output_problem(data, 1e-3);

  EXPECT_EQ(minimise_by_cg(problem, {.literal = true}, literal), 2u * 10 * 40);
  EXPECT_EQ(minimise_by_cg(problem, {.iterations = 17, .literal = true}, limited), 2u * 17);
  EXPECT_LT(minimise_by_cg(problem, {}, normal), 2u * 10 * 40);
}

TEST(OutputWeights, TheLiteralTestHoldsThePenalty) {
  const auto data = make_problem(50, 10, 1, 10, 7);
  const OutputProblem problem = output_problem(data, 0.5);
  arma::mat first(10, 1, arma::fill::zeros), lambda = first;
  minimise_by_cg(problem, {.iterations = 1}, first);
  const double ratio =
      std::hypot(frobenius(data.H * first - data.T), std::sqrt(0.5) * frobenius(first)) / frobenius(data.T);

  for (const double nudge : {1e-9, -1e-9}) {
    lambda.zeros();
    const std::size_t iterations = minimise_by_cg(problem, {.tolerance = ratio * (1 + nudge), .literal = true}, lambda);
    EXPECT_EQ(iterations == 1, nudge > 0);
  }
}

TEST(OutputWeights, TheTestOfTheGradientIsMadeInAddition) {
  const auto data = make_problem(300, 40, 1, 1e3, 7);
  const OutputProblem problem = output_problem(data, 1e-3);
  const auto gradient_of = [&](const CgOptions& options) {
    arma::mat Lambda(40, 1, arma::fill::zeros);
    minimise_by_cg(problem, options, Lambda);
    return frobenius(data.H.t() * (data.H * Lambda - data.T) + 1e-3 * Lambda);
  };
  const double usual = gradient_of({.tolerance = 1e-2});

  EXPECT_GT(usual, 1e-6);
  EXPECT_LE(gradient_of({.tolerance = 1e-2, .gradient = 1e-6}), 1e-6 * (1 + 1e-6));
  EXPECT_EQ(gradient_of({.tolerance = 1e-2, .gradient = 1e6}), usual) << "the weaker of two tests changes nothing";
}

TEST(OutputWeights, AsThePenaltyVanishesTheyAreThoseOfMinimumNorm) {
  const auto data = make_problem(120, 15, 2, 10, 7);
  arma::mat least;
  ASSERT_EQ(minimum_norm(data.H, data.T, least), Status::ok);

  for (const double tau : {1e-6, 1e-9, 1e-12}) {
    arma::mat Lambda;
    ASSERT_EQ(solve_by_cholesky(output_problem(data, tau), Lambda), Status::ok);
    // (H'H)^-1 tau at most, and what Cholesky leaves
    EXPECT_LE(relative_difference(Lambda, least), 100 * tau + 100 * tolerance(120, 15)) << tau;
  }
}

TEST(OutputWeights, RefuseWhatIsNotANumberAndWhatIsSingular) {
  auto data = make_problem(50, 5, 2, 10, 7);
  const arma::mat before(5, 2, arma::fill::ones);
  const auto refused = [&](double tau) {
    arma::mat Lambda = before;
    EXPECT_NE(solve_by_cholesky(output_problem(data, tau), Lambda), Status::ok);
    EXPECT_TRUE(identical(Lambda, before)) << "left as it was";
    EXPECT_NE(solve_by_qr(output_problem(data, tau), Lambda), Status::ok);
  };

  data.H.col(3) = data.H.col(1);
  refused(0);
  data.T(7, 1) = arma::datum::nan;
  refused(0.1);
}

TEST(OutputWeights, ConjugateGradientsRefuseWeightsOfAnotherShape) {
  const auto data = make_problem(50, 5, 2, 10, 7);
  arma::mat Lambda(5, 1);

  EXPECT_NE(thrown<std::logic_error>([&] { minimise_by_cg(output_problem(data, 1), {}, Lambda); }), "");
}

TEST(OutputWeights, ResultsDoNotDependOnTheNumberOfThreads) {
  const auto data = make_problem(10000, 12, 2, 100, 7);
  const auto on = [&](int count) {
    const Threads scope(count);
    arma::mat one, other, third(12, 2, arma::fill::zeros);
    EXPECT_EQ(solve_by_cholesky(output_problem(data, 1e-3), one), Status::ok);
    EXPECT_EQ(solve_by_qr(output_problem(data, 1e-3), other), Status::ok);
    minimise_by_cg(output_problem(data, 1e-3), {}, third);
    return arma::mat(arma::join_rows(one, other, third));
  };

  for (const int count : {2, 3}) EXPECT_TRUE(identical(on(1), on(count)));
}

}  // namespace
}  // namespace elmx
