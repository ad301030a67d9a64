#include "models/elm/elm_algorithms.hpp"

#include <array>

#include "solvers/alg1.hpp"
#include "solvers/alg2.hpp"
#include "solvers/alg3.hpp"
#include "solvers/existing.hpp"
#include "solvers/panel.hpp"
#include "solvers/standard.hpp"

namespace elmx {
namespace {

template <template <class> class Solver, class T>
std::unique_ptr<RidgeGrowth<T>> make(const RidgeProblem<T>& problem, const ElmOptions&) {
  return std::make_unique<Solver<T>>(problem);
}

template <class T>
std::unique_ptr<RidgeGrowth<T>> make_panel(const RidgeProblem<T>& problem, const ElmOptions& options) {
  return std::make_unique<Panel<T>>(problem, options.panel);
}

std::unique_ptr<RidgeGrowth<double>> standard_double(const RidgeProblem<double>& problem, const ElmOptions&) {
  return std::make_unique<Standard<double, double>>(problem);
}

std::unique_ptr<RidgeGrowth<float>> standard_single(const RidgeProblem<float>& problem, const ElmOptions& options) {
  if (options.precision == "mixed") return std::make_unique<Standard<double, float>>(problem);
  return std::make_unique<Standard<float, float>>(problem);
}

const std::array<ElmAlgorithm, 6> kAlgorithms{{
    {"standard", "the standard ELM, solved anew at every size by Cholesky (10)", StepKind::restart, {0, 0, 0}, 0, 1, standard_double,
     standard_single},
    {"existing", "inverse-free ELM of Li et al. 2016: regularised pseudo-inverse (13)-(16)", StepKind::node, {16, 2, 0}, 2, 0,
     make<Existing, double>, make<Existing, float>},
    {"alg1", "algorithm 1: regularised pseudo-inverse, simplified (25)-(29)", StepKind::node, {6, 0, 2}, 1, 0, make<Alg1, double>,
     make<Alg1, float>},
    {"alg2", "algorithm 2: unique inverse (24), (30)", StepKind::node, {2, 0, 2}, 0, 1, make<Alg2, double>, make<Alg2, float>},
    {"alg3", "algorithm 3: inverse LDL' factors (33)-(36)", StepKind::node, {2, 0, 2}, 0, 1, make<Alg3, double>, make<Alg3, float>},
    {"panel", "ours: bordered Cholesky in panels of nodes, all intermediate weights available", StepKind::panel, {2, 0, 2}, 0, 1,
     make_panel<double>, make_panel<float>},
}};

std::string term(double coefficient, const char* symbols) {
  return coefficient == 0 ? "" : std::to_string(static_cast<long>(coefficient)) + symbols;
}

}  // namespace

std::string ElmAlgorithm::intermediate_flops() const { return term(flops.lK, "lK"); }
std::string ElmAlgorithm::weight_flops() const { return term(flops.MlK, "MlK") + term(flops.MK, "MK"); }

std::span<const ElmAlgorithm> elm_algorithms() { return kAlgorithms; }

const ElmAlgorithm& elm_algorithm(std::string_view name) {
  for (const ElmAlgorithm& row : kAlgorithms) {
    if (row.name == name) return row;
  }
  throw std::logic_error("elm_algorithm: unknown name");
}

template <>
std::unique_ptr<RidgeGrowth<double>> make_solver(const ElmAlgorithm& algorithm, const RidgeProblem<double>& problem,
                                                 const ElmOptions& options) {
  return algorithm.in_double(problem, options);
}

template <>
std::unique_ptr<RidgeGrowth<float>> make_solver(const ElmAlgorithm& algorithm, const RidgeProblem<float>& problem,
                                                const ElmOptions& options) {
  return algorithm.in_single(problem, options);
}

}  // namespace elmx
