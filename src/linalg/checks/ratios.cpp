#include "linalg/checks/ratios.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/machine/machine.hpp"
#include "base/rng.hpp"

namespace elmx {
namespace {

constexpr double kOutright = std::numeric_limits<double>::infinity();

/// Computes C += A B, in parts of the sum whose columns of A stay in the cache.   A: m x k, B: k x n, C: m x
/// n.
ELMX_CPU_CLONES void add_product(const double* A, const double* B, double* C, uword m, uword n, uword k) {
  constexpr uword kPart = 32;
  for (uword first = 0; first < k; first += kPart) {
    const uword end = std::min(first + kPart, k);
    for (uword j = 0; j < n; ++j) {
      double* const c = C + j * m;
      const double* const b = B + j * k;
      uword p = first;
      for (; p + 3 < end; p += 4) {
        const double *a0 = A + p * m, *a1 = a0 + m, *a2 = a1 + m, *a3 = a2 + m;
        const double b0 = b[p], b1 = b[p + 1], b2 = b[p + 2], b3 = b[p + 3];
#pragma omp simd
        for (uword i = 0; i < m; ++i) c[i] += (a0[i] * b0 + a1[i] * b1) + (a2[i] * b2 + a3[i] * b3);
      }
      for (; p < end; ++p) {
        for (uword i = 0; i < m; ++i) c[i] += A[p * m + i] * b[p];
      }
    }
  }
}

/// Replaces M by Q M, Q = I - 2 v v' / v'v.
void reflect(const arma::vec& v, arma::mat& M) {
  double squares = 0;
  for (const double x : v) squares += x * x;
  for (uword j = 0; j < M.n_cols; ++j) {
    double along = 0;
    for (uword i = 0; i < M.n_rows; ++i) along += v(i) * M(i, j);
    for (uword i = 0; i < M.n_rows; ++i) M(i, j) -= 2 * along / squares * v(i);
  }
}

}  // namespace

void CheckGroup::add(const std::string& function, const std::string& where, double ratio) {
  ++checks;
  if (std::isnan(ratio)) ratio = kOutright;
  largest = std::max(largest, ratio);
  if (ratio > kMostRatio && std::ranges::count(wrong, function, &WrongResult::function) == 0)
    wrong.push_back({function, where, ratio});
}

void CheckGroup::add(const std::string& function, const std::string& where, bool holds) {
  add(function, where, holds ? 0 : kOutright);
}

arma::mat plain_product(const arma::mat& A, const arma::mat& B) {
  expects(A.n_cols == B.n_rows, "plain_product: A is m x k, B is k x n");
  arma::mat C(A.n_rows, B.n_cols, arma::fill::zeros);
  add_product(A.memptr(), B.memptr(), C.memptr(), A.n_rows, B.n_cols, A.n_cols);
  return C;
}

double plain_norm(const arma::mat& M) {
  double squares = 0;
  for (const double x : M) squares += x * x;
  return std::isfinite(squares) ? std::sqrt(squares) : std::numeric_limits<double>::quiet_NaN();
}

arma::mat random_entries(uword rows, uword cols, std::uint32_t stream) {
  const Rng rng(1, Purpose::probe, stream);
  arma::mat M(rows, cols);
  for (uword i = 0; i < M.n_elem; ++i) M(i) = 2 * rng.uniform(i) - 1;
  return M;
}

arma::mat of_condition(uword rows, uword cols, double condition, std::uint32_t stream) {
  constexpr std::uint32_t kReflections = 3;  // from either side
  const uword r = std::min(rows, cols);
  arma::mat M(rows, cols, arma::fill::zeros);
  for (uword i = 0; i < r; ++i)
    M(i, i) = r == 1 ? 1 : std::pow(condition, -static_cast<double>(i) / static_cast<double>(r - 1));
  for (std::uint32_t s = 0; s < kReflections; ++s) {
    reflect(random_entries(rows, 1, stream + 2 * s), M);
    arma::mat transposed = M.t();
    reflect(random_entries(cols, 1, stream + 2 * s + 1), transposed);
    M = transposed.t();
  }
  return M;
}

double plain_backward_error(const arma::mat& H, const arma::mat& Y, double lambda, const arma::mat& W) {
  const arma::mat residual = plain_product(H, W) - Y;
  const double h = plain_norm(H), w = plain_norm(W);
  return plain_norm(plain_product(H.t(), residual) + lambda * W) / (h * (h * w + plain_norm(Y)) + lambda * w);
}

}  // namespace elmx
