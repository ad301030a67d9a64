#include "solvers/blocks/factor_growth.hpp"

#include <limits>

#include "base/config/fields.hpp"
#include "linalg/blas.hpp"

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

}  // namespace

void Chol1Options::fields(FieldVisitor& field) {
  field("chol1_factor", factor,
        "how chol-1 forms F of the initial network and G of an update (42a): by bordering half by half (recursive, the "
        "default), by inverting the Cholesky factor (cholesky: finite at smaller ridge parameters; V = F'P stays a "
        "product, so that an update can still break down), or by inverse LDL' factors (inverse_ldl); over several "
        "ranks recursive and cholesky both are ScaLAPACK's Cholesky factor, inverted, and inverse_ldl is algorithm 13",
        one_of({"recursive", "cholesky", "inverse_ldl"}));
}

void Chol2Options::fields(FieldVisitor& field) {
  field("chol2_form", form,
        "how chol-2 forms the matrix that it inverts: from H - A D (residual, (57), another pass over the samples for "
        "each ridge parameter), or from the Gram matrix where rounding leaves lambda two digits, else from H - A D "
        "(gram, (53))",
        one_of({"residual", "gram"}));
}

template <class T>
Status FactorGrowth<T>::extend_by_gram(const RidgeProducts<T>& products, InverseFactorisation<T> factorise) {
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

template <class T>
Status FactorGrowth<T>::extend_by_residual(const RidgeProducts<T>& products, Regularise<T> regularise) {
  const uword q = products.added();
  const arma::Mat<T> D = coefficients(products);
  arma::Mat<T> M(q, q), CY(q, products.targets().cols);
  residual_products(products, D, M, CY);
  regularise(this->lambda_, D, M);
  return extend(D, M, CY);
}

template <class T>
Status FactorGrowth<T>::extend_by_gram_residual(const RidgeProducts<T>& products) {
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

template <class T>
arma::Mat<T> FactorGrowth<T>::coefficients(const RidgeProducts<T>& products) const {
  expects(products.old_nodes() == k_ && k_ + products.added() <= S_.n_cols,
          "FactorGrowth: one step behind the products, within capacity");
  arma::Mat<T> D = products.P();
  trmm(Op::transpose, F(), View<T>(D));
  trmm(Op::none, F(), View<T>(D));
  return D;
}

template <class T>
Status FactorGrowth<T>::extend(arma::Mat<T> D, arma::Mat<T>& M, arma::Mat<T>& CY) {
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

template <class T>
Status Chol2Gram<T>::grow(const RidgeProducts<T>& products) {
  // Rounding errors of Q - P'D are about eps k max Q_jj; its least eigenvalue is lambda or more.
  const double n = static_cast<double>(products.old_nodes() + products.added()),
               most = static_cast<double>(products.Q().diag().max());
  const bool stable =
      100 * static_cast<double>(std::numeric_limits<T>::epsilon()) * n * most <= static_cast<double>(this->lambda_);
  method_ = stable ? "gram" : "residual";
  return stable ? this->extend_by_gram_residual(products) : this->extend_by_residual(products, ridge_inverse<T>);
}

template <class T>
void FactorGrowth<T>::apply_inverse(uword, View<T> X) const {
  trmm(Op::transpose, F(), X);
  trmm(Op::none, F(), X);
}

template class FactorGrowth<double>;
template class FactorGrowth<float>;
template class Chol2Gram<double>;
template class Chol2Gram<float>;

}  // namespace elmx
