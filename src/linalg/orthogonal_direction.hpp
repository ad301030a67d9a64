#pragma once

#include "linalg/view.hpp"

namespace elmx {

/// The direction of h orthogonal to the columns of Q (n x k, orthonormal), by Gram-Schmidt, twice; empty
/// where h depends on them: what is left is below 1e-10 ||h||. 8 n k flops.
arma::vec orthogonal_direction(const arma::mat& Q, arma::vec h);

}  // namespace elmx
