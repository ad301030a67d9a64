#pragma once

#include <memory>
#include <span>

#include "models/elm/elm_options.hpp"
#include "solvers/ridge_growth.hpp"

namespace elmx {

/// Flops of one step by the products of Table I: intermediate a l K, output weights (b l K + c K) M.
struct StepFlops {
  double lK;   ///< coefficient of l K, updating the intermediate results
  double MlK;  ///< coefficient of M l K, updating the output weights
  double MK;   ///< coefficient of M K, updating the output weights
};

enum class StepKind {
  node,    ///< one node a step
  panel,   ///< a panel a step; times are per node
  restart  ///< everything anew at every size
};

/// One row an algorithm: all that the recipe needs to know of it.
struct ElmAlgorithm {
  std::string_view name;
  std::string_view summary;
  StepKind kind;
  StepFlops flops;
  double state_NL;  ///< numbers held beyond H, as a multiple of N L ...
  double state_LL;  ///< ... and of L^2
  std::unique_ptr<RidgeGrowth<double>> (*in_double)(const RidgeProblem<double>&, const ElmOptions&);
  std::unique_ptr<RidgeGrowth<float>> (*in_single)(const RidgeProblem<float>&, const ElmOptions&);

  /// As Table I prints it: "16lK", "2MlK", "2MK".
  std::string intermediate_flops() const;
  std::string weight_flops() const;
};

std::span<const ElmAlgorithm> elm_algorithms();

/// Expects a known name (ElmOptions::check has seen to it).
const ElmAlgorithm& elm_algorithm(std::string_view name);

template <class T>
std::unique_ptr<RidgeGrowth<T>> make_solver(const ElmAlgorithm& algorithm, const RidgeProblem<T>& problem, const ElmOptions& options);

}  // namespace elmx
