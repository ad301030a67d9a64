#include "models/solver_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "linalg/kernel_function.hpp"
#include "solvers/kernel/kernel_ridge.hpp"
#include "solvers/ridge_algorithms.hpp"
#include "solvers/updates/updated_ridge.hpp"

namespace elmx {
namespace {

constexpr uword kSamples = 130, kNodes = 65, kOutputs = 2;
constexpr std::array kConditions{1.0, 1e3, 1e6, 1e12};

/// Returns true if a condition number leaves a result digits in a precision.
bool leaves_digits(double condition, double eps) { return condition * static_cast<double>(kSamples) * eps < 0.1; }

/// Weights, or none if the solver has refused the problem.
using Found = std::optional<arma::mat>;

/// A ridge problem whose R = A'A + lambda I has half of `condition`: lambda = the least eigenvalue of A'A.
template <class T>
struct ConditionedRidge {
  double condition;
  double lambda = 1 / condition;
  arma::Mat<T> A, Y;

  ConditionedRidge(uword samples, uword nodes, double its_condition)
      : condition(its_condition),
        A(arma::conv_to<arma::Mat<T>>::from(of_condition(samples, nodes, std::sqrt(condition), 30))),
        Y(arma::conv_to<arma::Mat<T>>::from(random_entries(samples, kOutputs, 7))) {}

  /// Adds the backward error of weights in eps to the group. The limit of an unstable solver, which carries
  /// an inverse or updates a factor, grows with the condition beyond 1e3. If the square of the condition
  /// takes all digits, such a solver may also refuse the problem.
  void add_to(CheckGroup& group, const std::string& name, const Found& W, double eps, bool stable) const {
    if (!W && !stable && condition * condition * eps > 1) return;
    const arma::mat wide_A = arma::conv_to<arma::mat>::from(A), wide_Y = arma::conv_to<arma::mat>::from(Y);
    const double error = W ? plain_backward_error(wide_A, wide_Y, lambda, *W) / eps : arma::datum::inf;
    group.add(name, fmt::format("{} nodes, condition {:.0e}", A.n_cols, condition),
              stable ? error : error / std::max(1.0, condition / 1e3));
  }
};

// Ridge solvers

/// Returns the row with each choice of its own options.
std::vector<RidgeAlgorithm> variants_of(const RidgeAlgorithm& row) {
  std::vector<RidgeAlgorithm> all{ridge_algorithm(row.name)};
  for (const AlgorithmVariant& variant : row.variants) all.push_back(ridge_algorithm(row.name, variant.options));
  return all;
}

/// Grows to all nodes in three steps, or in one for the generalised inverse: then it is the ridge solution.
template <class T>
Found grown_weights(const RidgeAlgorithm& row, const ConditionedRidge<T>& problem, Arithmetic arithmetic) {
  const StoredMatrix<T> A{View<const T>(problem.A)};
  GrowingRun<T> run(row, A, View<const T>(problem.Y), problem.lambda, arithmetic);
  const uword L = problem.A.n_cols, first = row.ridge_solution ? L / 2 : L;
  for (const uword q : {first, (L - first) / 2, L - first - (L - first) / 2}) {
    if (q > 0 && run.add(q) != Status::ok) return std::nullopt;
  }
  return run.solver().wide_weights();
}

template <class T>
void check_ridge_solver(const RidgeAlgorithm& row, Arithmetic arithmetic, const std::string& precision,
                        CheckGroup& group) {
  const bool in_double = arithmetic != Arithmetic::of_samples || std::is_same_v<T, double>;
  const double eps = in_double ? arma::datum::eps : std::numeric_limits<float>::epsilon();
  const std::string name = fmt::format("{}, {}", row.name, precision);
  for (const double condition : kConditions) {
    if (!leaves_digits(condition, eps)) continue;
    const ConditionedRidge<T> problem(kSamples, kNodes, condition);
    problem.add_to(group, name, grown_weights(row, problem, arithmetic), eps,
                   row.stable() || arithmetic == Arithmetic::mixed);
  }
  static const ConditionedRidge<T> tall(8200, 36, 100);  // several threads share even a product with a vector
  group.add(name, "8200 samples, with 1, 2 and all threads",
            same_for_any_threads([&] { return grown_weights(row, tall, arithmetic).value_or(arma::mat()); }));
}

CheckGroup check_ridge_solvers() {
  CheckGroup group{.name = "ridge solvers"};
  for (const RidgeAlgorithm& any : ridge_algorithms()) {
    for (const RidgeAlgorithm& row : variants_of(any)) {
      check_ridge_solver<double>(row, Arithmetic::of_samples, "double", group);
      check_ridge_solver<float>(row, Arithmetic::of_samples, "single", group);
      if (row.name == "standard") check_ridge_solver<float>(row, Arithmetic::wide_gram, "Gram matrix in double", group);
      if (!row.factor || row.factor->kind == FactorForm::Kind::inverse_ldl) continue;
      check_ridge_solver<double>(row, Arithmetic::mixed, "mixed", group);
      check_ridge_solver<float>(row, Arithmetic::mixed, "mixed, nodes in single", group);
    }
  }
  return group;
}

// Updates by samples and nodes

/// Adds samples, removes some of them, and removes nodes. Changes `problem` to what is left.
Found updated_weights(UpdatedRidge& solver, ConditionedRidge<double>& problem) {
  const arma::mat &A = problem.A, &Y = problem.Y;
  const auto change = [&](uword first, uword last, Change what) {
    return solver.change(arma::mat(A.rows(first, last)), arma::mat(Y.rows(first, last)), what) == Status::ok;
  };
  const arma::uvec nodes{0, 7, kNodes - 1};
  if (!change(0, 98, Change::add) || !change(99, 99, Change::add) || !change(100, kSamples - 1, Change::add) ||
      !change(3, 19, Change::remove) || solver.remove_nodes(nodes) != Status::ok)
    return std::nullopt;
  problem.A.shed_rows(3, 19);
  problem.Y.shed_rows(3, 19);
  problem.A.shed_cols(nodes);
  return solver.weights();
}

CheckGroup check_updates() {
  CheckGroup group{.name = "updates by samples"};
  for (const UpdateAlgorithm& row : update_algorithms()) {
    for (const bool checked : {false, true}) {
      if (checked && !row.checkable) continue;
      for (const double condition : kConditions) {
        ConditionedRidge<double> problem(kSamples, kNodes, condition);
        const auto solver = row.make(kNodes, kOutputs, problem.lambda, checked);
        const Found W = updated_weights(*solver, problem);
        problem.add_to(group, fmt::format("{}{}", row.name, checked ? ", checked" : ""), W, arma::datum::eps,
                       !row.checkable);
      }
    }
  }
  return group;
}

// Kernel machines

/// Returns the larger of ||Y - R a - 1 b|| and |1'a| in eps, relative to their terms.
double kernel_ratio(const arma::mat& K, const arma::mat& Y, double lambda, const KernelFit& fit, double eps) {
  arma::mat left = Y - plain_product(K, fit.alpha) - lambda * fit.alpha;
  left.each_row() -= fit.intercept;
  const double a = plain_norm(fit.alpha), n = static_cast<double>(K.n_rows);
  const double residual = plain_norm(left) / ((plain_norm(K) + lambda) * a + plain_norm(Y));
  const double sums = plain_norm(arma::sum(fit.alpha, 0)) / (std::sqrt(n) * a);
  return std::max(residual, sums) / eps;
}

CheckGroup check_kernel_machines() {
  CheckGroup group{.name = "kernel machines"};
  constexpr uword n = kSamples;
  const arma::mat X = random_entries(n, 3, 8), Y = random_entries(n, kOutputs, 9);
  for (const KernelInfo& kernel : kernels()) {
    const auto points = kernel_points<double>({kernel.kernel, 1}, X);
    arma::mat K(n, n);
    kernel_entries(kernel.kernel, points, 0, points, 0, View<double>(K));
    const KernelMatrix<double> matrix(kernel.kernel, points);
    for (const auto& [arithmetic, name] :
         {std::pair{KernelArithmetic::in_double, "double"}, std::pair{KernelArithmetic::in_single, "single"},
          std::pair{KernelArithmetic::mixed, "mixed"}}) {
      const bool single = arithmetic == KernelArithmetic::in_single;
      for (const double condition : kConditions) {
        const double factor_eps = arithmetic == KernelArithmetic::in_double ? arma::datum::eps : 0x1p-23,
                     lambda = arma::trace(K) / condition;
        KernelFit fit;
        const Status status = solve_kernel_ridge(matrix, Y, {lambda, true, arithmetic, n}, fit);
        // A factor in single precision may be unable to tell lambda from rounding, and then says so.
        if (status == Status::not_positive_definite && !leaves_digits(condition, factor_eps)) continue;
        group.add(fmt::format("{} kernel, {}", kernel.name, name), fmt::format("condition {:.0e}", condition),
                  status == Status::ok ? kernel_ratio(K, Y, lambda, fit, single ? factor_eps : arma::datum::eps)
                                       : arma::datum::inf);
      }
    }
  }
  return group;
}

}  // namespace

std::vector<CheckGroup> check_solvers() { return {check_ridge_solvers(), check_updates(), check_kernel_machines()}; }

}  // namespace elmx
