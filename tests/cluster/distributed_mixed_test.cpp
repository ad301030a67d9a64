#include <gtest/gtest.h>

#include "cluster/shared_problem.hpp"
#include "cluster/whole.hpp"
#include "solvers/ridge_algorithms.hpp"
#include "support/extended_solution.hpp"
#include "support/status.hpp"

namespace elmx {
namespace {

/// Sigmoid nodes, whose outputs are little else than their means.
template <class T>
Problem<T> sigmoid_problem(uword N, uword L) {
  const arma::mat X = normal_matrix(N, 8, 1), W = normal_matrix(8, L, 2) / 3;
  const arma::mat H = 1 / (1 + arma::exp(-X * W));
  return {arma::conv_to<arma::Mat<T>>::from(H),
          arma::conv_to<arma::Mat<T>>::from(arma::mat(arma::sin(X.head_cols(2)) + 0.1 * normal_matrix(N, 2, 3)))};
}

template <class T>
class DistributedMixedTest : public testing::Test {
 protected:
  using Solvers = std::vector<std::unique_ptr<GrowingRidge<T>>>;

  /// A sweep over `lambdas` that has grown by these steps.
  Solvers grown(Sweep<T>& sweep, const std::vector<double>& lambdas, const std::vector<uword>& steps) {
    Solvers solvers;
    for (const double lambda : lambdas) solvers.push_back(sweep.solver(lambda));
    for (const uword q : steps) {
      sweep.advance(q);
      for (auto& solver : solvers) EXPECT_EQ(solver->grow(sweep.products()), Status::ok);
    }
    return solvers;
  }
};

using BothTypes = testing::Types<double, float>;
TYPED_TEST_SUITE(DistributedMixedTest, BothTypes);

TYPED_TEST(DistributedMixedTest, WeightsAreAsExactAsThoseOfDouble) {
  using T = TypeParam;
  const std::vector<double> lambdas{1e-2, 1};
  const Problem<T> problem = sigmoid_problem<T>(400, 90);
  const arma::mat H = arma::conv_to<arma::mat>::from(problem.H), Y = arma::conv_to<arma::mat>::from(problem.T);
  for (const std::string name : {"standard", "panel", "chol-1", "d-rdg", "auto"}) {
    for (const GramOver over : {GramOver::samples, GramOver::nodes}) {
      const SharedProblem<T> shared(problem, over);
      const auto sweep = distributed_sweep<T>(row_of(name), shared.samples(), Arithmetic::mixed);
      const auto solvers = this->grown(*sweep, lambdas, {20, 37, 33});
      for (std::size_t i = 0; i < lambdas.size(); ++i) {
        const arma::mat exact = solve_extended(H, Y, lambdas[i]), W = solvers[i]->wide_weights();
        const arma::mat R = H.t() * H + lambdas[i] * arma::eye(90, 90);

        EXPECT_NE(solvers[i]->method(), "double") << name;
        // what rounding R and H'Y once in double may change; the error of one solution in double is a matter
        // of luck
        EXPECT_LE(relative_difference(W, exact), arma::datum::eps / 2 * arma::cond(R)) << name << lambdas[i];
        EXPECT_TRUE(same_on_all_ranks(W)) << name;
        EXPECT_LE(solvers[i]->mixed_step()->products, 8u) << name;
      }
    }
  }
}

// Two columns that are equal, and next to no lambda: no shift makes a good preconditioner.
TYPED_TEST(DistributedMixedTest, WhereSingleWillNotDoItIsDouble) {
  using T = TypeParam;
  constexpr double kLambda = 1e-9;
  Problem<T> problem = sigmoid_problem<T>(200, 40);
  problem.H.col(7) = problem.H.col(3);
  for (const GramOver over : {GramOver::samples, GramOver::nodes}) {
    const SharedProblem<T> shared(problem, over);
    const auto sweep = distributed_sweep<T>(row_of("panel"), shared.samples(), Arithmetic::mixed);
    const auto solvers = this->grown(*sweep, {kLambda}, {10, 30});

    const arma::mat H = arma::conv_to<arma::mat>::from(problem.H), Y = arma::conv_to<arma::mat>::from(problem.T);
    EXPECT_LE(ridge_backward_error(H, Y, kLambda, solvers.front()->wide_weights()), tolerance(200, 40));
  }
}

TYPED_TEST(DistributedMixedTest, TimesTheInverseIsTimesTheInverse) {
  using T = TypeParam;
  const Problem<T> problem = sigmoid_problem<T>(300, 50);
  const SharedProblem<T> shared(problem, GramOver::samples);
  const arma::mat H = arma::conv_to<arma::mat>::from(problem.H), X = normal_matrix(50, 3, 5);
  for (const std::string name : {"panel", "chol-1"}) {
    const auto sweep = distributed_sweep<T>(row_of(name), shared.samples(), Arithmetic::mixed);
    const auto solvers = this->grown(*sweep, {0.1}, {20, 30});
    arma::Mat<T> Z = arma::conv_to<arma::Mat<T>>::from(X);

    solvers.front()->apply_inverse(0, View<T>(Z));

    const arma::mat R = H.t() * H + 0.1 * arma::eye(50, 50);
    EXPECT_LE(relative_difference<double>(R * arma::conv_to<arma::mat>::from(Z), X),
              tolerance<float>(300, 50) * arma::cond(R))
        << name;
  }
}

}  // namespace
}  // namespace elmx
