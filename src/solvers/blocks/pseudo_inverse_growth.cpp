#include "solvers/blocks/pseudo_inverse_growth.hpp"

#include "linalg/blas.hpp"
#include "linalg/inverse_cholesky.hpp"
#include "linalg/lower_stored.hpp"

namespace elmx {
namespace {

/// Computes B' M^-1 in place.   B': l x q, M: q x q, given by its upper triangle.
template <class T>
Status divide_right(arma::Mat<T>& M, arma::Mat<T>& B) {
  if (const Status status = inverse_cholesky(View<T>(M)); status != Status::ok) return status;
  trmm_right(Op::none, M, View<T>(B));
  trmm_right(Op::transpose, M, View<T>(B));
  return Status::ok;
}

}  // namespace

template <class T>
Status PseudoInverseGrowth<T>::grow(const RidgeProducts<T>& products) {
  const uword k = k_, q = products.added(), l = N_.n_rows;
  expects(products.old_nodes() == k && k + q <= N_.n_cols,
          "PseudoInverseGrowth: one step behind the products, within capacity");
  const View<T> N = View<T>(N_).head_cols(k);
  arma::Mat<T> D(k, q), B(l, q);  // B first holds C
  products.input().for_each_block(k + q, [&](uword first, View<const T> block) {
    const View<const T> H = block.block(0, k, block.rows, q);
    if (k > 0)
      gemm(Op::transpose, Op::none, T(1), N.block(first, 0, block.rows, k), H, first == 0 ? T(0) : T(1), View<T>(D));
    for (uword j = 0; j < q; ++j) std::copy_n(&H(0, j), H.rows, &B(first, j));
  });
  if (k > 0) {
    products.input().for_each_block(k, [&](uword first, View<const T> A) {  // C = H - A D (22)
      gemm(Op::none, Op::none, T(-1), A, D, T(1), View<T>(B).block(first, 0, A.rows, q));
    });
  }
  const Status status = B.is_zero() && k > 0 ? bordering_rows_of_dependent_nodes(D, B) : bordering_rows(D, B);
  if (status != Status::ok) return status;

  arma::Mat<T> BY(q, products.targets().cols);
  gemm(Op::transpose, Op::none, T(1), B, products.targets(), T(0), View<T>(BY));
  if (!BY.is_finite()) return Status::not_finite;
  this->append_weights(D, BY);
  if (k > 0) gemm(Op::none, Op::transpose, T(-1), B, D, T(1), N);  // A+ = [A+ - D B; B]
  std::copy_n(B.memptr(), B.n_elem, N_.colptr(k));
  k_ += q;
  return Status::ok;
}

template <class T>
Status PseudoInverseGrowth<T>::bordering_rows(const arma::Mat<T>& D, arma::Mat<T>& C) const {
  arma::Mat<T> M(C.n_cols, C.n_cols);
  syrk(T(1), C, T(0), View<T>(M));
  regularise_(this->lambda_, D, M);
  return divide_right(M, C);
}

template <class T>
Status PseudoInverseGrowth<T>::bordering_rows_of_dependent_nodes(const arma::Mat<T>& D, arma::Mat<T>& B) const {
  arma::Mat<T> M(D.n_cols, D.n_cols);
  syrk(T(1), D, T(0), View<T>(M));
  M.diag() += T(1);
  gemm(Op::none, Op::none, T(1), View<const T>(N_).head_cols(k_), D, T(0), View<T>(B));
  return divide_right(M, B);
}

template <class T>
void PseudoInverseGrowth<T>::apply_inverse(uword first, View<T> X) const {
  transpose(View<const T>(N_).block(first, 0, X.cols, X.rows), X);
}

template class PseudoInverseGrowth<double>;
template class PseudoInverseGrowth<float>;

}  // namespace elmx
