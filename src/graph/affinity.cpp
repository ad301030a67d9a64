#include "graph/affinity.hpp"

#include <algorithm>
#include <cmath>
#include <compare>
#include <numeric>

#include "linalg/blas.hpp"

namespace elmx {
namespace {

constexpr uword kBlock = 256;  // rows whose distances to all others are held at once

/// ||x_i - x_j||^2 for the rows i = first .. first + n - 1 and all j: n x N.
arma::mat distances_from(const arma::mat& X, const arma::vec& x2, uword first, uword n) {
  const View<const double> all{X};
  arma::mat D(n, X.n_rows);
  gemm(Op::none, Op::transpose, -2.0, all.block(first, 0, n, X.n_cols), all, 0.0, View<double>(D));
  for (uword j = 0; j < X.n_rows; ++j) {
    for (uword i = 0; i < n; ++i) D(i, j) = first + i == j ? 0.0 : std::max(0.0, D(i, j) + x2(first + i) + x2(j));
  }
  return D;
}

struct Edge {
  uword i, j;  // i < j
  double affinity;

  auto operator<=>(const Edge&) const = default;
};

/// The k nearest of row i (which is row `row` of D), without itself.
std::vector<uword> nearest(const arma::mat& D, uword row, uword i, uword k) {
  std::vector<uword> others(D.n_cols);
  std::iota(others.begin(), others.end(), uword{0});
  others.erase(others.begin() + static_cast<long>(i));
  const auto closer = [&](uword a, uword b) { return std::pair(D(row, a), a) < std::pair(D(row, b), b); };
  std::nth_element(others.begin(), others.begin() + static_cast<long>(k - 1), others.end(), closer);
  others.resize(k);
  return others;
}

}  // namespace

arma::mat squared_distances(const arma::mat& X) {
  const uword N = X.n_rows;
  const arma::vec x2 = arma::sum(arma::square(X), 1);
  const arma::mat Xt = X.t();
  arma::mat D(N, N);
  syrk(-2.0, Xt, 0.0, View<double>(D));
  for (uword j = 0; j < N; ++j) {
    for (uword i = 0; i < j; ++i) D(j, i) = D(i, j) = std::max(0.0, D(i, j) + x2(i) + x2(j));
    D(j, j) = 0;
  }
  return D;
}

arma::mat heat_affinity(const arma::mat& D, double sigma) {
  arma::mat A(D.n_rows, D.n_cols);
#pragma omp parallel for schedule(static)
  for (long j = 0; j < static_cast<long>(D.n_cols); ++j) {
    const double* d = D.colptr(static_cast<uword>(j));
    double* a = A.colptr(static_cast<uword>(j));
    for (uword i = 0; i < D.n_rows; ++i) a[i] = std::exp(-sigma * d[i]);
    a[j] = 0;
  }
  return A;
}

arma::sp_mat nearest_neighbour_affinity(const arma::mat& X, uword k, double sigma) {
  const uword N = X.n_rows;
  expects(k > 0 && k < N, "nearest_neighbour_affinity: 0 < k < N");
  const arma::vec x2 = arma::sum(arma::square(X), 1);
  std::vector<Edge> edges(N * k);
  const auto blocks = static_cast<long>((N + kBlock - 1) / kBlock);
#pragma omp parallel for schedule(dynamic, 1)
  for (long b = 0; b < blocks; ++b) {
    const uword first = static_cast<uword>(b) * kBlock, n = std::min(kBlock, N - first);
    const arma::mat D = distances_from(X, x2, first, n);
    for (uword row = 0; row < n; ++row) {
      const uword i = first + row;
      uword at = i * k;
      for (const uword j : nearest(D, row, i, k)) edges[at++] = {std::min(i, j), std::max(i, j), std::exp(-sigma * D(row, j))};
    }
  }
  std::sort(edges.begin(), edges.end());
  const auto same_pair = [](const Edge& a, const Edge& b) { return a.i == b.i && a.j == b.j; };
  edges.erase(std::unique(edges.begin(), edges.end(), same_pair), edges.end());
  arma::umat places(2, 2 * edges.size());
  arma::vec values(2 * edges.size());
  for (uword e = 0; e < edges.size(); ++e) {
    places(0, 2 * e) = places(1, 2 * e + 1) = edges[e].i;
    places(1, 2 * e) = places(0, 2 * e + 1) = edges[e].j;
    values(2 * e) = values(2 * e + 1) = edges[e].affinity;
  }
  return {places, values, N, N};
}

namespace {

/// One sample of sparse_coefficients.
class BasisPursuit {
 public:
  /// C: N + D columns [X' I]; column `own` is left out by its coefficient being 0.
  BasisPursuit(const arma::mat& C, const arma::mat& factor, uword own, const BasisPursuitOptions& options)
      : C_(C), R_(factor), own_(own), x_(C.col(own)), options_(options), y_(gram_solve(x_)), denominator_(1 - arma::dot(x_, y_)) {}

  arma::vec solve() const {
    const uword n = C_.n_cols;
    arma::vec z(n, arma::fill::zeros), u(n, arma::fill::zeros), theta, before;
    for (std::size_t t = 0; t < options_.iterations; ++t) {
      theta = project(z - u);
      before = z;
      z = soft_threshold(theta + u);
      u += theta - z;
      if (arma::norm(theta - z) < options_.tolerance && options_.rho * arma::norm(z - before) < options_.tolerance) break;
    }
    return on_support(z);
  }

 private:
  /// (I + X'X)^-1 b = R^-1 R'^-1 b.
  arma::vec gram_solve(const arma::vec& b) const { return arma::solve(arma::trimatu(R_), arma::solve(arma::trimatl(R_.t()), b)); }

  /// v - B'(BB')^-1 (B v - x), BB' = I + X'X - x x'.
  arma::vec project(arma::vec v) const {
    v(own_) = 0;
    const arma::vec s = gram_solve(C_ * v - x_);
    v -= C_.t() * (s + y_ * (arma::dot(x_, s) / denominator_));
    v(own_) = 0;
    return v;
  }

  arma::vec soft_threshold(arma::vec v) const {
    const double threshold = 1 / options_.rho;
    v.transform([&](double a) { return a > threshold ? a - threshold : a < -threshold ? a + threshold : 0.0; });
    return v;
  }

  arma::vec on_support(arma::vec z) const {
    const arma::uvec support = arma::find(z);
    if (support.is_empty() || support.n_elem > C_.n_rows) return z;
    arma::vec exact;
    if (!arma::solve(exact, C_.cols(support), x_, arma::solve_opts::no_approx)) return z;
    z(support) = exact;
    return z;
  }

  const arma::mat& C_;
  const arma::mat& R_;
  uword own_;
  arma::vec x_;
  BasisPursuitOptions options_;
  arma::vec y_;         // (I + X'X)^-1 x
  double denominator_;  // 1 - x'(I + X'X)^-1 x
};

}  // namespace

arma::mat sparse_coefficients(const arma::mat& X, const BasisPursuitOptions& options) {
  const uword N = X.n_rows, D = X.n_cols;
  const arma::mat C = arma::join_rows(X.t(), arma::eye(D, D));
  const arma::mat factor = arma::chol(arma::mat(C * C.t()));
  arma::mat theta(N, N);
#pragma omp parallel for schedule(dynamic, 1)
  for (long i = 0; i < static_cast<long>(N); ++i) {
    const BasisPursuit pursuit(C, factor, static_cast<uword>(i), options);
    theta.row(static_cast<uword>(i)) = pursuit.solve().head(N).t();
  }
  return theta;
}

arma::mat sparse_affinity(const arma::mat& X, const BasisPursuitOptions& options) {
  const arma::mat theta = arma::abs(sparse_coefficients(X, options));
  arma::mat A = theta + theta.t();
  A.diag().zeros();
  return A;
}

}  // namespace elmx
