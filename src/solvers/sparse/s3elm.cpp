#include "solvers/sparse/s3elm.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/blas.hpp"
#include "linalg/cholesky.hpp"
#include "linalg/decompositions.hpp"
#include "linalg/ridge_qr.hpp"

namespace elmx {
namespace {

constexpr double kRoundingSlack = 1e-11;
// dimensions per remaining node above which dropping dimensions pays in a few iterations
constexpr uword kCompressBelow = 4;

arma::mat product(const arma::mat& A, const arma::mat& B) { return gemm(Op::none, Op::none, 1.0, A, B); }

template <class System>
Status iterate(System system, const arma::mat& Bt, const arma::mat& W0, const S3elmOptions& options, S3elmFit& fit,
               const arma::mat* gram) {
  fit = {};
  JointSparse weights(Bt, W0, options.lambda, options.solver, gram);
  arma::mat Z;
  double of_pruning = 0;
  // Checks that the minimum over Y at the current weights has not increased since the last step, except by
  // pruning and rounding.
  const auto judge = [&](const arma::mat& V, const arma::mat& of_labels) {
    const double objective = system.minimum(V, of_labels) + options.lambda * weights.norm21();
    const double rounding =
        kRoundingSlack * (arma::dot(V, V) + arma::dot(of_labels, of_labels) + std::abs(system.constant));
    if (!std::isfinite(objective)) return Status::not_finite;
    const double before = fit.objective.empty() ? std::numeric_limits<double>::infinity() : fit.objective.back();
    if (fit.iterations > 0) fit.rise = std::max(fit.rise, (objective - before) / std::abs(before));
    if (objective > before + of_pruning + rounding) return Status::not_decreasing;
    fit.objective.push_back(objective);
    return Status::ok;
  };
  for (bool last = false; !last;) {
    const arma::mat V = weights.V();
    Z = system.project(V);
    if (const Status status = judge(V, Z); status != Status::ok) return status;
    if (const Status status = weights.step(Z); status != Status::ok) return status;
    ++fit.iterations;
    of_pruning = 0;
    if (options.prune_below > 0) {
      // the increase of ||V - Z||^2 by pruning
      const arma::mat lost = weights.prune(options.prune_below);
      if (weights.active().is_empty()) return Status::all_pruned;
      if (arma::any(arma::vectorise(lost) != 0))
        of_pruning = std::max(0.0, -2 * arma::dot(weights.V() - Z, lost) - arma::dot(lost, lost));
    }
    last = weights.change() <= options.epsilon || fit.iterations >= options.iterations;
    if (!last && kCompressBelow * weights.active().n_elem <= Z.n_rows) system = system.restricted(weights.compress());
  }
  const arma::mat V = weights.V();
  if (const Status status = judge(V, system.project(V)); status != Status::ok) return status;
  Status kept = Status::ok;
  if (options.keep > 0 && options.keep < weights.active().n_elem) {
    kept = weights.keep_largest(options.keep, Z);
    const arma::mat left = weights.V();
    fit.objective.back() = system.minimum(left, system.project(left)) + options.lambda * weights.norm21();
  }
  fit.active = weights.active();
  fit.W = weights.W();
  return kept;
}

}  // namespace

arma::mat LabelSystem::project(const arma::mat& V) const {
  arma::mat Z = F;
  gemm(Op::none, Op::none, 1.0, K, V, 1.0, View<double>(Z));
  return Z;
}

LabelSystem LabelSystem::restricted(const arma::mat& P) const {
  return {product(P.t(), product(K, P)), product(P.t(), F), constant};
}

double LabelSystem::minimum(const arma::mat& V, const arma::mat& Z) const {
  return arma::dot(V, V) - arma::dot(V, Z) - arma::dot(V, F) + constant;
}

Status label_system(const arma::mat& form, uword r, const arma::uvec& labelled, const arma::mat& labels, double tau_mu,
                    LabelSystem& system) {
  const uword n = labels.n_rows;
  expects(form.n_rows == form.n_cols && r > 0 && r < form.n_rows && labelled.n_elem == n && n > 0 &&
              r + labelled.max() < form.n_rows,
          "label_system: the form is that of r basis vectors and the labelled samples");
  system.K = form.submat(0, 0, r - 1, r - 1);
  if (tau_mu == 0) {
    system.F.zeros(r, labels.n_cols);
    system.constant = 0;
    return Status::ok;
  }
  const arma::mat of_labelled = form.cols(r + labelled);
  const arma::mat P = of_labelled.head_rows(r);                             // Q'RE
  arma::mat S = tau_mu * of_labelled.rows(r + labelled) + arma::eye(n, n);  // I + tau mu E'RE
  const Status status = cholesky(View<double>(S));
  if (status != Status::ok) return status;
  arma::mat solved = labels, Pt = P.t();
  cholesky_solve(S, View<double>(solved));  // (I + tau mu E'RE)^-1 Y^
  system.F = tau_mu * product(P, solved);
  system.constant = tau_mu * arma::dot(labels, solved);
  trsm(Op::transpose, S, View<double>(Pt));
  syrk(-tau_mu, Pt, 1.0, View<double>(system.K));
  system.K = arma::symmatu(system.K);
  return Status::ok;
}

Status constrained_system(const arma::mat& QtLQ, const arma::mat& Ql, const arma::mat& labels, double a, double b,
                          ConstrainedSystem& system) {
  arma::mat T = a * QtLQ;
  syrk(b, Ql, 1.0, View<double>(T));
  const arma::mat target = gemm(Op::transpose, Op::none, b, Ql, labels);
  arma::vec theta;
  const Status status = symmetric_eigen(T, theta);
  if (status != Status::ok) return status;
  // b Q'Y~ lies in the range of T: where T vanishes, so does the target.
  const double least = theta(theta.n_elem - 1) * static_cast<double>(theta.n_elem) * arma::datum::eps;
  const arma::uvec kept = arma::find(theta > least);
  if (kept.is_empty()) {
    system.S.set_size(0, T.n_rows);
    system.Z.set_size(0, labels.n_cols);
    system.constant = b * arma::dot(labels, labels);
    return Status::ok;
  }
  const arma::mat V = T.cols(kept);
  const arma::vec root = arma::sqrt(theta.elem(kept));
  system.S = V.t();
  system.S.each_col() %= root;
  system.Z = product(V.t(), target);
  system.Z.each_col() /= root;
  system.constant = b * arma::dot(labels, labels) - arma::dot(system.Z, system.Z);
  return Status::ok;
}

double ConstrainedSystem::minimum(const arma::mat& V, const arma::mat&) const {
  const arma::mat R = V - Z;
  return arma::dot(R, R) + constant;
}

ConstrainedSystem ConstrainedSystem::restricted(const arma::mat& P) const {
  const arma::mat inside = product(P.t(), Z);
  const arma::mat outside = Z - product(P, inside);
  return {product(P.t(), S), inside, constant + arma::dot(outside, outside)};
}

Status train_s3elm(const LabelSystem& system, const arma::mat& Bt, const arma::mat& W0, const S3elmOptions& options,
                   S3elmFit& fit, const arma::mat* gram) {
  expects(Bt.n_cols == system.K.n_rows && W0.n_cols == system.F.n_cols, "train_s3elm: B is r x L, W is L x C");
  return iterate(system, Bt, W0, options, fit, gram);
}

Status train_s3elm(const ConstrainedSystem& system, const arma::mat& Bt, const arma::mat& W0,
                   const S3elmOptions& options, S3elmFit& fit) {
  expects(Bt.n_cols == system.S.n_cols && W0.n_cols == system.Z.n_cols, "train_s3elm: B is r x L, W is L x C");
  return iterate(system, gemm(Op::none, Op::transpose, 1.0, Bt, system.S), W0, options, fit, nullptr);
}

namespace {

/// Returns the triangle of the QR decomposition of A: n x n, with zero rows if A has fewer than n rows.
arma::mat triangle_of(arma::mat A) {
  // LAPACK would complain on stderr
  if (A.n_rows == 0) return arma::mat(A.n_cols, A.n_cols, arma::fill::zeros);
  const int m = static_cast<int>(A.n_rows), n = static_cast<int>(A.n_cols), lwork = 64 * n;
  arma::vec tau(static_cast<uword>(std::min(m, n))), work(static_cast<uword>(lwork));
  int info = 0;
  arma::dgeqrf_(&m, &n, A.memptr(), &m, tau.memptr(), work.memptr(), &lwork, &info);
  const uword rows = std::min(A.n_rows, A.n_cols);
  arma::mat R(A.n_cols, A.n_cols, arma::fill::zeros);
  for (uword j = 0; j < A.n_cols; ++j) std::copy_n(A.colptr(j), std::min(j + 1, rows), R.colptr(j));
  return R;
}

arma::mat without(const arma::mat& A, const arma::uvec& rows) {
  arma::mat rest = A;
  rest.shed_rows(rows);
  return rest;
}

}  // namespace

ApproximateSelm::ApproximateSelm(const RangeBasis& basis, const MinimumNormLift& lift, const arma::mat& LQ,
                                 const arma::uvec& labelled, const arma::mat& labels)
    : basis_(basis),
      lift_(lift),
      Ru_(triangle_of(without(LQ, labelled))),
      LQl_(LQ.rows(labelled)),
      Ql_(basis.Q.rows(labelled)),
      labels_(labels),
      tolerance_(basis.pseudo_inverse_tolerance()) {
  expects(LQ.n_rows == basis.Q.n_rows && LQ.n_cols == basis.rank() && labels.n_rows == labelled.n_elem,
          "ApproximateSelm: LQ is N x r, labels n x C");
}

Status ApproximateSelm::solve(double lambda, arma::mat& W) const {
  arma::mat R = lambda * Ru_;
  arma::mat V(R.n_rows, labels_.n_cols, arma::fill::zeros);
  append_rows(R, V, lambda * LQl_ + Ql_, labels_, 32);
  if (reciprocal_condition(R) <= tolerance_)
    return minimum_norm(gemm(Op::none, Op::transpose, 1.0, R, basis_.Bt), V, W, tolerance_);
  trsm(Op::none, R, View<double>(V));
  W = lift_(V);
  return W.is_finite() ? Status::ok : Status::not_finite;
}

Status exact_selm(const RangeBasis& basis, const arma::mat& QtLQ, const arma::mat& Ql, const arma::mat& labels,
                  double lambda, arma::mat& W) {
  ConstrainedSystem system;
  const Status status = constrained_system(QtLQ, Ql, labels, lambda, 1, system);
  if (status != Status::ok) return status;
  const arma::mat SB = gemm(Op::none, Op::transpose, 1.0, system.S, basis.Bt);
  return minimum_norm(SB, system.Z, W, basis.pseudo_inverse_tolerance());
}

}  // namespace elmx
