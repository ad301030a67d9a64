#include <gtest/gtest.h>

#include "cluster/shared_problem.hpp"
#include "cluster/whole.hpp"
#include "solvers/ridge_algorithms.hpp"
#include "support/ridge_solution.hpp"
#include "support/status.hpp"

namespace elmx {
namespace {

std::vector<std::string> factor_names() {
  return algorithms_that([](const RidgeAlgorithm& row) { return row.factor.has_value(); });
}

template <class T>
class DistributedRidgeTest : public testing::Test {
 protected:
  static constexpr std::array<uword, 5> kNodes{3, 32, 41, 90, 130};
  const std::vector<double> lambdas_{1e-3, 0.1, 10};

  /// A'(A W - Y) + lambda W = 0 at every size, for all ridge parameters of a sweep.
  void expect_solved(const std::string& name, GramOver over, const Problem<T>& problem) const {
    const SharedProblem<T> shared(problem, over);
    const auto sweep = distributed_sweep<T>(row_of(name), shared.samples(), Arithmetic::of_samples);
    std::vector<std::unique_ptr<GrowingRidge<T>>> solvers;
    for (const double lambda : lambdas_) solvers.push_back(sweep->solver(lambda));
    for (const uword size : kNodes) {
      sweep->advance(size - sweep->nodes());
      const Problem<T> part = first_nodes(problem, size);
      for (std::size_t i = 0; i < lambdas_.size(); ++i) {
        const Status status = solvers[i]->grow(sweep->products());
        const arma::Mat<T> W = solvers[i]->weights();

        EXPECT_EQ(status, Status::ok) << name << ", " << size << ", " << lambdas_[i];
        EXPECT_LE(ridge_backward_error(part.H, part.T, lambdas_[i], W),
                  allowed(name, part, condition(part, lambdas_[i])))
            << name << ", " << size << ", " << lambdas_[i];
        EXPECT_TRUE(same_on_all_ranks(W)) << name << ", " << size << ", " << lambdas_[i];
      }
    }
  }

  static double condition(const Problem<T>& problem, double lambda) {
    return solve_by_svd(arma::conv_to<arma::mat>::from(problem.H), arma::conv_to<arma::mat>::from(problem.T), lambda)
        .condition;
  }
};

using BothTypes = testing::Types<double, float>;
TYPED_TEST_SUITE(DistributedRidgeTest, BothTypes);

TYPED_TEST(DistributedRidgeTest, EveryAlgorithmWithAFactorSolvesItsProblemAtEverySize) {
  const auto problem = make_problem<TypeParam>(100, 130, 3, 30, 7);
  EXPECT_EQ(factor_names(), (std::vector<std::string>{"standard", "panel", "chol-1", kByCholesky, "chol-1 inverse_ldl",
                                                      "d-rdg", "auto"}));
  for (const std::string& name : factor_names()) {
    for (const GramOver over : {GramOver::samples, GramOver::nodes}) this->expect_solved(name, over, problem);
  }
}

TYPED_TEST(DistributedRidgeTest, TimesTheInverseIsTimesTheInverse) {
  using T = TypeParam;
  constexpr double kLambda = 0.1;
  const auto problem = make_problem<T>(100, 70, 1, 30, 7);
  const arma::mat H = arma::conv_to<arma::mat>::from(problem.H), X = normal_matrix(70, 2, 3),
                  R = H.t() * H + kLambda * arma::eye(70, 70);
  for (const std::string& name : factor_names()) {
    const SharedProblem<T> shared(problem, GramOver::samples);
    const auto sweep = distributed_sweep<T>(row_of(name), shared.samples(), Arithmetic::of_samples);
    const auto solver = sweep->solver(kLambda);
    sweep->advance(33);
    EXPECT_EQ(solver->grow(sweep->products()), Status::ok);
    sweep->advance(37);
    EXPECT_EQ(solver->grow(sweep->products()), Status::ok);
    arma::Mat<T> Z = arma::conv_to<arma::Mat<T>>::from(X);

    solver->apply_inverse(0, View<T>(Z));

    const double cond = this->condition(problem, kLambda);
    EXPECT_LE(relative_difference<double>(R * arma::conv_to<arma::mat>::from(Z), X), tolerance<T>(100, 70) * cond)
        << name;
  }
}

}  // namespace
}  // namespace elmx
