#pragma once

#include <string>

#include "models/diagnostics.hpp"
#include "solvers/ridge/ridge_targets.hpp"

namespace elmx {

/// Computes weights and condition by `kind` "qr" (augmented system, independent) or "cholesky" (the standard
/// ELM) for the first `columns` columns of A, in double.
template <class T>
[[nodiscard]] Status solve_reference(const std::string& kind, const TallMatrix<T>& A, const RidgeTargets<T>& targets,
                                     double lambda, uword columns, Reference& reference);

}  // namespace elmx
