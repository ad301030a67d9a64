#include "linalg/checks/kernel_check.hpp"
#include "linalg/cholesky.hpp"
#include "linalg/decompositions.hpp"
#include "linalg/inverse_cholesky.hpp"
#include "linalg/ridge_qr.hpp"

namespace elmx::checks {
namespace {

// LAPACK. A residual or a distance from orthogonality may be n eps times the sizes of its terms.

struct Conditioned {
  uword n;
  double condition;

  std::string text() const { return fmt::format("{} x {}, condition {:.0e}", n, n, condition); }
};

/// Returns sizes and condition numbers that the precision of T can tell from singular ones.
template <class T>
std::vector<Conditioned> conditioned(Extent extent) {
  std::vector<Conditioned> all;
  for (const uword n : {1, 7, 33, 64, 65, 129, 257}) {
    if (extent == Extent::quick && n > 65) continue;
    for (const double condition : {1.0, 1e6, 1e12}) {
      if (condition * static_cast<double>(n) * kEps<T> < 0.1 && (n > 1 || condition == 1))
        all.push_back({n, condition});
    }
  }
  return all;
}

/// Returns the distance of Q'Q from I in n eps.
double orthogonality(const arma::mat& Q) {
  return in_eps(plain_norm(plain_product(Q.t(), Q) - arma::eye(Q.n_cols, Q.n_cols)), Q.n_rows, 1);
}

/// Returns a positive definite matrix. Its lower triangle is valid, too.
template <class T>
arma::Mat<T> definite_matrix(const Conditioned& c) {
  const arma::mat root = of_condition(c.n, c.n, std::sqrt(c.condition), 10);
  return arma::conv_to<arma::Mat<T>>::from(plain_product(root.t(), root));
}

double residual_of_solution(const arma::mat& A, const arma::mat& X, const arma::mat& B, double eps) {
  return in_eps(plain_norm(B - plain_product(A, X)), A.n_rows, plain_norm(A) * plain_norm(X), eps);
}

template <class T>
void check_potrf(Extent extent, const Note& note) {
  for (const Conditioned& c : conditioned<T>(extent)) {
    const arma::Mat<T> G = definite_matrix<T>(c), B = entries<T>(c.n, 3, 5);
    arma::Mat<T> R = G, X = B;
    if (cholesky(View<T>(R)) != Status::ok) {
      note(arma::datum::inf, c.text());
      continue;
    }
    cholesky_solve(View<const T>(R), View<T>(X));
    const arma::mat whole = arma::trimatu(in_double(R)), wide = in_double(G);
    note(in_eps(plain_norm(wide - plain_product(whole.t(), whole)), c.n, plain_norm(wide), kEps<T>), c.text());
    note(residual_of_solution(wide, in_double(X), in_double(B), kEps<T>), c.text() + ", its solution");
  }
}

/// F'G F = I, to rounding times the condition of G.
template <class T>
void check_inverse_factor(Status (*factorise)(View<T>), Extent extent, const Note& note) {
  for (const Conditioned& c : conditioned<T>(extent)) {
    const arma::Mat<T> G = definite_matrix<T>(c);
    arma::Mat<T> F = G;
    const bool found = factorise(View<T>(F)) == Status::ok;
    const arma::mat whole = arma::trimatu(in_double(F));
    const arma::mat identity = plain_product(whole.t(), plain_product(in_double(G), whole));
    const double error = plain_norm(identity - arma::eye(c.n, c.n));
    note(found ? in_eps(error, c.n, c.condition, kEps<T>) : arma::datum::inf, c.text());
  }
}

template <class T>
void check_trtri(Extent extent, const Note& note) {
  check_inverse_factor<T>(inverse_of_cholesky<T>, extent, note);
}

/// The estimate of a condition number is at most n times the true number, and rarely below a tenth.
template <class T>
void check_pocon(Extent extent, const Note& note) {
  for (const Conditioned& c : conditioned<T>(extent)) {
    const arma::Mat<T> G = definite_matrix<T>(c);
    arma::Mat<T> R = G;
    if (cholesky(View<T>(R)) != Status::ok) continue;  // check_potrf says so
    const double estimate = condition_estimate(View<const T>(R), symmetric_norm1(View<const T>(G))),
                 n = static_cast<double>(c.n);
    note(std::max(estimate / (2 * n * c.condition), c.condition / (10 * n * estimate)), c.text());
  }
}

void check_trcon(Extent extent, const Note& note) {
  for (const Conditioned& c : conditioned<double>(extent)) {
    arma::mat R = definite_matrix<double>(c);
    if (cholesky(View<double>(R)) != Status::ok) continue;
    const double estimate = 1 / reciprocal_condition(View<const double>(R)), n = static_cast<double>(c.n),
                 root = std::sqrt(c.condition);
    note(std::max(estimate / (2 * n * root), root / (10 * n * estimate)), c.text());
  }
}

void check_posv(Extent extent, const Note& note) {
  for (const Conditioned& c : conditioned<double>(extent)) {
    const arma::mat G = definite_matrix<double>(c), B = random_entries(c.n, 3, 5);
    arma::mat A = G, X = B;
    const bool solved = solve_definite(View<double>(A), View<double>(X)) == Status::ok;
    note(solved ? residual_of_solution(G, X, B, kEps<double>) : arma::datum::inf, c.text());
  }
}

void check_syevd(Extent extent, const Note& note) {
  for (const Conditioned& c : conditioned<double>(extent)) {
    const arma::mat G = definite_matrix<double>(c);
    arma::mat V = G;
    arma::vec theta;
    const bool found = symmetric_eigen(V, theta) == Status::ok;
    arma::mat scaled = V;
    for (uword j = 0; found && j < c.n; ++j) scaled.col(j) *= theta(j);
    note(found ? in_eps(plain_norm(plain_product(G, V) - scaled), c.n, plain_norm(G)) : arma::datum::inf, c.text());
    note(orthogonality(V), c.text() + ", its vectors");
  }
}

/// Returns H and Y of a least-squares problem of twice as many samples as nodes.
std::pair<arma::mat, arma::mat> samples_of(const Conditioned& c) {
  return {of_condition(2 * c.n, c.n, c.condition, 20), random_entries(2 * c.n, 2, 6)};
}

void check_gelsd(Extent extent, const Note& note) {
  for (const Conditioned& c : conditioned<double>(extent)) {
    const auto [H, Y] = samples_of(c);
    arma::mat W;
    const bool solved = minimum_norm(H, Y, W) == Status::ok;
    note(solved ? in_eps(plain_backward_error(H, Y, 0, W), c.n, 1) : arma::datum::inf, c.text());
  }
}

void check_tpqrt(Extent extent, const Note& note) {
  for (const Conditioned& c : conditioned<double>(extent)) {
    const auto [H, Y] = samples_of(c);
    RidgeQr qr(c.n, Y.n_cols, 0);
    qr.add_samples(View<const double>(H), View<const double>(Y));
    arma::mat W;
    const bool solved = qr.solve(W) == Status::ok;
    note(solved ? in_eps(plain_backward_error(H, Y, 0, W), c.n, 1) : arma::datum::inf, c.text());
  }
}

void check_geqp3(Extent extent, const Note& note) {
  for (const Conditioned& c : conditioned<double>(extent)) {
    const auto [H, Y] = samples_of(c);
    RangeBasis basis;
    const bool found = range_basis(H, 0, basis) == Status::ok && basis.rank() == c.n;
    note(found ? in_eps(plain_norm(H - plain_product(basis.Q, basis.Bt.t())), c.n, plain_norm(H)) : arma::datum::inf,
         c.text());
    note(orthogonality(basis.Q), c.text() + ", its basis");
  }
}

void check_geqrf(Extent extent, const Note& note) {
  for (const Conditioned& c : conditioned<double>(extent)) {
    const arma::mat H = samples_of(c).first;
    arma::mat Q, R;
    const bool found = arma::qr_econ(Q, R, H);
    note(found ? in_eps(plain_norm(H - plain_product(Q, R)), c.n, plain_norm(H)) : arma::datum::inf, c.text());
    note(orthogonality(Q), c.text() + ", its basis");
  }
}

void check_gesdd(Extent extent, const Note& note) {
  for (const Conditioned& c : conditioned<double>(extent)) {
    const arma::mat H = samples_of(c).first;
    arma::mat U, V;
    arma::vec s;
    const bool found = arma::svd_econ(U, s, V, H);
    arma::mat scaled = U;
    for (uword j = 0; found && j < c.n; ++j) scaled.col(j) *= s(j);
    note(found ? in_eps(plain_norm(H - plain_product(scaled, V.t())), c.n, plain_norm(H)) : arma::datum::inf, c.text());
    note(std::max(orthogonality(U), orthogonality(V)), c.text() + ", its vectors");
  }
}

constexpr std::array kLapackInDouble{
    KernelCheck{"potrf", check_potrf<double>}, KernelCheck{"trtri", check_trtri<double>},
    KernelCheck{"pocon", check_pocon<double>}, KernelCheck{"trcon", check_trcon},
    KernelCheck{"posv", check_posv},           KernelCheck{"syevd", check_syevd},
    KernelCheck{"gelsd", check_gelsd},         KernelCheck{"tpqrt", check_tpqrt},
    KernelCheck{"geqp3", check_geqp3},         KernelCheck{"geqrf", check_geqrf},
    KernelCheck{"gesdd", check_gesdd}};
constexpr std::array kLapackInSingle{KernelCheck{"potrf", check_potrf<float>}, KernelCheck{"trtri", check_trtri<float>},
                                     KernelCheck{"pocon", check_pocon<float>}};

}  // namespace

template <>
std::span<const KernelCheck> lapack_checks<double>() {
  return kLapackInDouble;
}
template <>
std::span<const KernelCheck> lapack_checks<float>() {
  return kLapackInSingle;
}

}  // namespace elmx::checks
