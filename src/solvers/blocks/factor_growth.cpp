#include <cmath>
#include <limits>
#include <type_traits>

#include "base/config/fields.hpp"
#include "base/rng.hpp"
#include "linalg/blas.hpp"
#include "linalg/distributed_inverse_ldl.hpp"
#include "linalg/inverse_cholesky.hpp"
#include "linalg/ridge_qr.hpp"
#include "solvers/blocks/block_solvers.hpp"

namespace elmx {
namespace {

template <class T>
void copy_upper(const arma::Mat<T>& Q, View<T> out) {
  for (uword j = 0; j < Q.n_cols; ++j) std::copy_n(Q.colptr(j), j + 1, &out(0, j));
}

/// Computes C'C and C'Y of C = H - A D, by blocks of samples.
template <class T>
void residual_products(const RidgeProducts<T>& products, const arma::Mat<T>& D, arma::Mat<T>& CC, arma::Mat<T>& CY) {
  const uword k = D.n_rows, q = D.n_cols;
  const View<const T> Y = products.targets();
  products.input().for_each_block(k + q, [&](uword first, View<const T> block) {
    const T beta = first == 0 ? T(0) : T(1);
    arma::Mat<T> C = block.block(0, k, block.rows, q).copy();
    gemm(Op::none, Op::none, T(-1), block.head_cols(k), D, T(1), View<T>(C));
    syrk(T(1), C, beta, View<T>(CC));
    gemm(Op::transpose, Op::none, T(1), C, Y.block(first, 0, block.rows, Y.cols), beta, View<T>(CY));
  });
}

/// The common part of the algorithms with an inverse Cholesky factor.
///
/// State: F upper triangular with F F' = R^-1, R = A'A + lambda I (k x k; its generalised-inverse counterpart
/// for Exg-E), and W. F grows in place: [F T; 0 G].
template <class T>
class FactorGrowth : public BlockGrowth<T> {
 public:
  /// capacity: the final number of nodes.
  FactorGrowth(double lambda, uword capacity) : BlockGrowth<T>(lambda), S_(capacity, capacity, arma::fill::none) {}

  void apply_inverse(uword, View<T> X) const override {
    trmm(Op::transpose, F(), X);
    trmm(Op::none, F(), X);
  }

 protected:
  /// Performs one step of Chol-1, eqs. (42), (50), from the Gram matrix alone. `factorise` forms G, which is
  /// F at the first step. 2 k^2 q flops in addition to `products`.
  [[nodiscard]] Status extend_by_gram(const RidgeProducts<T>& products,
                                      InverseFactorisation<T> factorise = inverse_cholesky<T>) {
    const uword k = k_, q = products.added();
    expects(products.old_nodes() == k && k + q <= S_.n_cols,
            "FactorGrowth: one step behind the products, within capacity");
    const View<T> S = corner(q), border = S.block(0, k, k, q), G = S.block(k, k, q, q);
    for (uword j = 0; j < q; ++j) std::copy_n(products.P().colptr(j), k, &border(0, j));
    copy_upper(products.Q(), G);
    for (uword j = 0; j < q; ++j) G(j, j) += this->lambda_;
    if (const Status status = extend_inverse_cholesky(S, k, factorise); status != Status::ok) return status;

    // U = T'A'Y + G'H'Y,   W = [W + T U; G U]   (50)
    const View<const T> AY = View<const T>(products.cross()).block(0, 0, k, products.targets().cols);
    arma::Mat<T> U = View<const T>(products.cross()).block(k, 0, q, AY.cols).copy();
    trmm(Op::transpose, G, View<T>(U));
    gemm(Op::transpose, Op::none, T(1), border, AY, T(1), View<T>(U));
    if (!U.is_finite()) return Status::not_finite;
    if (k > 0) gemm(Op::none, Op::none, T(1), border, U, T(1), View<T>(this->W_));
    trmm(Op::none, G, View<T>(U));
    this->W_ = arma::join_cols(this->W_, U);
    k_ += q;
    return Status::ok;
  }

  /// Performs one step of Exg-E or Chol-2, eqs. (30), (22), (32) or (51)-(61), from C = H - A D, formed in
  /// blocks of samples. 2 l k q + l q^2 flops in addition to `products`.
  [[nodiscard]] Status extend_by_residual(const RidgeProducts<T>& products, Inverse inverse) {
    const uword q = products.added();
    const arma::Mat<T> D = coefficients(products);
    arma::Mat<T> M(q, q), CY(q, products.targets().cols);
    residual_products(products, D, M, CY);
    this->regularise(inverse, D, M);
    return extend(D, M, CY);
  }

  /// Performs the same step in its Gram form (53), C'C + lambda D'D = H'C = Q - P'D: without a further pass
  /// over the samples, but with as much cancellation as in Chol-1. 2 k^2 q + 2 k q^2 flops in addition to
  /// `products`.
  [[nodiscard]] Status extend_by_gram_residual(const RidgeProducts<T>& products) {
    const uword q = products.added(), c = products.targets().cols;
    const arma::Mat<T> D = coefficients(products);
    arma::Mat<T> M = products.Q(), CY = View<const T>(products.cross()).block(k_, 0, q, c).copy();
    if (k_ > 0) {
      gemm(Op::transpose, Op::none, T(-1), products.P(), D, T(1), View<T>(M));  // H'C = Q - P'D
      gemm(Op::transpose, Op::none, T(-1), D, View<const T>(products.cross()).block(0, 0, k_, c), T(1), View<T>(CY));
    }
    M.diag() += this->lambda_;
    return extend(D, M, CY);
  }

  View<T> F() { return View<T>(S_).block(0, 0, k_, k_); }
  View<const T> F() const { return View<const T>(S_).block(0, 0, k_, k_); }

  arma::Mat<T> S_;  // capacity x capacity; the strict lower triangle is never read
  uword k_ = 0;

 private:
  /// Returns D = F F'A'H (51).
  arma::Mat<T> coefficients(const RidgeProducts<T>& products) const {
    expects(products.old_nodes() == k_ && k_ + products.added() <= S_.n_cols,
            "FactorGrowth: one step behind the products, within capacity");
    arma::Mat<T> D = products.P();
    apply_inverse(0, View<T>(D));
    return D;
  }

  /// Borders F and W by G with G G' = M^-1, (59), (61).   M: q x q, CY = C'Y: q x c; both are overwritten.
  [[nodiscard]] Status extend(arma::Mat<T> D, arma::Mat<T>& M, arma::Mat<T>& CY) {
    const uword k = k_, q = M.n_cols;
    if (const Status status = inverse_cholesky(View<T>(M)); status != Status::ok) return status;  // G
    // B Y = G G'C'Y
    trmm(Op::transpose, M, View<T>(CY));
    trmm(Op::none, M, View<T>(CY));
    if (!CY.is_finite()) return Status::not_finite;
    this->append_weights(D, CY);
    const View<T> S = corner(q);
    copy_upper(M, S.block(k, k, q, q));
    trmm_right(Op::none, M, View<T>(D));  // T = -D G
    for (uword j = 0; j < q; ++j) {
      for (uword i = 0; i < k; ++i) S(i, k + j) = -D(i, j);
    }
    k_ += q;
    return Status::ok;
  }

  View<T> corner(uword q) { return View<T>(S_).block(0, 0, k_ + q, k_ + q); }
};

/// Exg-E, the generalised-inverse solution, or Chol-2, the ridge solution, by the inverse Cholesky factor,
/// from the residual C. The matrix of Chol-2 is positive definite by construction (58).
template <class T>
class ResidualGrowth final : public FactorGrowth<T> {
 public:
  ResidualGrowth(double lambda, uword capacity, Inverse inverse)
      : FactorGrowth<T>(lambda, capacity), inverse_(inverse) {}
  [[nodiscard]] Status grow(const RidgeProducts<T>& products) override {
    return this->extend_by_residual(products, inverse_);
  }

 private:
  Inverse inverse_;
};

/// Chol-1: the ridge solution from products with the added nodes only. It returns not_positive_definite if
/// rounding errors exceed lambda. The lambda at which this happens depends on whether the first F and each G
/// are formed recursively or by the Cholesky factor (section III-A of the paper permits both). V = F'P of
/// (42a) is a product in both cases.
template <class T>
class Chol1 final : public FactorGrowth<T> {
 public:
  Chol1(double lambda, uword capacity, InverseFactorisation<T> factorise)
      : FactorGrowth<T>(lambda, capacity), factorise_(factorise) {}
  [[nodiscard]] Status grow(const RidgeProducts<T>& products) override {
    return this->extend_by_gram(products, factorise_);
  }

 private:
  InverseFactorisation<T> factorise_;
};

/// Chol-2 with one pass over the samples for all ridge parameters of a sweep: in its Gram form (53) if
/// rounding leaves lambda at least two digits, otherwise from the residual.
template <class T>
class Chol2Gram final : public FactorGrowth<T> {
 public:
  using FactorGrowth<T>::FactorGrowth;
  [[nodiscard]] Status grow(const RidgeProducts<T>& products) override {
    // Rounding errors of Q - P'D are about eps k max Q_jj; its least eigenvalue is lambda or more.
    const double n = static_cast<double>(products.old_nodes() + products.added()),
                 most = static_cast<double>(products.Q().diag().max());
    const bool stable =
        100 * static_cast<double>(std::numeric_limits<T>::epsilon()) * n * most <= static_cast<double>(this->lambda_);
    method_ = stable ? "gram" : "residual";
    return stable ? this->extend_by_gram_residual(products) : this->extend_by_residual(products, Inverse::ridge);
  }

  std::string_view method() const override { return method_; }

 private:
  std::string_view method_;
};

constexpr double kMostGrowth = 10;  // most growth of ||W|| in one step
constexpr double kMostOff = 0.01;   // most relative error of W
constexpr int kPowerSteps = 6;

template <class T>
double norm(const arma::Mat<T>& M) {
  return M.is_finite() ? static_cast<double>(arma::norm(M, "fro")) : arma::datum::inf;
}

/// Takes the cheapest safe step. Chol-1 comes first. If its factor or its weights fail the check, Chol-2
/// starts from the same state; if that fails too, R is factorised anew; if that fails as well, W and F come
/// from a QR factorisation of [A; sqrt(lambda) I], which never forms A'A (2 l n^2 flops, in double).
///
/// The check takes a few products of R with a vector (2 k^2 flops each). It is a posteriori and relative to
/// the size of the terms, with tolerance = eps k:
///
///     ||R W - A'Y||   <= tolerance (||R|| ||W|| + ||A'Y||)            the weights solve the normal equations
///     ||R F F'x - x|| <= tolerance (||R|| ||F F'x|| + ||x||)          F is a factor of R^-1, for a random x
///     ||W_new||       <= 10 ||W_old||                                 nothing explodes
///     ||R^-1|| ||R W - A'Y|| <= 0.01 ||W||                            the weights have two correct digits
///
/// For a stable factorisation the first two residuals stay below their bounds whatever the condition is. The
/// last bound concerns the error itself, condition times backward error, with ||R^-1|| by the power method
/// with F F'. It is checked in double precision only: single precision cannot meet it beyond a condition of
/// 10^5 by any method.
template <class T>
class AutoGrowth final : public FactorGrowth<T> {
 public:
  AutoGrowth(double lambda, uword capacity, GramMatrix<T>& gram) : FactorGrowth<T>(lambda, capacity), gram_(gram) {}

  [[nodiscard]] Status grow(const RidgeProducts<T>& products) override {
    const uword k = this->k_;
    const arma::Mat<T> W = this->W_;
    const double earlier_norm = W.is_empty() ? arma::datum::inf : norm(W);

    method_ = "chol-1";
    if (this->extend_by_gram(products) == Status::ok && safe(products, earlier_norm)) return Status::ok;
    this->k_ = k;
    this->W_ = W;
    method_ = "chol-2";
    if (this->extend_by_residual(products, Inverse::ridge) == Status::ok && safe(products, earlier_norm))
      return Status::ok;
    method_ = "refactorised";
    const Status refactorised = refactorise(products);
    if (refactorised == Status::ok && safe(products, arma::datum::inf)) return Status::ok;
    if (orthogonalise(products) == Status::ok) {
      method_ = "qr";
      return Status::ok;
    }
    // Nothing better is left; the caller can judge the error of this solution.
    if (refactorised == Status::ok) return Status::ok;
    this->k_ = k;
    this->W_ = W;
    return refactorised;
  }

  std::string_view method() const override { return method_; }

 private:
  [[nodiscard]] bool safe(const RidgeProducts<T>& products, double earlier_norm) const {
    const arma::Mat<T>& W = this->W_;
    const arma::Mat<T>& AY = products.cross();
    const double lambda = static_cast<double>(this->lambda_), w = norm(W);
    if (!(w <= kMostGrowth * earlier_norm)) return false;

    arma::Mat<T> X = arma::join_rows(W, arma::Mat<T>(W.n_rows, 1));
    const Rng rng(1, Purpose::probe);
    arma::Col<T> x(W.n_rows);
    for (uword i = 0; i < x.n_elem; ++i) x(i) = static_cast<T>(rng.normal(i));
    std::copy_n(x.memptr(), x.n_elem, X.colptr(W.n_cols));
    trmv(Op::transpose, false, this->F(), X.colptr(W.n_cols));
    trmv(Op::none, false, this->F(), X.colptr(W.n_cols));  // F F'x

    const arma::Mat<T> RX = gram_.times(lambda, X);
    const double r = gram_.norm(lambda),
                 tolerance = static_cast<double>(std::numeric_limits<T>::epsilon()) * static_cast<double>(W.n_rows);
    const double y = norm(arma::Mat<T>(X.tail_cols(1)));
    const double weights_off = norm(arma::Mat<T>(RX.head_cols(W.n_cols) - AY)),
                 factor_off = norm(arma::Mat<T>(RX.tail_cols(1) - x));
    const bool solves =
        weights_off <= tolerance * (r * w + norm(AY)) && factor_off <= tolerance * (r * y + norm(arma::Mat<T>(x)));
    return solves && (!std::is_same_v<T, double> || near(weights_off, arma::Col<T>(X.tail_cols(1))));
  }

  [[nodiscard]] bool near(double weights_off, arma::Col<T> x) const {
    double inverse = 0;
    for (int step = 0; step < kPowerSteps; ++step) {
      const double length = norm(arma::Mat<T>(x));
      if (!(length > 0) || !std::isfinite(length)) return false;
      x /= static_cast<T>(length);
      trmv(Op::transpose, false, this->F(), x.memptr());
      trmv(Op::none, false, this->F(), x.memptr());
      inverse = norm(arma::Mat<T>(x));
    }
    return inverse * weights_off <= kMostOff * norm(this->W_);
  }

  [[nodiscard]] Status refactorise(const RidgeProducts<T>& products) {
    const uword n = products.old_nodes() + products.added();
    const View<const T> R = gram_.ridge_matrix(static_cast<double>(this->lambda_));
    this->k_ = n;
    for (uword j = 0; j < n; ++j) std::copy_n(&R(0, j), j + 1, &this->F()(0, j));
    if (const Status status = inverse_cholesky(this->F()); status != Status::ok) return status;
    this->W_ = products.cross();  // W = F F'A'Y
    this->apply_inverse(0, View<T>(this->W_));
    return this->W_.is_finite() ? Status::ok : Status::not_finite;
  }

  [[nodiscard]] Status orthogonalise(const RidgeProducts<T>& products) {
    const uword n = products.old_nodes() + products.added();
    const View<const T> Y = products.targets();
    RidgeQr qr(n, Y.cols, static_cast<double>(this->lambda_));
    products.input().for_each_block(
        n, [&](uword first, View<const T> block) { qr.add_samples(block, Y.block(first, 0, block.rows, Y.cols)); });
    arma::mat W;
    if (const Status status = qr.solve(W); status != Status::ok) return status;
    const arma::Mat<T> F = arma::conv_to<arma::Mat<T>>::from(qr.inverse_factor());
    const arma::Mat<T> weights = arma::conv_to<arma::Mat<T>>::from(W);
    if (!F.is_finite() || !weights.is_finite()) return Status::not_finite;
    this->W_ = weights;
    this->k_ = n;
    for (uword j = 0; j < n; ++j) std::copy_n(F.colptr(j), j + 1, &this->F()(0, j));
    return Status::ok;
  }

  GramMatrix<T>& gram_;
  std::string_view method_;
};

}  // namespace

void Chol1Options::fields(FieldVisitor& field) {
  field("chol1_factor", factor,
        "how chol-1 computes F of the initial network and G of an update, equation (42a): by bordering half by half "
        "(recursive, the default), by inverting the Cholesky factor (cholesky, which is finite at smaller ridge "
        "parameters, although an update can still fail because of the product V = F'P), or by inverse LDL' factors "
        "(inverse_ldl); over several ranks recursive and cholesky both invert the Cholesky factor of ScaLAPACK, and "
        "inverse_ldl is algorithm 13",
        one_of({"recursive", "cholesky", "inverse_ldl"}));
}

void Chol2Options::fields(FieldVisitor& field) {
  field("chol2_form", form,
        "how chol-2 computes the matrix that it inverts: from H - A D, equation (57), with another pass over the "
        "samples for each ridge parameter (residual), or from the Gram matrix, equation (53), if rounding leaves two "
        "digits of lambda, and otherwise from H - A D (gram)",
        one_of({"residual", "gram"}));
}

template <class T>
std::unique_ptr<GrowingRidge<T>> make_exg_e(const GrowingProblem<T>& problem) {
  return std::make_unique<ResidualGrowth<T>>(problem.lambda, problem.A.cols(), Inverse::generalised);
}

template <class T>
std::unique_ptr<GrowingRidge<T>> make_chol1(const GrowingProblem<T>& problem, const Chol1Options& options) {
  const InverseFactorisation<T> factorise = options.factor == "cholesky"      ? inverse_of_cholesky<T>
                                            : options.factor == "inverse_ldl" ? inverse_cholesky_by_ldl<T>
                                                                              : inverse_cholesky<T>;
  return std::make_unique<Chol1<T>>(problem.lambda, problem.A.cols(), factorise);
}

template <class T>
std::unique_ptr<GrowingRidge<T>> make_chol2(const GrowingProblem<T>& problem, const Chol2Options& options) {
  if (options.form == "gram") return std::make_unique<Chol2Gram<T>>(problem.lambda, problem.A.cols());
  return std::make_unique<ResidualGrowth<T>>(problem.lambda, problem.A.cols(), Inverse::ridge);
}

template <class T>
std::unique_ptr<GrowingRidge<T>> make_auto(const GrowingProblem<T>& problem) {
  return std::make_unique<AutoGrowth<T>>(problem.lambda, problem.A.cols(), *problem.gram);
}

template std::unique_ptr<GrowingRidge<double>> make_exg_e(const GrowingProblem<double>&);
template std::unique_ptr<GrowingRidge<float>> make_exg_e(const GrowingProblem<float>&);
template std::unique_ptr<GrowingRidge<double>> make_chol1(const GrowingProblem<double>&, const Chol1Options&);
template std::unique_ptr<GrowingRidge<float>> make_chol1(const GrowingProblem<float>&, const Chol1Options&);
template std::unique_ptr<GrowingRidge<double>> make_chol2(const GrowingProblem<double>&, const Chol2Options&);
template std::unique_ptr<GrowingRidge<float>> make_chol2(const GrowingProblem<float>&, const Chol2Options&);
template std::unique_ptr<GrowingRidge<double>> make_auto(const GrowingProblem<double>&);
template std::unique_ptr<GrowingRidge<float>> make_auto(const GrowingProblem<float>&);

}  // namespace elmx
