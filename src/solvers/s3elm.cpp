#include "solvers/s3elm.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "linalg/blas.hpp"
#include "linalg/cholesky.hpp"
#include "linalg/minimum_norm.hpp"
#include "linalg/symmetric_eigen.hpp"

namespace elmx {
namespace {

constexpr double kPruningSlack = 1e-6;  // relative: what nodes below 1e-5 take with them
constexpr double kRoundingSlack = 1e-11;

arma::mat product(const arma::mat& A, const arma::mat& B) {
  arma::mat C(A.n_rows, B.n_cols);
  gemm(Op::none, Op::none, 1.0, A, B, 0.0, View<double>(C));
  return C;
}

/// What an iteration minimises over W for a fixed W_t: the target of the W step, and the objective (without lambda ||W||) at W_t.
struct Target {
  arma::mat Z;
  double objective = 0;
  double size = 0;  // of the terms that the objective is the difference of
};

Status iterate(const arma::mat& Bt, const arma::mat& W0, const std::function<Target(const arma::mat& V)>& target, const S3elmOptions& options, S3elmFit& fit) {
  fit = {};
  JointSparse weights(Bt, W0, options.lambda, options.solver);
  Target at;
  double before = std::numeric_limits<double>::infinity();
  for (bool last = false; !last;) {
    at = target(weights.V());
    const double objective = at.objective + options.lambda * weights.norm21();
    if (fit.iterations > 0) fit.rise = std::max(fit.rise, (objective - before) / std::abs(before));
    if (objective > before + kPruningSlack * std::abs(before) + kRoundingSlack * at.size) return Status::not_decreasing;
    fit.objective.push_back(before = objective);

    const Status status = weights.step(at.Z);
    if (status != Status::ok) return status;
    if (options.prune_below > 0) weights.prune(options.prune_below);
    ++fit.iterations;
    if (weights.active().is_empty()) return Status::all_pruned;
    last = weights.change() <= options.epsilon || fit.iterations >= options.iterations;
  }
  fit.active = weights.active();
  fit.W = weights.W();
  if (options.keep == 0 || options.keep >= fit.active.n_elem) return Status::ok;
  weights.keep_largest(options.keep);
  fit.active = weights.active();
  return minimum_norm(arma::mat(arma::mat(Bt.rows(fit.active)).t()), at.Z, fit.W);  // H_S^+ Y
}

}  // namespace

arma::mat LabelSystem::project(const arma::mat& V) const {
  arma::mat Z = F;
  gemm(Op::none, Op::none, 1.0, K, V, 1.0, View<double>(Z));
  return Z;
}

double LabelSystem::minimum(const arma::mat& V, const arma::mat& Z) const {
  return arma::dot(V, V) - arma::dot(V, Z) - arma::dot(V, F) + constant;
}

Status label_system(const arma::mat& form, const arma::mat& labels, double tau_mu, LabelSystem& system) {
  const uword n = labels.n_rows, r = form.n_rows - n;
  expects(form.n_rows == form.n_cols && form.n_rows > n, "label_system: the form is that of r basis vectors and n labelled samples");
  system.K = form.submat(0, 0, r - 1, r - 1);
  if (tau_mu == 0) {
    system.F.zeros(r, labels.n_cols);
    system.constant = 0;
    return Status::ok;
  }
  const arma::mat P = form.submat(0, r, r - 1, r + n - 1);                          // Q'RE
  arma::mat S = tau_mu * form.submat(r, r, r + n - 1, r + n - 1) + arma::eye(n, n);  // I + tau mu E'RE
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

Status constrained_system(const arma::mat& QtLQ, const arma::mat& Ql, const arma::mat& labels, double a, double b, ConstrainedSystem& system) {
  arma::mat T = a * QtLQ, target(Ql.n_cols, labels.n_cols);
  syrk(b, Ql, 1.0, View<double>(T));
  gemm(Op::transpose, Op::none, b, Ql, labels, 0.0, View<double>(target));
  arma::vec theta;
  const Status status = symmetric_eigen(T, theta);
  if (status != Status::ok) return status;
  // b Q'Y~ lies in the range of T: where T vanishes, so does the target.
  const double least = theta(theta.n_elem - 1) * static_cast<double>(theta.n_elem) * arma::datum::eps;
  const arma::uvec kept = arma::find(theta > least);
  const arma::mat V = T.cols(kept);
  const arma::vec root = arma::sqrt(theta.elem(kept));
  system.S = V.t();
  system.S.each_col() %= root;
  system.Z = product(V.t(), target);
  system.Z.each_col() /= root;
  system.constant = b * arma::dot(labels, labels) - arma::dot(system.Z, system.Z);
  return Status::ok;
}

Status train_s3elm(const LabelSystem& system, const arma::mat& Bt, const arma::mat& W0, const S3elmOptions& options, S3elmFit& fit) {
  expects(Bt.n_cols == system.K.n_rows && W0.n_cols == system.F.n_cols, "train_s3elm: B is r x L, W is L x C");
  return iterate(Bt, W0,
                 [&](const arma::mat& V) {
                   const arma::mat Z = system.project(V);
                   return Target{Z, system.minimum(V, Z), arma::dot(V, V) + system.constant};
                 },
                 options, fit);
}

Status train_s3elm(const ConstrainedSystem& system, const arma::mat& Bt, const arma::mat& W0, const S3elmOptions& options, S3elmFit& fit) {
  expects(Bt.n_cols == system.S.n_cols && W0.n_cols == system.Z.n_cols, "train_s3elm: B is r x L, W is L x C");
  arma::mat SBt(Bt.n_rows, system.S.n_rows);
  gemm(Op::none, Op::transpose, 1.0, Bt, system.S, 0.0, View<double>(SBt));
  return iterate(SBt, W0,
                 [&](const arma::mat& V) {
                   const arma::mat R = V - system.Z;
                   return Target{system.Z, arma::dot(R, R) + system.constant, arma::dot(V, V) + arma::dot(system.Z, system.Z)};
                 },
                 options, fit);
}

}  // namespace elmx
