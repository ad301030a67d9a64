#include "solvers/ridge_algorithms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "solvers/blocks/block_solvers.hpp"
#include "solvers/one_node/one_node_growth.hpp"

namespace elmx {
namespace {

template <class T>
using Solver = std::unique_ptr<GrowingRidge<T>>;

constexpr auto standard = []<class T>(const GrowingProblem<T>& problem, const AlgorithmOptions&) -> Solver<T> {
  if (problem.arithmetic == Arithmetic::wide_gram)
    return std::make_unique<Standard<double, T>>(problem.lambda, problem.targets);
  return std::make_unique<Standard<T, T>>(problem.lambda, problem.targets);
};

template <NodeRecursion which>
constexpr auto by_nodes = []<class T>(const GrowingProblem<T>& problem, const AlgorithmOptions& options) -> Solver<T> {
  const std::optional<View<const T>> A = problem.A.stored();
  expects(A.has_value(), "algorithms that add single nodes: the samples are stored");
  const View<const T> Y = problem.targets.template in<T>();
  return options.products.full() ? make_full_recursion(which, *A, Y, problem.lambda)
                                 : make_recursion(which, *A, Y, problem.lambda);
};

constexpr auto panel = []<class T>(const GrowingProblem<T>& problem, const AlgorithmOptions&) -> Solver<T> {
  return std::make_unique<Panel<T>>(problem.lambda, problem.A.cols(), problem.targets.cols());
};

constexpr auto direct = []<class T>(const GrowingProblem<T>& problem, const AlgorithmOptions&) -> Solver<T> {
  return std::make_unique<DirectRidge<T>>(problem.lambda, *problem.gram);
};

constexpr auto path = []<class T>(const GrowingProblem<T>& problem, const AlgorithmOptions&) -> Solver<T> {
  return std::make_unique<PathRidge<T>>(problem.lambda, problem.aim, *problem.spectrum);
};

using Kind = FactorForm::Kind;
constexpr FactorForm kAnew{Kind::cholesky, true, false}, kBordered{Kind::cholesky, false, false},
    kInverse{Kind::inverse, false, false}, kInverseLdl{Kind::inverse_ldl, false, false},
    kChecked{Kind::cholesky, false, true};

constexpr double kThird = 1.0 / 3;

const std::vector<AlgorithmVariant> kProductForms{{"full", {.products = {"full"}}}};

// clang-format off
const auto kAlgorithms = std::to_array<RidgeAlgorithm>({
    {.name = "standard", .summary = "the standard ELM, solved anew at every size by Cholesky (10)",
     .kind = StepKind::anew, .state_LL = 1, .factor = kAnew, .flops = {.lnn = 1, .nnn = kThird}, .make = standard},
    {.name = "existing", .summary = "inverse-free ELM of Li et al. 2016: regularised pseudo-inverse (13)-(16)",
     .kind = StepKind::node, .state_NL = 2, .flops = {.lK = 16, .MlK = 2}, .make = by_nodes<NodeRecursion::existing>,
     .adapt = [](RidgeAlgorithm& row) { if (row.options.products.full()) row.state_NL = 1, row.aside_NL = 3; },
     .variants = kProductForms},
    {.name = "alg1", .summary = "algorithm 1: regularised pseudo-inverse, simplified (25)-(29)",
     .kind = StepKind::node, .state_NL = 1, .flops = {.lK = 6, .MK = 2}, .make = by_nodes<NodeRecursion::alg1>,
     .adapt = [](RidgeAlgorithm& row) { if (row.options.products.full()) row.aside_NL = 2; },
     .variants = kProductForms},
    {.name = "alg2", .summary = "algorithm 2: unique inverse (24), (30)",
     .kind = StepKind::node, .state_LL = 1, .flops = {.lK = 2, .MK = 2}, .make = by_nodes<NodeRecursion::alg2>,
     .adapt = [](RidgeAlgorithm& row) { if (row.options.products.full()) row.aside_LL = 2; },
     .variants = kProductForms},
    {.name = "alg3", .summary = "algorithm 3: inverse LDL' factors (33)-(36)",
     .kind = StepKind::node, .state_LL = 1, .flops = {.lK = 2, .MK = 2}, .make = by_nodes<NodeRecursion::alg3>,
     .adapt = [](RidgeAlgorithm& row) { if (row.options.products.full()) row.state_LL = 2, row.aside_LL = 1; },
     .variants = kProductForms},
    {.name = "panel", .summary = "elmx: bordered Cholesky in panels of nodes, which has the weights of all sizes",
     .products = Products::gram, .state_LL = 1, .factor = kBordered,
     .flops = {.lkq = 2, .lqq = 1, .grown = kThird}, .make = panel},
    {.name = "orig", .summary = "original BLS: Greville's recursion for the generalised inverse (20)-(24)",
     .ridge_solution = false, .state_NL = 1, .residual = true, .flops = {.lkq = 6, .lqq = 3},
     .make = [](const auto& problem, const auto&) { return make_pseudo_inverse(problem, Inverse::generalised); }},
    {.name = "exg-e", .summary = "the generalised inverse's solution by the inverse Cholesky factor (30)-(33)",
     .ridge_solution = false, .products = Products::border, .state_LL = 1, .residual = true,
     .flops = {.lkq = 4, .lqq = 1, .grown = 2 * kThird},
     .make = [](const auto& problem, const auto&) { return make_exg_e(problem); }},
    {.name = "chol-1", .summary = "ridge solution by the inverse Cholesky factor (41), (42), (50)",
     .products = Products::gram, .state_LL = 1, .factor = kInverse,
     .flops = {.lkq = 2, .lqq = 1, .grown = 2 * kThird},
     .make = [](const auto& problem, const auto& options) { return make_chol1(problem, options.chol1); },
     .adapt = [](RidgeAlgorithm& row) { if (row.options.chol1.factor == "inverse_ldl") row.factor = kInverseLdl; },
     .variants = {{"cholesky", {.chol1 = {"cholesky"}}}, {"inverse_ldl", {.chol1 = {"inverse_ldl"}}}}},
    {.name = "chol-2", .summary = "ridge solution by the inverse Cholesky factor, stable for tiny lambda (51)-(61)",
     .products = Products::border, .state_LL = 1, .residual = true,
     .flops = {.lkq = 4, .lqq = 1, .grown = 2 * kThird},
     .make = [](const auto& problem, const auto& options) { return make_chol2(problem, options.chol2); },
     .adapt = [](RidgeAlgorithm& row) {
       if (row.options.chol2.form == "gram") row.products = Products::gram, row.flops.lkq = 2;
     },
     .variants = {{"residual", {.chol2 = {"residual"}}}}},
    {.name = "r-inv", .summary = "ridge solution by the ridge inverse (64)-(68)",
     .state_NL = 1, .residual = true, .flops = {.lkq = 6, .lqq = 3},
     .make = [](const auto& problem, const auto&) { return make_pseudo_inverse(problem, Inverse::ridge); }},
    {.name = "d-rdg", .summary = "ridge solution directly, all nodes factorised at every update (6), (7)",
     .kind = StepKind::anew, .products = Products::gram, .gram = true, .factor = kAnew,
     .flops = {.lkq = 2, .lqq = 1, .nnn = kThird}, .make = direct},
    {.name = "auto", .summary = "elmx: chol-1 while its checks succeed, then chol-2, then a new factorisation, then QR",
     .products = Products::gram, .gram = true, .state_LL = 1, .residual = true, .factor = kChecked,
     .flops = {.lkq = 2, .lqq = 1, .grown = 2 * kThird},
     .make = [](const auto& problem, const auto&) { return make_auto(problem); }},
    {.name = "path", .summary = "elmx: all ridge parameters from one eigendecomposition at each size; needed for "
                                "\"ridge\": \"auto\"",
     .kind = StepKind::anew, .spectrum = true, .flops = {.lnn = 1, .nnn = 9}, .make = path},
});
// clang-format on

std::string term(double coefficient, const char* symbols) {
  return coefficient == 0 ? "" : std::to_string(static_cast<long>(coefficient)) + symbols;
}

}  // namespace

std::string RidgeAlgorithm::intermediate_flops() const { return term(flops.lK, "lK"); }
std::string RidgeAlgorithm::weight_flops() const { return term(flops.MlK, "MlK") + term(flops.MK, "MK"); }

std::string RidgeAlgorithm::block_flops() const {
  const auto times = [](double x) { return x == 1 ? "" : fmt::format("{:g}", x); };
  std::string text = flops.lqq > 0 ? fmt::format("{}lq({:g}k+q)", times(flops.lqq), flops.lkq / flops.lqq) : "";
  if (flops.lnn > 0) text += times(flops.lnn) + "l(k+q)^2";
  if (flops.nnn >= 1) text += "+" + times(flops.nnn) + "(k+q)^3";
  if (flops.nnn > 0 && flops.nnn < 1) text += fmt::format("+(k+q)^3/{:g}", 1 / flops.nnn);
  return text;
}

double RidgeAlgorithm::step_flops(double l, double k, double q, double lambdas, bool mixed) const {
  const double n = k + q, n3 = n * n * n;
  if (kind == StepKind::node) return lambdas * (l * n * n + n3);
  if (spectrum) return spectrum_flops(l, n);
  const double all = l * (q * (flops.lkq * k + flops.lqq * q) + flops.lnn * n * n);
  double shared = mixed ? all : 0;
  if (!mixed && products != Products::none) shared = l * q * (2 * k + (products == Products::gram ? q : 0));
  return shared + lambdas * (all - shared + flops.nnn * n3 + flops.grown * (n3 - k * k * k));
}

std::span<const RidgeAlgorithm> ridge_algorithms() { return kAlgorithms; }

std::vector<RidgeAlgorithm> block_algorithms() {
  std::vector<RidgeAlgorithm> rows;
  std::ranges::copy_if(kAlgorithms, std::back_inserter(rows),
                       [](const RidgeAlgorithm& row) { return row.kind != StepKind::node; });
  return rows;
}

RidgeAlgorithm ridge_algorithm(std::string_view name, const AlgorithmOptions& options) {
  const auto found = std::ranges::find(kAlgorithms, name, &RidgeAlgorithm::name);
  expects(found != kAlgorithms.end(), "ridge_algorithm: a known name");
  RidgeAlgorithm row = *found;
  row.options = options;
  if (row.adapt) row.adapt(row);
  return row;
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

template <class T>
SweepProducts<T>::SweepProducts(RidgeAlgorithm algorithm, const TallMatrix<T>& A, RidgeTargets<T> targets,
                                Arithmetic arithmetic)
    : Sweep<T>(A, targets.template in<T>(), arithmetic == Arithmetic::mixed ? Products::none : algorithm.products),
      algorithm_(std::move(algorithm)),
      arithmetic_(arithmetic),
      targets_(std::move(targets)) {
  if (arithmetic == Arithmetic::mixed) {
    centred_.emplace(A, targets_, algorithm_.gram);
  } else if (algorithm_.gram) {
    gram_.emplace(A.cols());
  } else if (algorithm_.spectrum) {
    spectrum_.emplace(A, targets_);
  }
}

template <class T>
std::unique_ptr<GrowingRidge<T>> SweepProducts<T>::solver(double lambda, const std::optional<RidgeAim>& aim) {
  if (centred_) {
    const std::optional<FactorForm>& form = algorithm_.factor;
    expects(form && form->kind != Kind::inverse_ldl, "SweepProducts: the algorithm can be in mixed precision");
    return std::make_unique<MixedRidge<T, CentredGram<T>, PanelFactor>>(lambda, *centred_, *form,
                                                                        PanelFactor(form->kind));
  }
  const GrowingProblem<T> problem{.A = this->products_.input(),
                                  .targets = targets_,
                                  .lambda = lambda,
                                  .arithmetic = arithmetic_,
                                  .aim = aim,
                                  .gram = gram_ ? &*gram_ : nullptr,
                                  .spectrum = spectrum_ ? &*spectrum_ : nullptr};
  return algorithm_.make(problem, algorithm_.options);
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

template class SweepProducts<double>;
template class SweepProducts<float>;
template class GrowingRun<double>;
template class GrowingRun<float>;

}  // namespace elmx
