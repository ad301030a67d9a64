#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>

#include "linalg/checks/kernels.hpp"

// The checks of single functions of a BLAS library, and what they share.

namespace elmx::checks {

/// Receives the ratio of a result and where it was found.
using Note = std::function<void(double ratio, const std::string& where)>;

/// A function of the library, without the letter of its precision, and its check.
struct KernelCheck {
  std::string_view name;
  void (*check)(Extent extent, const Note& note);
};

/// Return the checks of all functions that elmx calls in the precision of T.
template <class T>
std::span<const KernelCheck> blas_checks();
template <class T>
std::span<const KernelCheck> lapack_checks();

inline constexpr std::array<Op, 2> kEitherOp{Op::none, Op::transpose};

struct Shape {
  uword m, n, k;
};

inline std::string text_of(const Shape& s) { return fmt::format("{} x {} x {}", s.m, s.n, s.k); }
inline std::string text_of(Op op) { return op == Op::none ? "" : ", transposed"; }

template <class T>
constexpr double kEps = static_cast<double>(std::numeric_limits<T>::epsilon());

template <class T>
arma::Mat<T> entries(uword rows, uword cols, std::uint32_t stream) {
  return arma::conv_to<arma::Mat<T>>::from(random_entries(rows, cols, stream));
}

template <class T>
arma::mat in_double(const arma::Mat<T>& M) {
  return arma::conv_to<arma::mat>::from(M);
}

/// A matrix within a larger one of NaN. Its leading dimension is odd.
template <class T>
class Surrounded {
 public:
  explicit Surrounded(const arma::Mat<T>& M)
      : all_((M.n_rows + 4) | 1, M.n_cols + 2, arma::fill::value(std::numeric_limits<T>::quiet_NaN())),
        inner_(View<T>(all_).block(1, 1, M.n_rows, M.n_cols)) {
    for (uword j = 0; j < M.n_cols; ++j) std::copy_n(M.colptr(j), M.n_rows, &inner_(0, j));
  }
  Surrounded(const Surrounded&) = delete;
  Surrounded& operator=(const Surrounded&) = delete;

  T* data() { return inner_.data; }
  uword ld() const { return inner_.ld; }
  arma::mat content() const { return in_double(inner_.copy()); }
  /// Returns true if nothing was written outside of the matrix.
  bool intact() const {
    uword written = 0;
    for (const T x : all_) written += std::isnan(x) ? 0 : 1;
    return written <= inner_.rows * inner_.cols;
  }

 private:
  arma::Mat<T> all_;
  View<T> inner_;
};

inline arma::vec row_norms(const arma::mat& M) { return arma::sqrt(arma::sum(arma::square(M), 1)); }
inline arma::vec column_norms(const arma::mat& M) { return arma::sqrt(arma::sum(arma::square(M), 0)).t(); }

/// Returns the largest |C - exact|_ij / (eps (|A_i| |B_j| + 1)) of C = A B + beta C_0, |beta C_0| <= 1.
/// upper: on and above the diagonal.
template <class T>
double product_ratio(const arma::mat& C, const arma::mat& exact, const arma::mat& A, const arma::mat& B,
                     bool upper = false) {
  const arma::vec rows = row_norms(A), cols = column_norms(B);
  double largest = 0;
  for (uword j = 0; j < C.n_cols; ++j) {
    for (uword i = 0; i < (upper ? j + 1 : C.n_rows); ++i) {
      const double ratio = std::abs(C(i, j) - exact(i, j)) / (kEps<T> * (rows(i) * cols(j) + 1));
      largest = ratio <= largest ? largest : std::isnan(ratio) ? std::numeric_limits<double>::infinity() : ratio;
    }
  }
  return largest;
}

/// The same for a result that may have written outside of its matrix.
template <class T>
double product_ratio(const Surrounded<T>& C, const arma::mat& exact, const arma::mat& A, const arma::mat& B,
                     bool upper = false) {
  return C.intact() ? product_ratio<T>(C.content(), exact, A, B, upper) : std::numeric_limits<double>::infinity();
}

inline arma::mat op_of(Op op, const arma::mat& M) { return op == Op::none ? M : arma::mat(M.t()); }

/// An upper triangle of condition about 2 above NaN; unit: with a diagonal of NaN that stands for ones.
template <class T>
arma::Mat<T> triangle(uword n, bool unit = false) {
  arma::mat R = random_entries(n, n, 4) / (4 * std::sqrt(static_cast<double>(n)));
  for (uword j = 0; j < n; ++j) {
    R(j, j) = unit ? arma::datum::nan : 1 + R(j, j);
    for (uword i = j + 1; i < n; ++i) R(i, j) = arma::datum::nan;
  }
  return arma::conv_to<arma::Mat<T>>::from(R);
}

/// The triangle without NaN.
template <class T>
arma::mat whole_triangle(const arma::Mat<T>& R) {
  arma::mat whole(R.n_rows, R.n_cols, arma::fill::zeros);
  for (uword j = 0; j < R.n_cols; ++j) {
    for (uword i = 0; i <= j; ++i) whole(i, j) = std::isnan(R(i, j)) ? 1 : static_cast<double>(R(i, j));
  }
  return whole;
}

/// Returns an error in n eps, relative to a scale.
inline double in_eps(double error, uword n, double scale, double eps = kEps<double>) {
  return error / (eps * static_cast<double>(n) * scale);
}

}  // namespace elmx::checks
