#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "solvers/ridge_algorithms.hpp"
#include "support/judge.hpp"
#include "support/problem.hpp"

namespace elmx {

inline constexpr const char* kByCholesky = "chol-1 cholesky";

/// Returns the row of an algorithm, "chol-1", or of a variant, "chol-1 cholesky".
inline RidgeAlgorithm row_of(const std::string& name) {
  const std::size_t space = name.find(' ');
  const RidgeAlgorithm row = ridge_algorithm(name.substr(0, space));
  if (space == std::string::npos) return row;
  const auto variant = std::ranges::find(row.variants, name.substr(space + 1), &AlgorithmVariant::name);
  if (variant == row.variants.end()) throw std::logic_error("no variant " + name);
  return ridge_algorithm(row.name, variant->options);
}

inline bool has_full_products(const RidgeAlgorithm& row) {
  return std::ranges::count(row.variants, "full", &AlgorithmVariant::name) > 0;
}

/// Returns the algorithms of the table that satisfy `keep`, in all their variants.
template <class Keep>
std::vector<std::string> algorithms_that(const Keep& keep) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (keep(row_of(name))) names.push_back(name);
  };
  for (const RidgeAlgorithm& row : ridge_algorithms()) {
    add(std::string(row.name));
    for (const AlgorithmVariant& variant : row.variants) add(fmt::format("{} {}", row.name, variant.name));
  }
  return names;
}

inline std::vector<std::string> ridge_names() {
  return algorithms_that([](const RidgeAlgorithm& row) { return row.ridge_solution; });
}
inline std::vector<std::string> generalised_inverse_names() {
  return algorithms_that([](const RidgeAlgorithm& row) { return !row.ridge_solution; });
}
inline std::vector<std::string> block_names() {
  return algorithms_that([](const RidgeAlgorithm& row) { return row.kind != StepKind::node; });
}
inline std::vector<std::string> node_names() {
  return algorithms_that([](const RidgeAlgorithm& row) { return row.kind == StepKind::node; });
}

/// Replaces characters that names of parameterised tests may not have.
inline std::string letters_of(std::string name) {
  for (char& letter : name) {
    if (!std::isalnum(static_cast<unsigned char>(letter))) letter = '_';
  }
  return name;
}

/// Adds q nodes. Throws if the solver refuses them, since its weights are then undefined.
template <class Solver>
void add_nodes(Solver& solver, uword q, const std::string& name) {
  if (const Status status = solver.add(q); status != Status::ok)
    throw std::runtime_error(fmt::format("{}: {} at {} nodes", name, to_string(status), solver.nodes()));
}

/// A solver on samples that are stored.
template <class T>
class SteppedSolver {
 public:
  SteppedSolver(const std::string& name, const arma::Mat<T>& H, const arma::Mat<T>& targets, double lambda)
      : A_(View<const T>(H)), run_(row_of(name), A_, View<const T>(targets), lambda) {}

  SteppedSolver(const SteppedSolver&) = delete;
  SteppedSolver& operator=(const SteppedSolver&) = delete;

  [[nodiscard]] Status add(uword q) { return run_.add(q); }
  arma::Mat<T> weights() const { return run_.weights(); }
  uword nodes() const { return run_.nodes(); }
  const GrowingRidge<T>& solver() const { return run_.solver(); }

 private:
  StoredMatrix<T> A_;
  GrowingRun<T> run_;
};

/// A stored matrix that is read in blocks of a few rows; the last block may be smaller.
template <class T>
class InBlocks final : public TallMatrix<T> {
 public:
  InBlocks(View<const T> A, uword rows) : A_(A), block_(rows) {}

  uword rows() const override { return A_.rows; }
  uword cols() const override { return A_.cols; }
  std::unique_ptr<TallMatrix<T>> leading(uword rows, uword cols) const override {
    return std::make_unique<InBlocks>(A_.block(0, 0, rows, cols), block_);
  }
  void for_each_block(uword k, const typename TallMatrix<T>::Visit& visit) const override {
    for (uword first = 0; first < A_.rows; first += block_) {
      const arma::Mat<T> rows = A_.block(first, 0, std::min(block_, A_.rows - first), k).copy();
      visit(first, View<const T>(rows));
    }
  }

 private:
  View<const T> A_;
  uword block_;
};

template <class T>
Problem<T> first_nodes(const Problem<T>& problem, uword k) {
  return {problem.H.head_cols(k), problem.T};
}

/// Returns the backward error that rounding may cause on the way to l nodes; `condition`: cond(H'H + lambda
/// I).
///
/// A stable algorithm (RidgeAlgorithm::stable) solves with a Cholesky factor or eigenvalues, or checks that its
/// solution is as good: one tolerance. The others carry an inverse (or its factors), whose column l + 1 is
/// computed from columns 1 .. l: an error E in Q is E R Q relative to the exact inverse, so each step commits
/// up to eps cond(R) ||Q|| and passes on the errors of earlier steps unchanged (the update of Q is a
/// projection). Over l steps this gives cond(R) eps l, that is `condition` tolerances.
template <class T = double>
double allowed(const std::string& name, const Problem<T>& problem, double condition) {
  const double one = tolerance<T>(problem.H.n_rows, problem.H.n_cols);
  return row_of(name).stable() ? one : one * condition;
}

}  // namespace elmx
