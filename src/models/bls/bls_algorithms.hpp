#pragma once

#include <memory>
#include <span>

#include "solvers/broad_growth.hpp"

namespace elmx {

/// What a solver is made of, besides lambda.
template <class T>
struct BroadProblem {
  uword samples, capacity;
  GramMatrix<T>* gram;  ///< null where the algorithm has no use for it
};

/// One row an algorithm: all that the recipe needs to know of it.
struct BlsAlgorithm {
  std::string_view name;
  std::string_view summary;
  std::string_view flops;  ///< of one update, dominant terms, derived (the printed table is lost)
  bool ridge_solution;     ///< else the generalised inverse's
  Products products;       ///< with the samples, shared by a sweep
  bool gram;               ///< keeps A'A, shared by a sweep
  double state_lk;         ///< numbers held a ridge parameter, as a multiple of l k ...
  double state_kk;         ///< ... and of k^2
  bool residual;           ///< forms C = H - A D
  std::unique_ptr<BroadGrowth<double>> (*in_double)(double lambda, const BroadProblem<double>&);
  std::unique_ptr<BroadGrowth<float>> (*in_single)(double lambda, const BroadProblem<float>&);
};

std::span<const BlsAlgorithm> bls_algorithms();

/// The row of a known name (BlsOptions::check has seen to it); for chol-2 that of its form, "residual" or "gram".
const BlsAlgorithm& bls_algorithm(std::string_view name, std::string_view chol2_form);

template <class T>
std::unique_ptr<BroadGrowth<T>> make_solver(const BlsAlgorithm& algorithm, double lambda, const BroadProblem<T>& problem);

}  // namespace elmx
