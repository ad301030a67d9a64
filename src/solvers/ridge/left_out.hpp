#pragma once

#include <optional>

#include "solvers/ridge/leverages.hpp"

namespace elmx {

/// The ridge solutions that each omit one sample, for m samples i of a ridge problem with solution f:
///
///     f_{-i}(x) = f(x) - (a(x)'d_i) r_i',   d_i = R^-1 a_i,   r_i = y_i - f_{-i}(x_i) = e_i / (1 - h_i)
///
/// where e_i = y_i - f(x_i) and h_i = a_i'd_i.
struct LeftOut {
  arma::mat directions;  ///< k x m: d_i
  arma::mat residuals;   ///< m x c: r_i, in the units of the outputs
};

/// Computes the solutions that each omit one of m samples. samples: ascending rows of A; W: k x c, the
/// solution with all samples; Y: m x c, the targets of the m samples. 2 k^2 m flops and one pass over A; 3 k
/// m numbers of memory. Returns nothing if rounding leaves less than one digit of some 1 - h_i.
template <class T>
std::optional<LeftOut> left_out(const InverseOperator<T>& inverse, const TallMatrix<T>& A, const arma::uvec& samples,
                                const arma::mat& W, const arma::mat& Y);

}  // namespace elmx
