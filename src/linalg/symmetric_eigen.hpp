#pragma once

#include "linalg/view.hpp"

namespace elmx {

/// Decomposes a symmetric matrix A = V diag(theta) V', theta ascending: reads the upper triangle of A and
/// replaces A by V. About 9 n^3 flops (LAPACK syevd), on one thread. Returns not_finite if A has an entry
/// that is not finite, or the iteration does not converge.
[[nodiscard]] Status symmetric_eigen(arma::mat& A, arma::vec& theta);

}  // namespace elmx
