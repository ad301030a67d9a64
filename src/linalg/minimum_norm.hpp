#pragma once

#include "linalg/view.hpp"

namespace elmx {

/// The solution of smallest norm of  min || H W - T ||_F  by the singular value decomposition (LAPACK gelsd):
/// W = H^+ T. Singular values below `tolerance` times the largest count as zero, 0: eps max(N, L). H: N x L,
/// T: N x c, W: L x c; N < L is allowed. not_finite where the decomposition does not converge.
[[nodiscard]] Status minimum_norm(View<const double> H, View<const double> T, arma::mat& W, double tolerance = 0);

}  // namespace elmx
