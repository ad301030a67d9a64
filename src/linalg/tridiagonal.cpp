#include "linalg/tridiagonal.hpp"

#include <algorithm>
#include <vector>

#include "linalg/blas_kernels.hpp"

// Behind its arguments Fortran takes the length of each text.
extern "C" {
void dlarfg_(const int* n, double* alpha, double* x, const int* incx, double* tau);
void dsytd2_(const char* uplo, const int* n, double* A, const int* lda, double* d, double* e, double* tau, int* info,
             std::size_t);
void dormtr_(const char* side, const char* uplo, const char* trans, const int* m, const int* n, const double* A,
             const int* lda, const double* tau, double* C, const int* ldc, double* work, const int* lwork, int* info,
             std::size_t, std::size_t, std::size_t);
}

namespace elmx {
namespace {

constexpr uword kPanel = 48;          // columns that are reduced before the rest is updated
constexpr uword kUnblocked = 96;      // order of what is left to LAPACK's unblocked reduction
constexpr uword kProductStrip = 128;  // columns of a strip of the product with a vector
constexpr uword kProductRows = 256;   // its rows at once: read twice, the second time from the cache
constexpr uword kUpdateTile = 256;    // of the update by matrix-matrix products
constexpr uword kApplied = 96;        // columns that a call of LAPACK applies Q to
constexpr uword kSerialOrder = 400;   // products with a vector below it are not worth other threads

/// y = A x of a symmetric matrix of which the upper triangle is stored, in strips of columns whose parts are added in
/// their order. A: n x n. 2 n^2 flops; the triangle is read once.
class SymmetricProduct {
 public:
  explicit SymmetricProduct(uword n) : parts_(n, (n + kProductStrip - 1) / kProductStrip, arma::fill::none) {}

  void operator()(View<const double> A, const double* x, double* y) {
    const uword n = A.rows;
    const auto strips = static_cast<long>((n + kProductStrip - 1) / kProductStrip);
#pragma omp parallel for schedule(dynamic, 1) if (n > kSerialOrder)
    for (long s = strips - 1; s >= 0; --s)
      strip(A, static_cast<uword>(s) * kProductStrip, x, parts_.colptr(static_cast<uword>(s)));
    for (uword i = 0; i < n; ++i) {
      double sum = 0;
      for (uword s = i / kProductStrip; s < static_cast<uword>(strips); ++s) sum += parts_(i, s);
      y[i] = sum;
    }
  }

 private:
  /// What the columns first, first + 1, ... of the upper triangle add to the first rows of y.
  static void strip(View<const double> A, uword first, const double* x, double* y) {
    const uword width = std::min(kProductStrip, A.cols - first);
    const double* columns = A.data + first * A.ld;
    kernel_symv(width, columns + first, A.ld, x + first, y + first);
    for (uword i = 0; i < first; i += kProductRows) {
      const uword rows = std::min(kProductRows, first - i);
      kernel_gemv(Op::none, rows, width, 1.0, columns + i, A.ld, x + first, 0.0, y + i);
      kernel_gemv(Op::transpose, rows, width, 1.0, columns + i, A.ld, x + i, 1.0, y + first);
    }
  }

  arma::mat parts_;  // of each strip, in its rows and those above it
};

/// A -= V W' + W V' on the upper triangle, and on the rest of the tiles at the diagonal, which nothing reads.
void rank_two_update(View<const double> V, const arma::mat& W, View<double> A) {
  const uword p = A.rows, b = V.cols;
  arma::mat left(p, 2 * b, arma::fill::none), right(p, 2 * b, arma::fill::none);
  for (uword j = 0; j < b; ++j) {
    std::copy_n(V.data + j * V.ld, p, left.colptr(j));
    std::copy_n(V.data + j * V.ld, p, right.colptr(b + j));
    std::copy_n(W.colptr(j), p, left.colptr(b + j));
    std::copy_n(W.colptr(j), p, right.colptr(j));
  }
  std::vector<std::pair<uword, uword>> tiles;
  for (uword j = 0; j < p; j += kUpdateTile) {
    for (uword i = 0; i <= j; i += kUpdateTile) tiles.emplace_back(i, j);
  }
  const auto count = static_cast<long>(tiles.size());
#pragma omp parallel for schedule(dynamic, 1) if (count > 1)
  for (long t = 0; t < count; ++t) {
    const auto [i, j] = tiles[static_cast<std::size_t>(t)];
    kernel_gemm(Op::none, Op::transpose, std::min(kUpdateTile, p - i), std::min(kUpdateTile, p - j), 2 * b, -1.0,
                left.memptr() + i, p, right.memptr() + j, p, 1.0, A.data + i + j * A.ld, A.ld);
  }
}

}  // namespace

Tridiagonal::Tridiagonal(View<double> A)
    : A_(A), d_(A.rows), e_(A.rows > 0 ? A.rows - 1 : 0), tau_(A.rows > 0 ? A.rows - 1 : 0) {
  expects(A.rows == A.cols && A.rows > 0, "Tridiagonal: A is n x n");
  uword n = A.rows;
  arma::mat W(n, kPanel, arma::fill::none);
  while (n > kUnblocked) {
    reduce_panel(n, kPanel, W);
    n -= kPanel;
    rank_two_update(A_.block(0, n, n, kPanel), W, A_.block(0, 0, n, n));
    for (uword j = n; j < n + kPanel; ++j) {
      A_(j - 1, j) = e_(j - 1);
      d_(j) = A_(j, j);
    }
  }
  const int order = in(n), ld = in(A.ld);
  int info = 0;
  dsytd2_("U", &order, A_.data, &ld, d_.memptr(), e_.memptr(), tau_.memptr(), &info, 1);
}

/// Reduces the last columns of the leading n x n block, which is updated by A -= V W' + W V' later: V are the
/// reflectors, and (LAPACK latrd)
///
///     w_j = tau (p - tau / 2 (p'v_j) v_j),   p = A v_j - V (W'v_j) - W (V'v_j)     of the reflectors before
void Tridiagonal::reduce_panel(uword n, uword columns, arma::mat& W) {
  SymmetricProduct times(n);
  arma::vec of_V(columns), of_W(columns);
  const uword ldw = W.n_rows, ld = A_.ld;
  for (uword i = n; i-- > n - columns;) {
    const uword done = n - 1 - i, at = i + columns - n;  // reflectors before; column of W
    double* a = A_.data + i * ld;
    const double* V = A_.data + (i + 1) * ld;
    const double* later = W.memptr() + (at + 1) * ldw;
    if (done > 0) {
      for (uword j = 0; j < done; ++j) {
        of_V(j) = V[i + j * ld];
        of_W(j) = later[i + j * ldw];
      }
      kernel_gemv(Op::none, i + 1, done, -1.0, V, ld, of_W.memptr(), 1.0, a);
      kernel_gemv(Op::none, i + 1, done, -1.0, later, ldw, of_V.memptr(), 1.0, a);
    }
    if (i == 0) break;
    const int length = in(i), one = 1;
    dlarfg_(&length, a + i - 1, a, &one, tau_.memptr() + i - 1);
    e_(i - 1) = a[i - 1];
    a[i - 1] = 1;
    double* w = W.colptr(at);
    times(A_.block(0, 0, i, i), a, w);
    if (done > 0) {
      kernel_gemv(Op::transpose, i, done, 1.0, later, ldw, a, 0.0, of_W.memptr());
      kernel_gemv(Op::none, i, done, -1.0, V, ld, of_W.memptr(), 1.0, w);
      kernel_gemv(Op::transpose, i, done, 1.0, V, ld, a, 0.0, of_V.memptr());
      kernel_gemv(Op::none, i, done, -1.0, later, ldw, of_V.memptr(), 1.0, w);
    }
    const double tau = tau_(i - 1);
    cblas_dscal(in(i), tau, w, 1);
    axpy(i, -tau / 2 * dot(i, w, a), a, w);
  }
}

void Tridiagonal::apply(View<double> Z) const {
  expects(Z.rows == A_.rows, "Tridiagonal: Z is n x m");
  const auto parts = static_cast<long>((Z.cols + kApplied - 1) / kApplied);
#pragma omp parallel for schedule(dynamic, 1) if (parts > 1)
  for (long part = 0; part < parts; ++part) {
    const uword first = static_cast<uword>(part) * kApplied;
    const int n = in(Z.rows), m = in(std::min(kApplied, Z.cols - first)), lda = in(A_.ld), ldz = in(Z.ld);
    double* z = Z.data + first * Z.ld;
    int lwork = -1, info = 0;
    double size = 0;
    dormtr_("L", "U", "N", &n, &m, A_.data, &lda, tau_.memptr(), z, &ldz, &size, &lwork, &info, 1, 1, 1);
    std::vector<double> work(static_cast<std::size_t>(size));
    lwork = static_cast<int>(work.size());
    dormtr_("L", "U", "N", &n, &m, A_.data, &lda, tau_.memptr(), z, &ldz, work.data(), &lwork, &info, 1, 1, 1);
  }
}

}  // namespace elmx
