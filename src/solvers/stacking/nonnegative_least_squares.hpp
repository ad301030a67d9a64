#pragma once

#include <armadillo>

namespace elmx {

/// Returns the w >= 0 that minimises ||t - Z w||^2, from the products of Z (n x m) and t (n). Some of several
/// dependent columns have weight 0.
///
///     G = Z'Z: m x m     b = Z't: m
///
/// start: m numbers, != 0 for columns that are likely to have w > 0; or empty.
///
/// The solution satisfies the conditions of Karush, Kuhn and Tucker with the gradient g = b - G w:
///
///     w >= 0,  g_j = 0 where w_j > 0,  g_j <= 0 where w_j = 0
///
/// An active-set method: a few m^3 flops for each column that enters.
///
/// C. L. Lawson, R. J. Hanson, "Solving least squares problems", Prentice-Hall 1974, chapter 23.
arma::vec nonnegative_least_squares(const arma::mat& G, const arma::vec& b, const arma::vec& start = {});

}  // namespace elmx
