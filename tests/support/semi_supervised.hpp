#pragma once

#include <algorithm>
#include <armadillo>
#include <cmath>
#include <vector>

#include "support/golden.hpp"
#include "support/problem.hpp"

// Semi-supervised problems and their parts by definition: loops in long double.

namespace elmx {

/// ||a - x||^2
inline long double squared_distance(const arma::vec& a, const arma::vec& x) {
  long double sum = 0;
  for (arma::uword k = 0; k < a.n_elem; ++k)
    sum += (static_cast<long double>(a(k)) - x(k)) * (static_cast<long double>(a(k)) - x(k));
  return sum;
}

/// exp(-b_j ||a_j - x_i||^2), A: d x L
inline arma::mat rbf_by_definition(const arma::mat& X, const arma::mat& A, const arma::rowvec& b) {
  arma::mat H(X.n_rows, A.n_cols);
  for (arma::uword j = 0; j < A.n_cols; ++j) {
    for (arma::uword i = 0; i < X.n_rows; ++i) {
      H(i, j) =
          static_cast<double>(std::exp(-static_cast<long double>(b(j)) * squared_distance(A.col(j), X.row(i).t())));
    }
  }
  return H;
}

/// 1 / (1 + exp(-(a_j'x_i + b_j)))
inline arma::mat sigmoid_by_definition(const arma::mat& X, const arma::mat& A, const arma::rowvec& b) {
  arma::mat H(X.n_rows, A.n_cols);
  for (arma::uword j = 0; j < A.n_cols; ++j) {
    for (arma::uword i = 0; i < X.n_rows; ++i) {
      long double v = b(j);
      for (arma::uword k = 0; k < X.n_cols; ++k) v += static_cast<long double>(X(i, k)) * A(k, j);
      H(i, j) = static_cast<double>(1 / (1 + std::exp(-v)));
    }
  }
  return H;
}

/// exp(-sigma ||x_i - x_j||^2), zero diagonal
inline arma::mat heat_by_definition(const arma::mat& X, double sigma) {
  arma::mat A(X.n_rows, X.n_rows, arma::fill::zeros);
  for (arma::uword i = 0; i < X.n_rows; ++i) {
    for (arma::uword j = 0; j < X.n_rows; ++j) {
      if (i != j)
        A(i, j) = static_cast<double>(
            std::exp(-static_cast<long double>(sigma) * squared_distance(X.row(i).t(), X.row(j).t())));
    }
  }
  return A;
}

/// Solves min ||theta||_1 s.t. B theta = x. A vertex of the linear program has at most D non-zero entries, so
/// the result is the best of the solutions for any D columns. For small D only. B: D x K
inline arma::vec sparsest_by_trying(const arma::mat& B, const arma::vec& x) {
  const arma::uword D = B.n_rows;
  std::vector<bool> chosen(B.n_cols, false);
  std::fill_n(chosen.begin(), D, true);
  arma::vec best;
  do {
    arma::uvec columns(D);
    for (arma::uword j = 0, k = 0; j < B.n_cols; ++j) {
      if (chosen[j]) columns(k++) = j;
    }
    arma::vec values, theta(B.n_cols, arma::fill::zeros);
    if (!arma::solve(values, B.cols(columns), x, arma::solve_opts::no_approx)) continue;
    theta(columns) = values;
    if (best.is_empty() || arma::norm(theta, 1) < arma::norm(best, 1)) best = theta;
  } while (std::prev_permutation(chosen.begin(), chosen.end()));
  return best;
}

/// Returns |a_ij| + |a_ji|, where a_i are the coefficients of the other samples in the sparsest combination
/// of these samples and the axes that gives x_i.
inline arma::mat sparse_coding_by_definition(const arma::mat& X) {
  const arma::uword N = X.n_rows, D = X.n_cols;
  arma::mat A(N, N, arma::fill::zeros);
  for (arma::uword i = 0; i < N; ++i) {
    arma::uvec others = arma::regspace<arma::uvec>(0, 1, N - 1);
    others.shed_row(i);
    const arma::mat samples = X.rows(others).t();
    const arma::vec a = arma::abs(sparsest_by_trying(arma::join_rows(samples, arma::eye(D, D)), X.row(i).t()));
    for (arma::uword j = 0; j + 1 < N; ++j) {
      A(i, others(j)) += a(j);
      A(others(j), i) += a(j);
    }
  }
  return A;
}

/// D_A - A
inline arma::mat laplacian_by_definition(const arma::mat& A) {
  arma::mat L = -A;
  for (arma::uword i = 0; i < A.n_rows; ++i) {
    long double degree = 0;
    for (arma::uword j = 0; j < A.n_rows; ++j) degree += A(i, j);
    L(i, i) = static_cast<double>(degree);
  }
  return L;
}

/// One-hot rows, n x C.
inline arma::mat one_hot(const arma::uvec& labels, arma::uword classes) {
  arma::mat Y(labels.n_elem, classes, arma::fill::zeros);
  for (arma::uword i = 0; i < labels.n_elem; ++i) Y(i, labels(i)) = 1;
  return Y;
}

/// Samples, the first n of them labelled.
struct SemiSupervisedProblem {
  arma::mat H, L;    // N x nodes, N x N
  arma::mat labels;  // n x C

  arma::uword N() const { return H.n_rows; }
  arma::uword n() const { return labels.n_rows; }
  arma::uword C() const { return labels.n_cols; }
  arma::mat Hl() const { return H.head_rows(n()); }

  /// Y~, N x C
  arma::mat targets() const {
    arma::mat Y(N(), C(), arma::fill::zeros);
    Y.head_rows(n()) = labels;
    return Y;
  }
  /// J, N x N
  arma::mat J() const {
    arma::vec d(N(), arma::fill::zeros);
    d.head(n()).ones();
    return arma::diagmat(d);
  }
};

/// Reads the input of a stored example; all files have the same samples.
inline SemiSupervisedProblem problem_of(const Json& input, const Json& nodes) {
  const arma::mat X = matrix_from(input["X"]), A = matrix_from(nodes["A_nodes"]);
  const arma::rowvec b = vector_from(nodes["b_nodes"]).t();
  const arma::mat H = input["activation"] == "rbf" ? rbf_by_definition(X, A, b) : sigmoid_by_definition(X, A, b);
  return {H, laplacian_by_definition(heat_by_definition(X, input["sigma"].get<double>())),
          one_hot(indices_from(input["labels"]), 2)};
}
inline SemiSupervisedProblem problem_of(const Json& input) { return problem_of(input, input); }

/// Returns normal samples in two dimensions, sigmoid nodes with normal parameters, labels 0 .. C-1 in turn.
inline SemiSupervisedProblem random_problem(arma::uword N, arma::uword n, arma::uword C, arma::uword L, double sigma,
                                            std::uint64_t seed) {
  const arma::mat X = normal_matrix(N, 2, seed, 1);
  const arma::mat H = sigmoid_by_definition(X, 2 * normal_matrix(2, L, seed, 2), normal_matrix(1, L, seed, 3));
  arma::uvec labels(n);
  for (arma::uword i = 0; i < n; ++i) labels(i) = i % C;
  return {H, laplacian_by_definition(heat_by_definition(X, sigma)), one_hot(labels, C)};
}

}  // namespace elmx
