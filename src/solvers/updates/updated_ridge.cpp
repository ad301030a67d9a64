#include "solvers/updates/updated_ridge.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "linalg/blas.hpp"
#include "linalg/cholesky.hpp"
#include "linalg/gram.hpp"
#include "linalg/inverse_cholesky.hpp"

namespace elmx {
namespace {

constexpr double kEps = std::numeric_limits<double>::epsilon();

/// Copies the upper triangle of S to its lower triangle.
void mirror_upper(arma::mat& S) {
  constexpr uword kPanel = 256;
  const View<double> all(S);
  for (uword j = 0; j < S.n_cols; j += kPanel) {
    const uword n = std::min(kPanel, S.n_cols - j);
    transpose<double>(all.block(0, j, j, n), all.block(j, 0, n, j));
    for (uword c = j; c < j + n; ++c) {
      for (uword r = c + 1; r < j + n; ++r) S(r, c) = S(c, r);
    }
  }
}

}  // namespace

double largest_backward_error(uword nodes) { return 64 * std::sqrt(static_cast<double>(nodes)) * kEps; }

void RidgeSums::change(View<const double> A, View<const double> Y, Change change) {
  const double s = sign_of(change);
  if (!gram.is_empty()) syrk(s, A, 1.0, View<double>(gram));
  gemm(Op::transpose, Op::none, s, A, Y, 1.0, View<double>(cross));
}

void RidgeSums::remove_nodes(const arma::uvec& nodes) {
  if (!gram.is_empty()) {
    gram.shed_rows(nodes);
    gram.shed_cols(nodes);
  }
  cross.shed_rows(nodes);
}

double RidgeSums::backward_error(const arma::mat& W, double lambda) const {
  if (!W.is_finite()) return arma::datum::inf;
  // G W = U W + (U' - D) W for the upper triangle U with the diagonal D
  const arma::vec diagonal = gram.diag();
  arma::mat upper = W, lower = W;
  trmm(Op::none, gram, View<double>(upper));
  trmm(Op::transpose, gram, View<double>(lower));
  arma::mat residual = upper + lower + lambda * W - cross;
  residual -= W.each_col() % diagonal;
  double squares = 0;
  for (uword j = 0; j < gram.n_cols; ++j)
    squares += 2 * dot(j, gram.colptr(j), gram.colptr(j)) + std::pow(diagonal(j) + lambda, 2);
  const double scale = std::sqrt(squares) * arma::norm(W, "fro") + arma::norm(cross, "fro");
  return scale == 0 ? 0 : arma::norm(residual, "fro") / scale;
}

UpdatedRidge::UpdatedRidge(uword nodes, uword outputs, double lambda, bool checked, bool keeps_gram)
    : lambda_(lambda),
      sums_(nodes, outputs),
      W_(nodes, outputs, arma::fill::zeros),
      checked_(checked),
      keeps_gram_(keeps_gram) {}

Status UpdatedRidge::change(View<const double> A, View<const double> Y, Change change) {
  expects(A.cols == W_.n_rows && Y.cols == W_.n_cols && A.rows == Y.rows, "UpdatedRidge: samples of k nodes");
  sums_.change(A, Y, change);
  if (!std::exchange(begun_, true)) {
    expects(change == Change::add, "UpdatedRidge: the first samples are added");
    const Status status = factorise_anew();
    if (!keeps_gram_) sums_.gram.reset();
    return status;
  }
  return checked(update(A, Y, change));
}

Status UpdatedRidge::remove_nodes(const arma::uvec& nodes) {
  expects(nodes.n_elem < W_.n_rows, "UpdatedRidge: a node remains");
  sums_.remove_nodes(nodes);
  return checked(remove(nodes));
}

Status UpdatedRidge::checked(Status updated) {
  factorised_ = false;
  if (!checked_) return updated == Status::ok && !W_.is_finite() ? Status::not_finite : updated;
  const double error = updated == Status::ok ? sums_.backward_error(W_, lambda_) : arma::datum::inf;
  return error <= largest_backward_error(W_.n_rows) ? Status::ok : factorise_anew();
}

Status UpdatedRidge::factorise_anew() {
  factorised_ = true;
  arma::mat R = sums_.gram;
  R.diag() += lambda_;
  if (const Status status = factorise(std::move(R)); status != Status::ok) return status;
  return W_.is_finite() ? Status::ok : Status::not_finite;
}

GramRidge::GramRidge(RidgeSums sums, double lambda) : UpdatedRidge(sums.cross.n_rows, sums.cross.n_cols, lambda, true) {
  sums_ = std::move(sums);
  begun_ = true;
}

Status GramRidge::factorise(arma::mat&& R) {
  R_ = std::move(R);
  if (const Status status = cholesky(View<double>(R_)); status != Status::ok) return status;
  W_ = sums_.cross;
  cholesky_solve(R_, View<double>(W_));
  return Status::ok;
}

Status GramRidge::solve() {
  arma::mat R = std::move(R_);
  R = sums_.gram;
  R.diag() += lambda_;
  return factorise(std::move(R));
}

void GramRidge::apply_inverse(uword, View<double> X) const { cholesky_solve(R_, X); }

Status GramRidge::add_outputs(const arma::mat& cross) {
  sums_.cross = arma::join_rows(sums_.cross, cross);
  return solve();
}

namespace {

/// State: R'R = A'A + lambda I (k x k, upper triangular), R'Z = A'Y (k x c), R W = Z.
class FactorRidge final : public UpdatedRidge {
 public:
  using UpdatedRidge::UpdatedRidge;

  void apply_inverse(uword, View<double> X) const override { cholesky_solve(R_, X); }

 protected:
  [[nodiscard]] Status factorise(arma::mat&& R) override {
    if (const Status status = cholesky(View<double>(R)); status != Status::ok) return status;
    R_ = arma::trimatu(R);
    Z_ = sums_.cross;
    trsm(Op::transpose, R_, View<double>(Z_));
    solve();
    return Status::ok;
  }

  [[nodiscard]] Status update(View<const double> A, View<const double> Y, Change change) override {
    if (A.rows > R_.n_rows) return factorise(changed(A, change));
    arma::mat At = A.copy().t(), Yt = Y.copy().t();
    const Status status =
        update_cholesky(View<double>(R_), View<double>(Z_), View<double>(At), View<double>(Yt), change);
    if (status == Status::ok) solve();
    return status;
  }

  [[nodiscard]] Status remove(const arma::uvec& nodes) override {
    remove_from_cholesky(R_, Z_, nodes);
    solve();
    return Status::ok;
  }

 private:
  /// Returns R'R + s A'A. For more samples than nodes its factorisation costs less than rotations.
  arma::mat changed(View<const double> A, Change change) const {
    arma::mat S = R_;
    trmm(Op::transpose, R_, View<double>(S));
    syrk(sign_of(change), A, 1.0, View<double>(S));
    return S;
  }

  void solve() {
    W_ = Z_;
    trsm(Op::none, R_, View<double>(W_));
  }

  arma::mat R_, Z_;
};

/// State: F F' = (A'A + lambda I)^-1 (k x k, upper triangular), W = F F' A'Y.
class InverseFactorRidge final : public UpdatedRidge {
 public:
  using UpdatedRidge::UpdatedRidge;

  void apply_inverse(uword, View<double> X) const override {
    trmm(Op::transpose, F_, X);
    trmm(Op::none, F_, X);
  }

 protected:
  [[nodiscard]] Status factorise(arma::mat&& R) override {
    if (const Status status = inverse_of_cholesky(View<double>(R)); status != Status::ok) return status;
    F_ = arma::trimatu(R);
    solve();
    return Status::ok;
  }

  [[nodiscard]] Status update(View<const double> A, View<const double> Y, Change change) override {
    static_cast<void>(Y);
    const Status status = A.rows > F_.n_rows
                              ? multiply(A, change)
                              : update_inverse_cholesky(View<double>(F_), arma::mat(A.copy().t()), change);
    if (status == Status::ok) solve();
    return status;
  }

  [[nodiscard]] Status remove(const arma::uvec& nodes) override {
    remove_from_inverse_cholesky(F_, nodes);
    solve();
    return Status::ok;
  }

 private:
  /// The form for more samples than nodes: F <- F G, G G' = (I + s V'V)^-1, V = A F.
  [[nodiscard]] Status multiply(View<const double> A, Change change) {
    arma::mat V = A.copy();
    trmm_right(Op::none, F_, View<double>(V));
    arma::mat G(F_.n_rows, F_.n_rows, arma::fill::eye);
    syrk(sign_of(change), V, 1.0, View<double>(G));
    if (const Status status = inverse_of_cholesky(View<double>(G)); status != Status::ok) return status;
    G = arma::trimatu(G);
    trmm(Op::none, F_, View<double>(G));
    F_ = std::move(G);
    return Status::ok;
  }

  void solve() {
    W_ = sums_.cross;
    apply_inverse(0, View<double>(W_));
  }

  arma::mat F_;
};

/// State: Q = (A'A + lambda I)^-1 (k x k, symmetric). Products with an explicit inverse are not backward
/// stable: see UpdatedRidge.
class InverseRidge final : public UpdatedRidge {
 public:
  InverseRidge(uword nodes, uword outputs, double lambda, bool checked, bool by_samples)
      : UpdatedRidge(nodes, outputs, lambda, checked), by_samples_(by_samples) {}

  void apply_inverse(uword, View<double> X) const override {
    gemm(Op::none, Op::none, 1.0, Q_, View<const double>(X.copy()), 0.0, X);
  }

 protected:
  [[nodiscard]] Status factorise(arma::mat&& R) override {
    if (const Status status = inverse_of_cholesky(View<double>(R)); status != Status::ok) return status;
    const arma::mat Ft = arma::trimatu(R).t();
    Q_.set_size(arma::size(Ft));
    syrk(1.0, Ft, 0.0, View<double>(Q_));
    mirror_upper(Q_);
    W_ = gemm(Op::none, Op::none, 1.0, Q_, sums_.cross);
    return Status::ok;
  }

  [[nodiscard]] Status update(View<const double> A, View<const double> Y, Change change) override {
    const double s = sign_of(change);
    arma::mat innovation = Y.copy();  // Y - A W
    gemm(Op::none, Op::none, -1.0, A, W_, 1.0, View<double>(innovation));
    return by_samples_ || A.rows <= Q_.n_rows ? update_by_samples(A, innovation, s) : update_by_nodes(A, innovation, s);
  }

  [[nodiscard]] Status remove(const arma::uvec& nodes) override {
    // (R_KK)^-1 = Q_KK - Q_KS Q_SS^-1 Q_SK for the kept nodes K and the removed nodes S.
    arma::mat U = Q_(nodes, nodes), Q_SK = Q_.rows(nodes);
    Q_SK.shed_cols(nodes);
    Q_.shed_rows(nodes);
    Q_.shed_cols(nodes);
    if (const Status status = cholesky(View<double>(U)); status != Status::ok) return status;
    trsm(Op::transpose, U, View<double>(Q_SK));
    syrk(-1.0, Q_SK, 1.0, View<double>(Q_));
    mirror_upper(Q_);
    W_ = gemm(Op::none, Op::none, 1.0, Q_, sums_.cross);
    return Status::ok;
  }

 private:
  /// The matrix inversion lemma with a p x p matrix, p samples, as in OS-ELM: with U'U = I + s A Q A',
  ///
  ///     K = U^-T A Q,   Q <- Q - s K'K,   W <- W + s K' U^-T (Y - A W)
  [[nodiscard]] Status update_by_samples(View<const double> A, arma::mat& innovation, double s) {
    arma::mat K = gemm(Op::none, Op::none, 1.0, A, Q_);
    arma::mat U(A.rows, A.rows, arma::fill::eye);
    gemm(Op::none, Op::transpose, s, K, A, 1.0, View<double>(U));
    if (const Status status = cholesky(View<double>(U)); status != Status::ok) return status;
    trsm(Op::transpose, U, View<double>(K));
    trsm(Op::transpose, U, View<double>(innovation));
    syrk(-s, K, 1.0, View<double>(Q_));
    mirror_upper(Q_);
    gemm(Op::transpose, Op::none, s, K, innovation, 1.0, View<double>(W_));
    return Status::ok;
  }

  /// The inverse of a sum with a k x k matrix, for more samples than nodes: with Q = L L' and
  /// U'U = I + s L'A'A L,
  ///
  ///     Q <- L (U'U)^-1 L',   W <- W + s Q A'(Y - A W)
  [[nodiscard]] Status update_by_nodes(View<const double> A, const arma::mat& innovation, double s) {
    arma::mat L = Q_;  // U_Q'U_Q = Q, so that L = U_Q'
    if (const Status status = cholesky(View<double>(L)); status != Status::ok) return status;
    L = arma::trimatu(L);
    arma::mat V = A.copy();  // A L
    trmm_right(Op::transpose, L, View<double>(V));
    arma::mat U(Q_.n_rows, Q_.n_rows, arma::fill::eye);
    syrk(s, V, 1.0, View<double>(U));
    if (const Status status = cholesky(View<double>(U)); status != Status::ok) return status;
    trsm(Op::transpose, U, View<double>(L));  // U^-T L'
    syrk(1.0, L, 0.0, View<double>(Q_));
    mirror_upper(Q_);
    const arma::mat gradient = gemm(Op::transpose, Op::none, 1.0, A, innovation);
    gemm(Op::none, Op::none, s, Q_, gradient, 1.0, View<double>(W_));
    return Status::ok;
  }

  bool by_samples_;  // for any number of samples
  arma::mat Q_;
};

template <class Ridge>
std::unique_ptr<UpdatedRidge> made(uword nodes, uword outputs, double lambda, bool checked) {
  return std::make_unique<Ridge>(nodes, outputs, lambda, checked);
}

template <bool by_samples>
std::unique_ptr<UpdatedRidge> inverse(uword nodes, uword outputs, double lambda, bool checked) {
  return std::make_unique<InverseRidge>(nodes, outputs, lambda, checked, by_samples);
}

constexpr auto kUpdateAlgorithms = std::to_array<UpdateAlgorithm>({
    {.name = "gram",
     .summary = "Gram matrix updated, factorised anew at every change",
     .checkable = false,
     .flops = [](double p, double k, double c) { return p * k * (k + 2 * c) + k * k * (k / 3 + 2 * c); },
     .numbers = [](double, double, double) { return 0.0; },
     .make = [](uword nodes, uword outputs, double lambda, bool) -> std::unique_ptr<UpdatedRidge> {
       return std::make_unique<GramRidge>(nodes, outputs, lambda);
     }},
    {.name = "factor",
     .summary = "Cholesky factor updated by block rotations",
     .flops =
         [](double p, double k, double c) {
           return p > k ? p * k * (k + 2 * c) + k * k * (2 * k / 3 + 2 * c) : 3 * p * k * (k + 2 * c) + k * k * c;
         },
     .numbers = [](double p, double k, double c) { return p > k ? k * k : 2 * p * (k + c); },
     .make = made<FactorRidge>},
    {.name = "inverse-factor",
     .summary = "inverse Cholesky factor updated, in forms for few and for many samples",
     .flops = [](double p, double k,
                 double c) { return (p > k ? 2 * p * k * k + k * k * k : 4 * p * k * k) + 2 * k * c * (p + k); },
     .numbers = [](double p, double k, double) { return p > k ? p * k + k * k : 2 * p * k; },
     .make = made<InverseFactorRidge>},
    {.name = "inverse",
     .summary = "inverse updated, in forms for few and for many samples",
     .flops =
         [](double p, double k, double c) {
           return (p > k ? 2 * p * k * k + 2.7 * k * k * k + 2 * k * k * c : 3 * p * k * k + 3 * p * p * k) +
                  4 * p * k * c;
         },
     .numbers = [](double p, double k, double c) { return p * (k + c) + (p > k ? 2 * k * k : p * p); },
     .make = inverse<false>},
    {.name = "os-elm",
     .summary = "inverse updated with a matrix of the size of the new samples (OS-ELM)",
     .flops = [](double p, double k,
                 double c) { return 3 * p * k * k + 3 * p * p * k + p * p * p / 3 + 4 * p * k * c; },
     .numbers = [](double p, double k, double c) { return p * (k + c) + p * p; },
     .make = inverse<true>},
});

}  // namespace

std::span<const UpdateAlgorithm> update_algorithms() { return kUpdateAlgorithms; }

const UpdateAlgorithm& update_algorithm(std::string_view name) {
  const auto found = std::ranges::find(kUpdateAlgorithms, name, &UpdateAlgorithm::name);
  expects(found != kUpdateAlgorithms.end(), "update_algorithm: a known name");
  return *found;
}

}  // namespace elmx
