#include "models/bls/bls_algorithms.hpp"

#include <array>

#include "solvers/auto_growth.hpp"
#include "solvers/direct_ridge.hpp"
#include "solvers/factor_growth.hpp"
#include "solvers/pseudo_inverse_growth.hpp"

namespace elmx {
namespace {

template <class Solver, class T>
std::unique_ptr<BroadGrowth<T>> by_factor(double lambda, const BroadProblem<T>& problem) {
  return std::make_unique<Solver>(lambda, problem.capacity);
}

template <class T, Regularise<T> regularise>
std::unique_ptr<BroadGrowth<T>> by_pseudo_inverse(double lambda, const BroadProblem<T>& problem) {
  return std::make_unique<PseudoInverseGrowth<T>>(lambda, problem.samples, problem.capacity, regularise);
}

template <class T>
std::unique_ptr<BroadGrowth<T>> direct(double lambda, const BroadProblem<T>& problem) {
  return std::make_unique<DirectRidge<T>>(lambda, *problem.gram);
}

template <class T>
std::unique_ptr<BroadGrowth<T>> automatic(double lambda, const BroadProblem<T>& problem) {
  return std::make_unique<AutoGrowth<T>>(lambda, problem.capacity, *problem.gram);
}

const std::array<BlsAlgorithm, 7> kAlgorithms{{
    {"orig", "original BLS: Greville's recursion for the generalised inverse (20)-(24)", "3lq(2k+q)", false, Products::none, false, 1, 0, true,
     by_pseudo_inverse<double, generalised_inverse<double>>, by_pseudo_inverse<float, generalised_inverse<float>>},
    {"exg-e", "the generalised inverse's solution by the inverse Cholesky factor (30)-(33)", "lq(4k+q)", false, Products::border, false, 0, 1, true,
     by_factor<ExgE<double>, double>, by_factor<ExgE<float>, float>},
    {"chol-1", "ridge solution by the inverse Cholesky factor (41), (42), (50)", "lq(2k+q)", true, Products::gram, false, 0, 1, false,
     by_factor<Chol1<double>, double>, by_factor<Chol1<float>, float>},
    {"chol-2", "ridge solution by the inverse Cholesky factor, stable for tiny lambda (51)-(61)", "lq(4k+q)", true, Products::border, false, 0, 1,
     true, by_factor<Chol2<double>, double>, by_factor<Chol2<float>, float>},
    {"r-inv", "ridge solution by the ridge inverse (64)-(68)", "3lq(2k+q)", true, Products::none, false, 1, 0, true,
     by_pseudo_inverse<double, ridge_inverse<double>>, by_pseudo_inverse<float, ridge_inverse<float>>},
    {"d-rdg", "ridge solution directly, all nodes factorised at every update (6), (7)", "lq(2k+q)+(k+q)^3/3", true, Products::gram, true, 0, 0, false,
     direct<double>, direct<float>},
    {"auto", "ours: chol-1 while a check finds it safe, else chol-2, else a new factorisation, else QR", "lq(2k+q)", true, Products::gram, true, 0, 1, true,
     automatic<double>, automatic<float>},
}};

const BlsAlgorithm kChol2Gram{"chol-2", "chol-2 in its Gram form (53) where that is stable", "lq(2k+q)", true, Products::gram, false, 0, 1, true,
                             by_factor<Chol2Gram<double>, double>, by_factor<Chol2Gram<float>, float>};

}  // namespace

std::span<const BlsAlgorithm> bls_algorithms() { return kAlgorithms; }

const BlsAlgorithm& bls_algorithm(std::string_view name, std::string_view chol2_form) {
  if (name == kChol2Gram.name && chol2_form == "gram") return kChol2Gram;
  for (const BlsAlgorithm& row : kAlgorithms) {
    if (row.name == name) return row;
  }
  throw std::logic_error("bls_algorithm: unknown name");
}

template <>
std::unique_ptr<BroadGrowth<double>> make_solver(const BlsAlgorithm& algorithm, double lambda, const BroadProblem<double>& problem) {
  return algorithm.in_double(lambda, problem);
}

template <>
std::unique_ptr<BroadGrowth<float>> make_solver(const BlsAlgorithm& algorithm, double lambda, const BroadProblem<float>& problem) {
  return algorithm.in_single(lambda, problem);
}

}  // namespace elmx
