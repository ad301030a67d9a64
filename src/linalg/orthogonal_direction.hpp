#pragma once

#include "linalg/view.hpp"

namespace elmx {

/// Returns the direction of h orthogonal to the columns of Q (n x k, orthonormal), by Gram-Schmidt, twice.
/// The result is empty if h depends on the columns: the remainder is below 1e-10 ||h||. 8 n k flops.
arma::vec orthogonal_direction(const arma::mat& Q, arma::vec h);

}  // namespace elmx
