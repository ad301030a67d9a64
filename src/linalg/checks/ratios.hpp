#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "linalg/blas.hpp"

namespace elmx {

// The checks of `elmx selftest`. A check compares a result with its definition and gives a ratio: the error
// in units of the rounding that the operation may cause, as the test programs of LAPACK do. The products in a
// definition are plain loops, so that a wrong BLAS library cannot hide its own errors.

/// The largest ratio of a result that counts as correct; the limit of LAPACK's test programs.
inline constexpr double kMostRatio = 30;

/// The first result of a function that is wrong.
struct WrongResult {
  std::string function;  ///< "dgemm"
  std::string where;     ///< "64 x 64 x 64"
  double ratio;          ///< infinite: not finite, or not what it must be to the last bit
};

/// Checks of one kind.
struct CheckGroup {
  std::string name;
  std::size_t checks = 0;
  double largest = 0;                   ///< the largest ratio
  std::vector<WrongResult> wrong = {};  ///< at most one for each function

  void add(const std::string& function, const std::string& where, double ratio);
  /// Adds a check that holds or does not: a ratio of 0 or infinity.
  void add(const std::string& function, const std::string& where, bool holds);
};

/// Returns A B by plain loops.
arma::mat plain_product(const arma::mat& A, const arma::mat& B);

/// Returns ||M||_F by plain loops; NaN if an element is not finite.
double plain_norm(const arma::mat& M);

/// Returns a rows x cols matrix of numbers that are uniform on [-1, 1).
arma::mat random_entries(uword rows, uword cols, std::uint32_t stream);

/// Returns a rows x cols matrix whose singular values fall geometrically from 1 to 1 / condition.
arma::mat of_condition(uword rows, uword cols, double condition, std::uint32_t stream);

/// Returns the distance of W from the minimum of ||H W - Y||^2 + lambda ||W||^2, relative to the terms:
///
///     ||H'(H W - Y) + lambda W|| / (||H|| (||H|| ||W|| + ||Y||) + lambda ||W||)
double plain_backward_error(const arma::mat& H, const arma::mat& Y, double lambda, const arma::mat& W);

/// Calls f with 1, 2 and all threads, and returns true if the returned matrix has the same bits each time.
template <class F>
bool same_for_any_threads(const F& f) {
  const int all = threads();
  set_threads(1);
  const auto first = f();
  bool same = true;
  for (const int count : {2, all}) {
    set_threads(count);
    const auto again = f();
    same = same && arma::size(first) == arma::size(again) &&
           std::memcmp(first.memptr(), again.memptr(), first.n_elem * sizeof(*first.memptr())) == 0;
  }
  set_threads(all);
  return same;
}

}  // namespace elmx
