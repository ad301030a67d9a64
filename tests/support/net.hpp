#pragma once

#include "nets/perceptron/perceptron.hpp"
#include "support/problem.hpp"

// A small perceptron and its error by definition: loops in long double over whole matrices.

namespace elmx {

struct Net {
  arma::mat X, Y;       // P x n with first column -1, P x C
  arma::mat W, Lambda;  // n x N, N x C
  double tau_w, tau_lambda;

  PerceptronProblem problem() const { return {X, Y, tau_w, tau_lambda}; }
};

/// Returns normal inputs, and targets that a net with other weights could nearly reach.
inline Net random_net(uword P, uword m, uword N, uword C, std::uint64_t seed) {
  Net net{arma::join_rows(-arma::vec(P, arma::fill::ones), normal_matrix(P, m, seed, 1)),
          {},
          normal_matrix(m + 1, N, seed, 2),
          normal_matrix(N, C, seed, 3),
          0.01 / static_cast<double>((m + 1) * N),
          1e-3};
  net.Y = arma::tanh(net.X * normal_matrix(m + 1, C, seed, 4)) + 0.2 * normal_matrix(P, C, seed, 5);
  return net;
}

/// H = g(X W)
inline arma::mat hidden_by_definition(const arma::mat& X, const arma::mat& W) {
  arma::mat H(X.n_rows, W.n_cols);
  for (uword j = 0; j < W.n_cols; ++j) {
    for (uword i = 0; i < X.n_rows; ++i) {
      long double t = 0;
      for (uword l = 0; l < X.n_cols; ++l) t += static_cast<long double>(X(i, l)) * static_cast<long double>(W(l, j));
      H(i, j) = static_cast<double>(1 / (1 + std::exp(-t)));
    }
  }
  return H;
}

/// E(Lambda, W) (5)
inline long double error_by_definition(const Net& net, const arma::mat& W, const arma::mat& Lambda) {
  const auto squares = [](const arma::mat& M) {
    long double sum = 0;
    for (const double m : M) sum += static_cast<long double>(m) * static_cast<long double>(m);
    return sum;
  };
  long double fit = 0;
  for (uword i = 0; i < net.X.n_rows; ++i) {
    std::vector<long double> h(W.n_cols);
    for (uword j = 0; j < W.n_cols; ++j) {
      long double t = 0;
      for (uword l = 0; l < net.X.n_cols; ++l)
        t += static_cast<long double>(net.X(i, l)) * static_cast<long double>(W(l, j));
      h[j] = 1 / (1 + std::exp(-t));
    }
    for (uword c = 0; c < net.Y.n_cols; ++c) {
      long double r = -static_cast<long double>(net.Y(i, c));
      for (uword j = 0; j < W.n_cols; ++j) r += h[j] * static_cast<long double>(Lambda(j, c));
      fit += r * r;
    }
  }
  return (fit + static_cast<long double>(net.tau_lambda) * squares(Lambda) +
          static_cast<long double>(net.tau_w) * squares(W)) /
         2;
}

/// (f(x + h e_i) - f(x - h e_i)) / 2h for each i, h = 1e-5: error of order 1e-10.
template <class F>
arma::vec central_differences(const F& f, const arma::vec& x) {
  constexpr double h = 1e-5;
  arma::vec gradient(x.n_elem);
  for (uword i = 0; i < x.n_elem; ++i) {
    arma::vec above = x, below = x;
    above(i) += h;
    below(i) -= h;
    gradient(i) = static_cast<double>((f(above) - f(below)) / static_cast<long double>(above(i) - below(i)));
  }
  return gradient;
}

}  // namespace elmx
