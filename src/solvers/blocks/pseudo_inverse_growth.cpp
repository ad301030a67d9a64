#include "linalg/blas.hpp"
#include "linalg/gram.hpp"
#include "linalg/inverse_cholesky.hpp"
#include "solvers/blocks/block_solvers.hpp"

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

/// The algorithms with a (regularised) pseudo-inverse: Orig, eqs. (20)-(24), and R-Inv,
/// (64)-(68).
///
/// State: A+ (k x l), held as its transpose N (l x k) so that nodes append columns, and W = A+ Y. Cost of a
/// step: 3 l q (2 k + q) flops, and as much memory as A. Only H of `products` is used.
template <class T>
class PseudoInverseGrowth final : public BlockGrowth<T> {
 public:
  PseudoInverseGrowth(double lambda, uword samples, uword capacity, Inverse inverse)
      : BlockGrowth<T>(lambda), inverse_(inverse), N_(samples, capacity, arma::fill::none) {}

  [[nodiscard]] Status grow(const RidgeProducts<T>& products) override {
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

  void apply_inverse(uword first, View<T> X) const override {
    transpose(View<const T>(N_).block(first, 0, X.cols, X.rows), X);
  }

  bool at_samples_only() const override { return true; }

 private:
  /// Replaces C by B' (l x q), (21a) or (68). Returns not_positive_definite if the matrix is singular.
  [[nodiscard]] Status bordering_rows(const arma::Mat<T>& D, arma::Mat<T>& C) const {
    arma::Mat<T> M(C.n_cols, C.n_cols);
    syrk(T(1), C, T(0), View<T>(M));
    this->regularise(inverse_, D, M);
    return divide_right(M, C);
  }

  /// Computes B' = A+' D (I + D'D)^-1 for a C that is exactly zero, (21b).
  [[nodiscard]] Status bordering_rows_of_dependent_nodes(const arma::Mat<T>& D, arma::Mat<T>& B) const {
    arma::Mat<T> M(D.n_cols, D.n_cols);
    syrk(T(1), D, T(0), View<T>(M));
    M.diag() += T(1);
    gemm(Op::none, Op::none, T(1), View<const T>(N_).head_cols(k_), D, T(0), View<T>(B));
    return divide_right(M, B);
  }

  Inverse inverse_;
  arma::Mat<T> N_;  // l x capacity
  uword k_ = 0;
};

}  // namespace

template <class T>
std::unique_ptr<GrowingRidge<T>> make_pseudo_inverse(const GrowingProblem<T>& problem, Inverse inverse) {
  return std::make_unique<PseudoInverseGrowth<T>>(problem.lambda, problem.A.rows(), problem.A.cols(), inverse);
}

template std::unique_ptr<GrowingRidge<double>> make_pseudo_inverse(const GrowingProblem<double>&, Inverse);
template std::unique_ptr<GrowingRidge<float>> make_pseudo_inverse(const GrowingProblem<float>&, Inverse);

}  // namespace elmx
