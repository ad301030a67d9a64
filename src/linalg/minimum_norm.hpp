#pragma once

#include "linalg/view.hpp"

namespace elmx {

/// Computes the solution of smallest norm of  min || H W - T ||_F  by the singular value decomposition
/// (LAPACK gelsd): W = H^+ T. Singular values below `tolerance` times the largest count as zero; tolerance 0
/// stands for eps max(N, L). H: N x L, T: N x c, W: L x c; N < L is allowed. Returns not_finite if an entry
/// is not finite or the decomposition does not converge.
[[nodiscard]] Status minimum_norm(View<const double> H, View<const double> T, arma::mat& W, double tolerance = 0);

}  // namespace elmx
