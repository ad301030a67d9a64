#pragma once

#include "linalg/view.hpp"

namespace elmx {

/// A = V diag(theta) V' of a symmetric matrix, theta ascending; reads the upper triangle of A, leaves V in
/// it. About 9 n^3 flops (LAPACK syevd), on one thread. not_finite where A has an entry that is not, or the
/// iteration does not converge.
[[nodiscard]] Status symmetric_eigen(arma::mat& A, arma::vec& theta);

}  // namespace elmx
