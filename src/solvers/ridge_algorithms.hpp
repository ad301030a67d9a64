#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "solvers/blocks/block_solvers.hpp"
#include "solvers/mixed/centred_gram.hpp"
#include "solvers/mixed/mixed_ridge.hpp"
#include "solvers/one_node/one_node_growth.hpp"

namespace elmx {

/// The coefficients of the flops of a step.
struct StepFlops {
  // A node behind l others, over K samples with M outputs, as in Table I of the inverse-free paper:
  double lK = 0;   ///< l K, updating the intermediate results
  double MlK = 0;  ///< M l K, updating the output weights
  double MK = 0;   ///< M K, updating the output weights
  // q nodes behind k others, n = k + q in total, over l samples:
  double lkq = 0, lqq = 0;  ///< l k q and l q^2, products with the samples
  double lnn = 0;           ///< l n^2, products of all nodes anew
  double nnn = 0;           ///< n^3, a factorisation of all nodes anew
  double grown = 0;         ///< n^3 - k^3, the growth of a factor
};

/// The type of a step.
enum class StepKind {
  node,   ///< one node; the samples must be stored
  block,  ///< any number of nodes
  anew    ///< any number of nodes, everything computed anew: one step from size to size
};

/// The options of single algorithms. Each struct stands beside its solvers and lists its members.
struct AlgorithmOptions {
  ProductOptions products = {};
  Chol1Options chol1 = {};
  Chol2Options chol2 = {};
};

/// Makes a solver in double or in single. It is made of a generic lambda without captures.
class SolverMaker {
 public:
  template <class Make>
  constexpr SolverMaker(Make make) : in_double_(make), in_single_(make) {}  // NOLINT: meant to convert

  auto operator()(const GrowingProblem<double>& problem, const AlgorithmOptions& options) const {
    return in_double_(problem, options);
  }
  auto operator()(const GrowingProblem<float>& problem, const AlgorithmOptions& options) const {
    return in_single_(problem, options);
  }

 private:
  std::unique_ptr<GrowingRidge<double>> (*in_double_)(const GrowingProblem<double>&, const AlgorithmOptions&);
  std::unique_ptr<GrowingRidge<float>> (*in_single_)(const GrowingProblem<float>&, const AlgorithmOptions&);
};

/// Another choice of the options of an algorithm.
struct AlgorithmVariant {
  std::string_view name;
  AlgorithmOptions options;
};

/// The properties of an algorithm for recipes, costs and tests.
struct RidgeAlgorithm {
  std::string_view name;
  std::string_view summary;
  StepKind kind = StepKind::block;
  bool ridge_solution = true;          ///< false: the generalised-inverse solution
  Products products = Products::none;  ///< products with the samples, shared by a sweep
  bool gram = false;                   ///< keeps A'A, shared by a sweep
  bool spectrum = false;               ///< eigenvalues of A'A, shared by a sweep; can choose lambda
  double state_NL = 0;                 ///< numbers held for each ridge parameter, as a multiple of N L ...
  double state_LL = 0;                 ///< ... and of L^2
  double aside_NL = 0;                 ///< temporary numbers of a step, as a multiple of N L ...
  double aside_LL = 0;                 ///< ... and of L^2
  bool residual = false;               ///< forms C = H - A D
  /// replaces the algorithm in mixed precision and over ranks; empty: neither is possible
  std::optional<FactorForm> factor = {};
  StepFlops flops = {};
  SolverMaker make;
  /// changes the properties that depend on `options`; null: none does
  void (*adapt)(RidgeAlgorithm& row) = nullptr;
  /// choices of its options, other than the defaults, that the tests and `elmx selftest` judge, too
  std::vector<AlgorithmVariant> variants = {};
  AlgorithmOptions options = {};

  /// Returns true if the algorithm is as stable as one Cholesky factorisation.
  bool stable() const { return spectrum || (factor && factor->kind == FactorForm::Kind::cholesky); }

  /// Returns the flops as in Table I: "16lK", "2MlK", "2MK"; "" if the row has none.
  std::string intermediate_flops() const;
  std::string weight_flops() const;
  /// Returns the flops of a step of q nodes, dominant terms, as in "lq(2k+q)".
  std::string block_flops() const;
  /// Returns the flops of a step of q nodes behind k others over l samples, for some ridge parameters that
  /// share what they can: in mixed precision all products. An algorithm that adds single nodes solves its
  /// start directly.
  double step_flops(double l, double k, double q, double lambdas, bool mixed) const;
};

/// Returns all algorithms that grow a ridge solution. New algorithms are added here.
std::span<const RidgeAlgorithm> ridge_algorithms();

/// Returns the algorithms that add any number of nodes at once.
std::vector<RidgeAlgorithm> block_algorithms();

/// Returns the row of a known name with these options.
RidgeAlgorithm ridge_algorithm(std::string_view name, const AlgorithmOptions& options = {});

/// Returns "existing, alg1, ...": the algorithms that add single nodes.
std::string node_algorithms();

/// Returns "path": the algorithms that can choose the ridge parameter.
std::string choosing_algorithms();

/// Returns "standard, panel, ...": the algorithms that can run in mixed precision and over ranks.
std::string factor_algorithms();

/// The data that all ridge parameters of a sweep with one algorithm share.
template <class T>
class Sweep {
 public:
  virtual ~Sweep() = default;
  Sweep(const Sweep&) = delete;  // solvers refer to it
  Sweep& operator=(const Sweep&) = delete;

  virtual std::unique_ptr<GrowingRidge<T>> solver(double lambda, const std::optional<RidgeAim>& aim = {}) = 0;

  /// Makes the added nodes old nodes, and adds the next q nodes.
  virtual void advance(uword q) = 0;
  const RidgeProducts<T>& products() const { return products_; }
  uword nodes() const { return products_.old_nodes() + products_.added(); }
  /// Returns the spectrum of the nodes so far; null if the algorithm uses no decomposition.
  virtual const RidgeSpectrum* spectrum() const { return nullptr; }

 protected:
  Sweep(const TallMatrix<T>& A, View<const T> targets, Products products) : products_(A, targets, products) {}

  RidgeProducts<T> products_;
};

/// A sweep on one process.
template <class T>
class SweepProducts final : public Sweep<T> {
 public:
  SweepProducts(RidgeAlgorithm algorithm, const TallMatrix<T>& A, RidgeTargets<T> targets, Arithmetic arithmetic);

  std::unique_ptr<GrowingRidge<T>> solver(double lambda, const std::optional<RidgeAim>& aim = {}) override;
  void advance(uword q) override;
  const RidgeSpectrum* spectrum() const override { return spectrum_ ? &spectrum_->spectrum() : nullptr; }

 private:
  RidgeAlgorithm algorithm_;
  Arithmetic arithmetic_;
  RidgeTargets<T> targets_;
  std::optional<GramMatrix<T>> gram_;
  std::optional<CentredGram<T>> centred_;
  std::optional<SharedSpectrum<T>> spectrum_;
};

/// A solver that grows by a schedule of its own.
template <class T>
class GrowingRun {
 public:
  GrowingRun(const RidgeAlgorithm& algorithm, const TallMatrix<T>& A, const RidgeTargets<T>& targets, double lambda,
             Arithmetic arithmetic = Arithmetic::of_samples)
      : kind_(algorithm.kind), shared_(algorithm, A, targets, arithmetic), solver_(shared_.solver(lambda)) {}

  /// Adds the next q nodes. After the first call, an algorithm that adds single nodes adds them one by one.
  [[nodiscard]] Status add(uword q);

  arma::Mat<T> weights() const { return solver_->weights(); }
  std::string_view method() const { return solver_->method(); }
  const GrowingRidge<T>& solver() const { return *solver_; }
  uword nodes() const { return shared_.nodes(); }

 private:
  [[nodiscard]] Status step(uword q);

  StepKind kind_;
  SweepProducts<T> shared_;
  std::unique_ptr<GrowingRidge<T>> solver_;
};

}  // namespace elmx
