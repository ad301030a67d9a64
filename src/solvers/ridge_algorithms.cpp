#include "solvers/ridge_algorithms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "linalg/distributed_inverse_ldl.hpp"
#include "solvers/blocks/auto_growth.hpp"
#include "solvers/blocks/direct_ridge.hpp"
#include "solvers/blocks/factor_growth.hpp"
#include "solvers/blocks/panel.hpp"
#include "solvers/blocks/pseudo_inverse_growth.hpp"
#include "solvers/blocks/standard.hpp"
#include "solvers/one_node/alg1.hpp"
#include "solvers/one_node/alg2.hpp"
#include "solvers/one_node/alg3.hpp"
#include "solvers/one_node/existing.hpp"
#include "solvers/one_node/full_products.hpp"

namespace elmx {
namespace {

template <class T>
using Solver = std::unique_ptr<GrowingRidge<T>>;

template <class T>
Solver<T> standard(const GrowingProblem<T>& problem) {
  if (problem.arithmetic == Arithmetic::wide_gram)
    return std::make_unique<Standard<double, T>>(problem.lambda, problem.targets);
  return std::make_unique<Standard<T, T>>(problem.lambda, problem.targets);
}

template <template <class> class OneNode, class T>
Solver<T> by_nodes(const GrowingProblem<T>& problem) {
  const std::optional<View<const T>> A = problem.A.stored();
  expects(A.has_value(), "algorithms that add single nodes: the samples are stored");
  return std::make_unique<OneNode<T>>(*A, problem.targets.template in<T>(), problem.lambda);
}

template <class T>
Solver<T> by_panels(const GrowingProblem<T>& problem) {
  return std::make_unique<Panel<T>>(problem.lambda, problem.A.cols(), problem.targets.cols());
}

template <template <class> class Factor, class T>
Solver<T> by_factor(const GrowingProblem<T>& problem) {
  return std::make_unique<Factor<T>>(problem.lambda, problem.A.cols());
}

template <class T, InverseFactorisation<T> factorise>
Solver<T> by_chol1(const GrowingProblem<T>& problem) {
  return std::make_unique<Chol1<T>>(problem.lambda, problem.A.cols(), factorise);
}

template <class T, Regularise<T> regularise>
Solver<T> by_pseudo_inverse(const GrowingProblem<T>& problem) {
  return std::make_unique<PseudoInverseGrowth<T>>(problem.lambda, problem.A.rows(), problem.A.cols(), regularise);
}

template <class T>
Solver<T> direct(const GrowingProblem<T>& problem) {
  return std::make_unique<DirectRidge<T>>(problem.lambda, *problem.gram);
}

template <class T>
Solver<T> by_path(const GrowingProblem<T>& problem) {
  return std::make_unique<PathRidge<T>>(problem.lambda, problem.aim, *problem.spectrum);
}

template <class T>
Solver<T> automatic(const GrowingProblem<T>& problem) {
  return std::make_unique<AutoGrowth<T>>(problem.lambda, problem.A.cols(), *problem.gram);
}

using Kind = FactorForm::Kind;
constexpr FactorForm kAnew{Kind::cholesky, true, false}, kBordered{Kind::cholesky, false, false},
    kInverse{Kind::inverse, false, false}, kInverseLdl{Kind::inverse_ldl, false, false},
    kChecked{Kind::cholesky, false, true};

// Columns: name, summary; kind, ridge solution, products, Gram matrix, N L, L^2, residual, factor, flops of a
// node, flops of a block; in double, in single; spectrum, numbers aside.
// clang-format off
const std::array<RidgeAlgorithm, 14> kAlgorithms{{
    {"standard", "the standard ELM, solved anew at every size by Cholesky (10)",
     StepKind::anew, true, Products::none, false, 0, 1, false, kAnew, {}, "l(k+q)^2+(k+q)^3/3",
     standard<double>, standard<float>},
    {"existing", "inverse-free ELM of Li et al. 2016: regularised pseudo-inverse (13)-(16)",
     StepKind::node, true, Products::none, false, 2, 0, false, {}, {16, 2, 0}, "",
     by_nodes<Existing, double>, by_nodes<Existing, float>},
    {"alg1", "algorithm 1: regularised pseudo-inverse, simplified (25)-(29)",
     StepKind::node, true, Products::none, false, 1, 0, false, {}, {6, 0, 2}, "",
     by_nodes<Alg1, double>, by_nodes<Alg1, float>},
    {"alg2", "algorithm 2: unique inverse (24), (30)",
     StepKind::node, true, Products::none, false, 0, 1, false, {}, {2, 0, 2}, "",
     by_nodes<Alg2, double>, by_nodes<Alg2, float>},
    {"alg3", "algorithm 3: inverse LDL' factors (33)-(36)",
     StepKind::node, true, Products::none, false, 0, 1, false, {}, {2, 0, 2}, "",
     by_nodes<Alg3, double>, by_nodes<Alg3, float>},
    {"panel", "ours: bordered Cholesky in panels of nodes, all intermediate weights available",
     StepKind::block, true, Products::gram, false, 0, 1, false, kBordered, {2, 0, 2}, "lq(2k+q)",
     by_panels<double>, by_panels<float>},
    {"orig", "original BLS: Greville's recursion for the generalised inverse (20)-(24)",
     StepKind::block, false, Products::none, false, 1, 0, true, {}, {}, "3lq(2k+q)",
     by_pseudo_inverse<double, generalised_inverse<double>>, by_pseudo_inverse<float, generalised_inverse<float>>},
    {"exg-e", "the generalised inverse's solution by the inverse Cholesky factor (30)-(33)",
     StepKind::block, false, Products::border, false, 0, 1, true, {}, {}, "lq(4k+q)",
     by_factor<ExgE, double>, by_factor<ExgE, float>},
    {"chol-1", "ridge solution by the inverse Cholesky factor (41), (42), (50)",
     StepKind::block, true, Products::gram, false, 0, 1, false, kInverse, {}, "lq(2k+q)",
     by_chol1<double, inverse_cholesky<double>>, by_chol1<float, inverse_cholesky<float>>},
    {"chol-2", "ridge solution by the inverse Cholesky factor, stable for tiny lambda (51)-(61)",
     StepKind::block, true, Products::border, false, 0, 1, true, {}, {}, "lq(4k+q)",
     by_factor<Chol2, double>, by_factor<Chol2, float>},
    {"r-inv", "ridge solution by the ridge inverse (64)-(68)",
     StepKind::block, true, Products::none, false, 1, 0, true, {}, {}, "3lq(2k+q)",
     by_pseudo_inverse<double, ridge_inverse<double>>, by_pseudo_inverse<float, ridge_inverse<float>>},
    {"d-rdg", "ridge solution directly, all nodes factorised at every update (6), (7)",
     StepKind::anew, true, Products::gram, true, 0, 0, false, kAnew, {}, "lq(2k+q)+(k+q)^3/3",
     direct<double>, direct<float>},
    {"auto", "ours: chol-1 while a check finds it safe, else chol-2, else a new factorisation, else QR",
     StepKind::block, true, Products::gram, true, 0, 1, true, kChecked, {}, "lq(2k+q)",
     automatic<double>, automatic<float>},
    {"path", "ours: all ridge parameters from one eigendecomposition, anew at every size; chooses \"ridge\": \"auto\"",
     StepKind::anew, true, Products::none, false, 0, 0, false, {}, {}, "l(k+q)^2+9(k+q)^3",
     by_path<double>, by_path<float>, true},
}};

const RidgeAlgorithm kChol1Cholesky
    {"chol-1", "chol-1 with the Cholesky factor of each block, inverted",
     StepKind::block, true, Products::gram, false, 0, 1, false, kInverse, {}, "lq(2k+q)",
     by_chol1<double, inverse_of_cholesky<double>>, by_chol1<float, inverse_of_cholesky<float>>};

const RidgeAlgorithm kChol1Ldl
    {"chol-1", "chol-1 with inverse LDL' factors (206)-(224)",
     StepKind::block, true, Products::gram, false, 0, 1, false, kInverseLdl, {}, "lq(2k+q)",
     by_chol1<double, inverse_cholesky_by_ldl<double>>, by_chol1<float, inverse_cholesky_by_ldl<float>>};

const RidgeAlgorithm kChol2Gram
    {"chol-2", "chol-2 in its Gram form (53) where that is stable",
     StepKind::block, true, Products::gram, false, 0, 1, true, {}, {}, "lq(2k+q)",
     by_factor<Chol2Gram, double>, by_factor<Chol2Gram, float>};

const std::array<RidgeAlgorithm, 4> kFullProducts{{
    {"existing", "inverse-free ELM of Li et al. 2016 with full products",
     StepKind::node, true, Products::none, false, 1, 0, false, {}, {16, 2, 0}, "",
     by_nodes<FullExisting, double>, by_nodes<FullExisting, float>, false, 3, 0},
    {"alg1", "algorithm 1 with full products",
     StepKind::node, true, Products::none, false, 1, 0, false, {}, {6, 0, 2}, "",
     by_nodes<FullAlg1, double>, by_nodes<FullAlg1, float>, false, 2, 0},
    {"alg2", "algorithm 2 with full products",
     StepKind::node, true, Products::none, false, 0, 1, false, {}, {2, 0, 2}, "",
     by_nodes<FullAlg2, double>, by_nodes<FullAlg2, float>, false, 0, 2},
    {"alg3", "algorithm 3 with full products",
     StepKind::node, true, Products::none, false, 0, 2, false, {}, {2, 0, 2}, "",
     by_nodes<FullAlg3, double>, by_nodes<FullAlg3, float>, false, 0, 1},
}};
// clang-format on

std::string term(double coefficient, const char* symbols) {
  return coefficient == 0 ? "" : std::to_string(static_cast<long>(coefficient)) + symbols;
}

}  // namespace

std::string RidgeAlgorithm::intermediate_flops() const { return term(node_flops.lK, "lK"); }
std::string RidgeAlgorithm::weight_flops() const { return term(node_flops.MlK, "MlK") + term(node_flops.MK, "MK"); }

std::span<const RidgeAlgorithm> ridge_algorithms() { return kAlgorithms; }

std::vector<RidgeAlgorithm> block_algorithms() {
  std::vector<RidgeAlgorithm> rows;
  std::ranges::copy_if(kAlgorithms, std::back_inserter(rows),
                       [](const RidgeAlgorithm& row) { return row.kind != StepKind::node; });
  return rows;
}

const RidgeAlgorithm& ridge_algorithm(std::string_view name, const AlgorithmForms& forms) {
  if (name == kChol1Cholesky.name && forms.chol1 == "cholesky") return kChol1Cholesky;
  if (name == kChol1Ldl.name && forms.chol1 == "inverse_ldl") return kChol1Ldl;
  if (name == kChol2Gram.name && forms.chol2 == "gram") return kChol2Gram;
  if (forms.products == "full") {
    for (const RidgeAlgorithm& row : kFullProducts) {
      if (row.name == name) return row;
    }
  }
  for (const RidgeAlgorithm& row : kAlgorithms) {
    if (row.name == name) return row;
  }
  throw std::logic_error("ridge_algorithm: unknown name");
}

namespace {

template <class Holds>
std::string names_where(const Holds& holds) {
  std::vector<std::string_view> names;
  for (const RidgeAlgorithm& row : kAlgorithms) {
    if (holds(row)) names.push_back(row.name);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

std::string factor_algorithms() {
  return names_where([](const RidgeAlgorithm& row) { return row.factor.has_value(); });
}

std::string node_algorithms() {
  return names_where([](const RidgeAlgorithm& row) { return row.kind == StepKind::node; });
}

std::string choosing_algorithms() {
  return names_where([](const RidgeAlgorithm& row) { return row.spectrum; });
}

namespace {

template <class T>
Solver<T> mixed(const RidgeAlgorithm& algorithm, const GrowingProblem<T>& problem) {
  expects(algorithm.factor.has_value() && algorithm.factor->kind != Kind::inverse_ldl,
          "make_solver: the algorithm can be in mixed precision");
  return std::make_unique<MixedRidge<T, CentredGram<T>, PanelFactor>>(
      problem.lambda, *problem.centred, *algorithm.factor, PanelFactor(algorithm.factor->kind));
}

}  // namespace

template <class T>
Solver<T> make_solver(const RidgeAlgorithm& algorithm, const GrowingProblem<T>& problem) {
  if (problem.centred) return mixed(algorithm, problem);
  if constexpr (std::same_as<T, double>) {
    return algorithm.in_double(problem);
  } else {
    return algorithm.in_single(problem);
  }
}

template <class T>
SweepProducts<T>::SweepProducts(const RidgeAlgorithm& algorithm, const TallMatrix<T>& A, RidgeTargets<T> targets,
                                Arithmetic arithmetic)
    : Sweep<T>(A, targets.template in<T>(), arithmetic == Arithmetic::mixed ? Products::none : algorithm.products),
      algorithm_(algorithm),
      arithmetic_(arithmetic),
      targets_(std::move(targets)) {
  if (arithmetic == Arithmetic::mixed) {
    centred_.emplace(A, targets_, algorithm.gram);
  } else if (algorithm.gram) {
    gram_.emplace(A.cols());
  } else if (algorithm.spectrum) {
    spectrum_.emplace(A, targets_);
  }
}

template <class T>
std::unique_ptr<GrowingRidge<T>> SweepProducts<T>::solver(double lambda, const std::optional<RidgeAim>& aim) {
  return make_solver<T>(algorithm_, {.A = this->products_.input(),
                                     .targets = targets_,
                                     .lambda = lambda,
                                     .arithmetic = arithmetic_,
                                     .aim = aim,
                                     .gram = gram_ ? &*gram_ : nullptr,
                                     .centred = centred_ ? &*centred_ : nullptr,
                                     .spectrum = spectrum_ ? &*spectrum_ : nullptr});
}

template <class T>
void SweepProducts<T>::advance(uword q) {
  this->products_.advance(q);
  if (gram_) gram_->extend(this->products_);
  if (spectrum_) spectrum_->restart(this->nodes());
  const bool from_nothing = algorithm_.kind == StepKind::anew && !algorithm_.gram;
  if (centred_) from_nothing ? centred_->restart(this->nodes()) : centred_->extend(q);
}

template <class T>
Status GrowingRun<T>::add(uword q) {
  if (kind_ != StepKind::node || nodes() == 0) return step(q);
  for (; q > 0; --q) {
    if (const Status status = step(1); status != Status::ok) return status;
  }
  return Status::ok;
}

template <class T>
Status GrowingRun<T>::step(uword q) {
  shared_.advance(q);
  return solver_->grow(shared_.products());
}

template Solver<double> make_solver(const RidgeAlgorithm&, const GrowingProblem<double>&);
template Solver<float> make_solver(const RidgeAlgorithm&, const GrowingProblem<float>&);
template class SweepProducts<double>;
template class SweepProducts<float>;
template class GrowingRun<double>;
template class GrowingRun<float>;

}  // namespace elmx
