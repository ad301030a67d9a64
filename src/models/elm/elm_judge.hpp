#pragma once

#include <string>

#include "models/judge.hpp"
#include "solvers/ridge_growth.hpp"

namespace elmx {

/// weights and condition of `kind` "qr" (augmented system, independent) or "cholesky" (the standard ELM); in double.
template <class T>
[[nodiscard]] Status solve_reference(const std::string& kind, const RidgeProblem<T>& problem, uword nodes, Reference& reference);

}  // namespace elmx
