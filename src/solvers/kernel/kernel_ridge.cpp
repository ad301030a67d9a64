#include "solvers/kernel/kernel_ridge.hpp"

#include <cmath>
#include <functional>
#include <limits>

#include "linalg/blas.hpp"
#include "linalg/cholesky.hpp"
#include "linalg/decompositions.hpp"
#include "linalg/gram.hpp"
#include "solvers/kernel/kernel_matrix.hpp"

namespace elmx {
namespace {

constexpr uword kProbeColumns = 8;

constexpr uword kColumns = 512;
constexpr double kUnitRounding = 0x1p-24;
constexpr double kMostShift = 0x1p14;  // in units of kUnitRounding, about 1e-3

/// Returns s.
arma::vec scale_of(const KernelMatrix<double>& K) {
  return K.scale().is_empty() ? arma::vec(K.size(), arma::fill::ones) : K.scale();
}

/// Returns diag(S K S).
arma::vec diagonal_of(const KernelMatrix<double>& K) {
  const arma::vec s = scale_of(K);
  arma::vec diagonal(K.size());
  for (uword i = 0; i < K.size(); ++i) {
    arma::mat entry(1, 1);
    kernel_entries(K.kernel(), K.points(), i, K.points(), i, View<double>(entry));
    diagonal(i) = entry(0, 0) * (s(i) * s(i));
  }
  return diagonal;
}

/// The factor R with R'R = S K S + lambda I in double, in the upper triangle of an n x n array.
class DenseKernelFactor {
 public:
  [[nodiscard]] Status factorise(const KernelMatrix<double>& K, double lambda) {
    R_.set_size(K.size(), K.size());
    K.form(View<double>(R_));
    trace_ = arma::trace(R_);
    R_.diag() += lambda;
    return cholesky(View<double>(R_));
  }

  /// Computes X = (R'R)^-1 X.   2 n^2 c flops.
  void solve(View<double> X) const { cholesky_solve(R_, X); }

  /// Returns the diagonal of (R'R)^-1 from row `first` on. m^3 / 3 flops for the last m rows, and m x 512
  /// numbers.
  arma::vec inverse_diagonal(uword first) const {
    const uword n = R_.n_rows;
    arma::vec diagonal(n - first);
    for (uword at = first; at < n; at += kColumns) {
      const uword b = std::min(kColumns, n - at), m = n - at;
      // (R'R)^-1_ii = ||R^-T e_i||^2, and R^-T e_i begins with row i.
      arma::mat X(m, b, arma::fill::zeros);
      X.diag().ones();
      trsm(Op::transpose, View<const double>(R_).block(at, at, m, m), View<double>(X));
      diagonal.subvec(at - first, at - first + b - 1) = arma::sum(arma::square(X), 0).t();
    }
    return diagonal;
  }

  double trace() const { return trace_; }  ///< trace of S K S

 private:
  arma::mat R_;
  double trace_ = 0;
};

/// The factor in single precision, in panels of half the size. The system is scaled to a unit diagonal before
/// it is rounded: R'R = D^-1 (S K S + lambda I) D^-1 + shift I.
class PanelKernelFactor {
 public:
  /// may_shift: if a pivot is not positive, the diagonal gets a shift of u, 4 u, 16 u, ... u = 2^-24. The
  /// factor is then only good enough for a preconditioner.
  [[nodiscard]] Status factorise(const KernelMatrix<double>& K, double lambda, bool may_shift) {
    const arma::vec diagonal = diagonal_of(K);
    trace_ = arma::accu(diagonal);
    unit_ = arma::sqrt(diagonal + lambda);
    KernelPoints<float> points{arma::conv_to<arma::fmat>::from(K.points().X),
                               arma::conv_to<arma::frowvec>::from(K.points().norms)};
    const KernelMatrix<float> scaled(K.kernel(), std::move(points), scale_of(K) / unit_);
    for (double shift = 0; shift <= (may_shift ? kMostShift : 0); shift = shift == 0 ? 1 : 4 * shift) {
      R_.clear();
      R_.append(K.size());
      scaled.form(R_);
      for (std::size_t p = 0; p < R_.count(); ++p) {
        const View<float> panel = R_.panel(p);
        for (uword j = 0; j < panel.cols; ++j)
          panel(R_.begin(p) + j, j) = static_cast<float>(1 + shift * kUnitRounding);
      }
      if (R_.cholesky(0) == Status::ok) return Status::ok;
    }
    return Status::not_positive_definite;
  }

  void solve(View<double> X) const {
    const arma::vec inverse = 1 / unit_;
    scale_rows(inverse.memptr(), X);
    R_.solve(X);
    scale_rows(inverse.memptr(), X);
  }

  arma::vec inverse_diagonal(uword first) const {
    return R_.inverse_diagonal(first) / arma::square(unit_.tail(unit_.n_elem - first));
  }

  double trace() const { return trace_; }

 private:
  UpperPanels R_{kColumns};
  arma::vec unit_;  // diag(D)
  double trace_ = 0;
};

constexpr uword kSteps = 20, kMostRounds = 10;  // per round; the residual is formed anew between rounds
constexpr double kSmall = 1e-17;                // backward error at which the steps end
constexpr double kFalls = 0.5;                  // a round must reduce the error to less than this part

/// Returns a / b, or 0 unless b is positive.
arma::rowvec ratios(const arma::rowvec& a, const arma::rowvec& b) {
  arma::rowvec quotient(a.n_elem, arma::fill::zeros);
  for (uword j = 0; j < a.n_elem; ++j)
    if (b(j) > 0) quotient(j) = a(j) / b(j);
  return quotient;
}

/// Solves R X = B by preconditioned conjugate gradients for a symmetric positive definite R, every column
/// with its own steps. The steps end when the backward error ||r|| / (bound ||x|| + ||b||) of each column is
/// at most 1e-17, or when a further round, started from the recomputed residual, does not halve it. Returns
/// the number of products with R.
///
/// times: M -> R M;  precondition: M <- P^-1 M;  bound: at least ||R||.   B, X: n x c.
uword symmetric_cg(const std::function<arma::mat(const arma::mat&)>& times,
                   const std::function<void(arma::mat&)>& precondition, const arma::mat& B, double bound,
                   arma::mat& X) {
  const arma::rowvec size = arma::sqrt(column_dots(B, B));
  const auto backward_error = [&](const arma::mat& left, const arma::mat& found) {
    return ratios(arma::sqrt(column_dots(left, left)), bound * arma::sqrt(column_dots(found, found)) + size).max();
  };
  X.zeros(B.n_rows, B.n_cols);
  arma::mat r = B, best = X;
  double before = std::numeric_limits<double>::infinity();
  uword products = 0;
  for (uword round = 0; round < kMostRounds; ++round) {
    if (round > 0) {
      r = B - times(X);
      ++products;
    }
    const double error = backward_error(r, X);
    if (error < before || !X.is_finite()) best = X;
    if (!(error < kFalls * before) || error <= kSmall) break;
    before = error;
    arma::mat z = r;
    precondition(z);
    arma::mat p = z;
    arma::rowvec rz = column_dots(r, z);
    for (uword step = 0; step < kSteps; ++step) {
      const arma::mat Rp = times(p);
      ++products;
      const arma::rowvec alpha = ratios(rz, column_dots(p, Rp));
      X += p.each_row() % alpha;
      r -= Rp.each_row() % alpha;
      if (backward_error(r, X) <= kSmall) break;
      z = r;
      precondition(z);
      const arma::rowvec next = column_dots(r, z);
      p = z + p.each_row() % ratios(next, rz);
      rz = next;
    }
  }
  X = best;
  return products;
}

/// Returns [S Y, s], or S Y without an intercept.
arma::mat right_sides(const arma::vec& s, const arma::mat& Y, bool intercept) {
  arma::mat B = Y;
  B.each_col() %= s;
  if (intercept) B.insert_cols(B.n_cols, s);
  return B;
}

/// The quantities a, b and C s / sqrt(s'C s) from X = C [S Y, s].
struct Bordered {
  arma::mat a;
  arma::rowvec b;
  arma::vec direction;  // C s / sqrt(s'C s), P = C - direction direction'; empty without an intercept
  double root = 1;      // sqrt(s'C s)

  Bordered(const arma::mat& X, const arma::vec& s, bool intercept) {
    const uword c = X.n_cols - (intercept ? 1 : 0);
    a = X.head_cols(c);
    b.zeros(c);
    if (!intercept) return;
    const arma::vec u = X.col(c);
    const double q = arma::dot(s, u);
    b = s.t() * a / q;
    a -= u * b;
    root = std::sqrt(q);
    direction = u / root;
  }
};

/// Returns the leave-one-out machines of `samples`. columns: C e_i of these samples, n x m.
LeftOut left_out_of(const arma::uvec& samples, const arma::vec& s, const Bordered& solution, arma::mat columns) {
  LeftOut of{std::move(columns), arma::mat(samples.n_elem, solution.a.n_cols)};
  arma::rowvec of_intercept(samples.n_elem, arma::fill::zeros);
  for (uword j = 0; j < samples.n_elem; ++j) {
    const uword i = samples(j);
    if (!solution.direction.is_empty()) {
      of.directions.col(j) -= solution.direction * solution.direction(i);
      of_intercept(j) = s(i) * solution.direction(i) / solution.root;
    }
    of.residuals.row(j) = solution.a.row(i) / (of.directions(i, j) * s(i));
    of.directions.col(j) %= s(i) * s;
  }
  of.directions.insert_rows(of.directions.n_rows, of_intercept);
  return of;
}

template <class Factor>
Status solve_by(const Factor& factor, const KernelMatrix<double>& K, const arma::mat& Y, const KernelRidge& problem,
                KernelFit& fit) {
  const uword n = K.size(), known = n - std::min(n, problem.known_from);
  const arma::vec s = scale_of(K);
  const arma::mat B = right_sides(s, Y, problem.intercept);
  const auto precondition = [&](arma::mat& X) { factor.solve(View<double>(X)); };
  const double bound = factor.trace() + problem.lambda;  // bound of ||R||
  arma::mat X = B;
  if (problem.arithmetic == KernelArithmetic::mixed) {
    const auto times = [&](const arma::mat& M) -> arma::mat { return K.times(M) + problem.lambda * M; };
    fit.products = symmetric_cg(times, precondition, B, bound, X);
  } else {
    precondition(X);
  }
  if (!X.is_finite()) return Status::not_finite;
  const Bordered solution(X, s, problem.intercept);

  // Some columns of C are solved beside the solution: one product shows the errors of both.
  const uword probes = std::min(known, kProbeColumns);
  const arma::uvec probed = probes == 0 ? arma::uvec() : arma::linspace<arma::uvec>(n - known, n - 1, probes);
  arma::mat E(n, probes, arma::fill::zeros);
  for (uword j = 0; j < probes; ++j) E(probed(j), j) = 1;
  arma::mat columns = E;
  if (probes > 0) precondition(columns);
  const arma::mat SY = right_sides(s, Y, false);
  const arma::mat A = arma::join_rows(solution.a, columns), RA = K.times(A) + problem.lambda * A;
  const arma::mat residual = SY - RA.head_cols(Y.n_cols) - s * solution.b;
  const double size = bound * arma::norm(solution.a, "fro") + arma::norm(SY, "fro");
  fit.backward_error = size > 0 ? arma::norm(residual, "fro") / size : 0;

  fit.alpha = solution.a;
  fit.alpha.each_col() %= s;
  fit.intercept = solution.b;
  if (!problem.without.is_empty()) {
    arma::mat D(n, problem.without.n_elem, arma::fill::zeros);
    for (uword j = 0; j < D.n_cols; ++j) D(problem.without(j), j) = 1;
    precondition(D);
    fit.left_out = left_out_of(problem.without, s, solution, std::move(D));
  }
  fit.left.reset();
  fit.left_error = 0;
  if (known == 0) return Status::ok;
  arma::vec diagonal = factor.inverse_diagonal(n - known);
  if (probes > 0) {
    // C_ii = x_i + x'r + r'C r exactly, r = e_i - R x.
    const arma::mat r = E - RA.tail_cols(probes);
    arma::mat Cr = r;
    precondition(Cr);
    for (uword j = 0; j < probes; ++j) {
      const double exact = columns(probed(j), j) + arma::dot(columns.col(j), r.col(j)) + arma::dot(r.col(j), Cr.col(j));
      fit.left_error = std::max(fit.left_error, std::abs(diagonal(probed(j) - (n - known)) / exact - 1));
    }
  }
  if (problem.intercept) diagonal -= arma::square(solution.direction.tail(known));
  fit.left = problem.lambda * diagonal;
  return Status::ok;
}

}  // namespace

Status solve_kernel_ridge(const KernelMatrix<double>& K, const arma::mat& Y, const KernelRidge& problem,
                          KernelFit& fit) {
  if (problem.arithmetic == KernelArithmetic::in_double) {
    DenseKernelFactor factor;
    const Status status = factor.factorise(K, problem.lambda);
    return status == Status::ok ? solve_by(factor, K, Y, problem, fit) : status;
  }
  PanelKernelFactor factor;
  const Status status = factor.factorise(K, problem.lambda, problem.arithmetic == KernelArithmetic::mixed);
  return status == Status::ok ? solve_by(factor, K, Y, problem, fit) : status;
}

KernelSpectrum::KernelSpectrum(const KernelMatrix<double>& K, arma::mat Y, bool intercept)
    : V_(K.size(), K.size()), scale_(scale_of(K)), Y_(std::move(Y)), intercept_(intercept) {
  K.form(View<double>(V_));
  status_ = symmetric_eigen(V_, theta_);
  if (status_ != Status::ok) return;
  theta_ = arma::clamp(theta_, 0, theta_.max());
  squares_ = arma::square(V_);
  rotated_ = gemm(Op::transpose, Op::none, 1.0, V_, right_sides(scale_, Y_, intercept));
}

void KernelSpectrum::solve(double lambda, KernelFit& fit) const {
  const arma::vec inverse = 1 / (theta_ + lambda);
  const arma::mat X = gemm(Op::none, Op::none, 1.0, V_, arma::mat(rotated_.each_col() % inverse));
  const Bordered solution(X, scale_, intercept_);
  arma::vec diagonal(V_.n_rows);
  gemv(Op::none, 1.0, squares_, inverse.memptr(), 0.0, diagonal.memptr());
  if (intercept_) diagonal -= arma::square(solution.direction);
  fit.left = lambda * diagonal;
  fit.alpha = solution.a;
  fit.alpha.each_col() %= scale_;
  fit.intercept = solution.b;
}

arma::mat KernelSpectrum::left_out_outputs(double lambda) const {
  KernelFit fit;
  solve(lambda, fit);
  // y_i - f(x_i) = lambda a_i / s_i = lambda alpha_i / w_i
  const arma::vec factor = lambda / (arma::square(scale_) % fit.left);
  return Y_ - fit.alpha.each_col() % factor;
}

}  // namespace elmx
