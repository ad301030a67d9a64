#include "models/s3elm/affinity.hpp"

#include <algorithm>
#include <cmath>
#include <compare>
#include <numeric>

#include "linalg/blas.hpp"

namespace elmx {
namespace {

constexpr double kDependent = 1e-12;  // least squared part of a column that is orthogonal to the others
constexpr uword kCorners = 50;        // most corners of a homotopy, in units of D
constexpr uword kRowsAtOnce = 256;    // rows whose distances to all others are held at once

/// Returns ||x_i - x_j||^2 for the rows i = first .. first + n - 1 and all j: n x N.
arma::mat distances_from(const arma::mat& X, const arma::vec& x2, uword first, uword n) {
  const View<const double> all{X};
  arma::mat D = gemm(Op::none, Op::transpose, -2.0, all.block(first, 0, n, X.n_cols), all);
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

/// Returns the k nearest neighbours of sample i (row `row` of D), without i itself.
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
  const auto blocks = static_cast<long>((N + kRowsAtOnce - 1) / kRowsAtOnce);
#pragma omp parallel for schedule(dynamic, 1)
  for (long b = 0; b < blocks; ++b) {
    const uword first = static_cast<uword>(b) * kRowsAtOnce, n = std::min(kRowsAtOnce, N - first);
    const arma::mat D = distances_from(X, x2, first, n);
    for (uword row = 0; row < n; ++row) {
      const uword i = first + row;
      uword at = i * k;
      for (const uword j : nearest(D, row, i, k))
        edges[at++] = {std::min(i, j), std::max(i, j), std::exp(-sigma * D(row, j))};
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

/// The active columns of the homotopy of one sample: S, signs s, coefficients theta_S, and P = (B_S'B_S)^-1.
class Support {
 public:
  explicit Support(const arma::mat& B) : B_(B) {}

  const std::vector<uword>& columns() const { return S_; }
  arma::vec theta;

  /// Returns w = P s, the direction in which theta moves as lambda falls.
  arma::vec direction() const { return P_ * signs_; }

  /// Adds a column. Returns false if it depends on the active columns.
  bool add(uword j, double sign) {
    const arma::vec b = B_.col(j);
    const uword k = S_.size();
    const arma::vec g = k > 0 ? arma::vec(B_.cols(arma::uvec(S_)).t() * b) : arma::vec(),
                    y = k > 0 ? arma::vec(P_ * g) : arma::vec();
    const double bb = arma::dot(b, b), schur = bb - (k > 0 ? arma::dot(g, y) : 0.0);
    if (!(schur > kDependent * bb)) return false;
    arma::mat P(k + 1, k + 1);
    if (k > 0) {
      P.submat(0, 0, k - 1, k - 1) = P_ + y * y.t() / schur;
      P.submat(0, k, k - 1, k) = -y / schur;
      P.submat(k, 0, k, k - 1) = -y.t() / schur;
    }
    P(k, k) = 1 / schur;
    P_ = std::move(P);
    S_.push_back(j);
    signs_.resize(k + 1);
    signs_(k) = sign;
    theta.resize(k + 1);
    theta(k) = 0;
    return true;
  }

  void remove(uword i) {
    const arma::vec p = P_.col(i);
    P_ -= p * p.t() / p(i);
    P_.shed_row(i);
    P_.shed_col(i);
    S_.erase(S_.begin() + static_cast<long>(i));
    signs_.shed_row(i);
    theta.shed_row(i);
  }

 private:
  const arma::mat& B_;
  std::vector<uword> S_;
  arma::vec signs_;
  arma::mat P_;
};

/// Solves min ||theta||_1  s.t.  B theta = B_own, theta_own = 0.
arma::vec sparse_combination(const arma::mat& B, uword own) {
  const arma::vec x = B.col(own);
  const uword D = B.n_rows;
  Support support(B);
  std::vector<char> open(B.n_cols, true);  // neither active nor excluded
  open[own] = false;
  arma::vec c = B.t() * x;  // B'(x - B theta)
  c(own) = 0;
  double lambda = arma::norm(c, "inf");
  uword left = B.n_cols;  // the column that has just left
  for (uword corner = 0; lambda > 0 && corner < kCorners * D; ++corner) {
    arma::vec w, u(D, arma::fill::zeros), a(B.n_cols, arma::fill::zeros);
    const arma::uvec S(support.columns());
    if (!S.is_empty()) {
      w = support.direction();
      u = B.cols(S) * w;
      a = B.t() * u;
    }
    double gamma = lambda;
    uword enters = B.n_cols, leaves = S.n_elem;
    for (uword j = 0; S.n_elem < D && j < B.n_cols; ++j) {
      if (!open[j] || j == left) continue;
      for (const double sign : {1.0, -1.0}) {
        const double closing = 1 - sign * a(j), at = std::max(0.0, lambda - sign * c(j)) / closing;
        if (closing > 0 && at < gamma) {
          gamma = at;
          enters = j;
        }
      }
    }
    for (uword i = 0; i < S.n_elem; ++i) {
      if (const double at = -support.theta(i) / w(i); at > 0 && at < gamma) {
        gamma = at;
        leaves = i;
      }
    }
    if (!S.is_empty()) support.theta += gamma * w;
    lambda -= gamma;
    c -= gamma * a;
    left = B.n_cols;
    if (leaves < S.n_elem) {
      left = S(leaves);
      open[left] = true;
      support.remove(leaves);
    } else if (enters < B.n_cols) {
      open[enters] = false;
      support.add(enters, c(enters) > 0 ? 1 : -1);
    } else {
      break;
    }
  }
  arma::vec theta(B.n_cols, arma::fill::zeros);
  const arma::uvec S(support.columns());
  if (S.is_empty()) return theta;
  arma::vec exact;
  theta(S) = arma::solve(exact, B.cols(S), x, arma::solve_opts::no_approx) ? exact : support.theta;
  return theta;
}

}  // namespace

arma::mat sparse_coefficients(const arma::mat& X) {
  const uword N = X.n_rows;
  const arma::mat B = arma::join_rows(X.t(), arma::eye(X.n_cols, X.n_cols));
  arma::mat theta(N, N);
#pragma omp parallel for schedule(dynamic, 1)
  for (long i = 0; i < static_cast<long>(N); ++i) {
    theta.row(static_cast<uword>(i)) = sparse_combination(B, static_cast<uword>(i)).head(N).t();
  }
  return theta;
}

arma::mat sparse_affinity(const arma::mat& X, bool unit_norm) {
  const arma::mat theta = arma::abs(sparse_coefficients(unit_norm ? arma::mat(arma::normalise(X, 2, 1)) : X));
  arma::mat A = theta + theta.t();
  A.diag().zeros();
  return A;
}

}  // namespace elmx
