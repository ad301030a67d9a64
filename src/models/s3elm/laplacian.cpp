#include "models/s3elm/laplacian.hpp"

#include <cmath>

#include "linalg/blas.hpp"
#include "linalg/cholesky.hpp"
#include "linalg/decompositions.hpp"

namespace elmx {
namespace {

/// Returns d_i^-1/2, or 0 where d_i = 0.
arma::vec inverse_roots(arma::vec degrees) {
  degrees.transform([](double d) { return d > 0 ? 1 / std::sqrt(d) : 0.0; });
  return degrees;
}

/// Returns the diagonal of the normalised Laplacian: 1, or 0 for a sample without neighbours.
arma::vec connected(const arma::vec& degrees) { return arma::conv_to<arma::vec>::from(degrees > 0); }

}  // namespace

arma::mat laplacian(arma::mat A, bool normalised) {
  expects(A.n_rows == A.n_cols, "laplacian: A is N x N");
  const arma::vec degrees = arma::sum(A, 1);
  A *= -1;
  if (normalised) {
    const arma::vec root = inverse_roots(degrees);
    A.each_col() %= root;
    A.each_row() %= root.t();
  }
  A.diag() = normalised ? connected(degrees) : degrees;
  return A;
}

arma::sp_mat laplacian(const arma::sp_mat& A, bool normalised) {
  expects(A.n_rows == A.n_cols, "laplacian: A is N x N");
  const arma::vec degrees(arma::mat(arma::sum(A, 1)));
  const arma::vec diagonal = normalised ? connected(degrees) : degrees;
  arma::sp_mat L = -A;
  if (normalised) {
    // This is a product because an iterator loses its place when an entry that it writes underflows and is
    // deleted.
    arma::sp_mat root(A.n_rows, A.n_rows);
    root.diag() = inverse_roots(degrees);
    L = root * L * root;
  }
  arma::sp_mat D(A.n_rows, A.n_rows);
  D.diag() = diagonal;
  return L + D;
}

namespace {

/// Returns S'S, or S' diag(w) S if there are weights w; both triangles.
arma::mat weighted_gram(const arma::mat& S, const double* w = nullptr) {
  arma::mat G(S.n_cols, S.n_cols);
  if (w != nullptr)
    syrk(1.0, S, w, 0.0, View<double>(G));
  else
    syrk(1.0, S, 0.0, View<double>(G));
  return arma::symmatu(G);
}

/// Solves (I + c L) x = z from x = 0. Returns false if the iterations run out or the residual becomes NaN,
/// for which arma::norm would return 0.
bool solve_column(const arma::sp_mat& L, double c, const arma::vec& diagonal, const arma::vec& z, double tolerance,
                  arma::vec& x) {
  const auto apply = [&](const arma::vec& p) { return arma::vec(p + c * (L * p)); };
  arma::vec r = z, s = r / diagonal, p = s;
  double rs = arma::dot(r, s);
  const double enough = tolerance * arma::norm(z);
  for (uword t = 0;; ++t) {
    const double left = std::sqrt(arma::dot(r, r));
    if (left <= enough) return true;
    if (!std::isfinite(left) || t >= 10 * z.n_elem + 1000) return false;
    const arma::vec q = apply(p);
    const double a = rs / arma::dot(p, q);
    x += a * p;
    r -= a * q;
    s = r / diagonal;
    const double next = arma::dot(r, s);
    p = s + next / rs * p;
    rs = next;
  }
}

}  // namespace

Status spectrum_of(arma::mat L, Spectrum& spectrum) {
  const Status status = symmetric_eigen(L, spectrum.theta);
  if (status != Status::ok) return status;
  spectrum.theta = arma::clamp(spectrum.theta, 0.0, arma::datum::inf);
  spectrum.V = std::move(L);
  return Status::ok;
}

arma::mat resolvent_form(const Spectrum& spectrum, double c, const arma::mat& T) {
  expects(T.n_rows == spectrum.theta.n_elem, "resolvent_form: T is N x k");
  const arma::vec weights = 1 / (1 + c * spectrum.theta);
  return weighted_gram(T, weights.memptr());
}

Status factorise_resolvent(arma::mat L, double c, ResolventFactor& factor) {
  L *= c;
  L.diag() += 1;
  const Status status = cholesky(View<double>(L));
  if (status == Status::ok) factor.R = std::move(L);
  return status;
}

arma::mat resolvent_form(const ResolventFactor& factor, arma::mat Z) {
  trsm(Op::transpose, factor.R, View<double>(Z));
  return weighted_gram(Z);
}

Status resolvent_form(const arma::sp_mat& L, double c, const arma::mat& Z, double tolerance, arma::mat& form) {
  const arma::vec diagonal = 1 + c * arma::vec(L.diag());
  arma::mat X(Z.n_rows, Z.n_cols);
  bool solved = true;
#pragma omp parallel for schedule(dynamic, 1) reduction(&& : solved)
  for (long j = 0; j < static_cast<long>(Z.n_cols); ++j) {
    arma::vec x(Z.n_rows, arma::fill::zeros);
    solved = solved && solve_column(L, c, diagonal, Z.col(static_cast<uword>(j)), tolerance, x);
    X.col(static_cast<uword>(j)) = x;
  }
  if (!solved) return Status::not_finite;
  form = gemm(Op::transpose, Op::none, 1.0, Z, X);
  form = (form + form.t()) / 2;
  return Status::ok;
}

}  // namespace elmx
