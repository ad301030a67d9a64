#include "solvers/ridge/ridge_path.hpp"

#include "linalg/blas.hpp"
#include "linalg/cholesky.hpp"

namespace elmx {

RidgePath::RidgePath(arma::mat H, arma::mat T) : H_(std::move(H)), right_(std::move(T)) {
  expects(H_.n_rows == right_.n_rows, "RidgePath: H is n x L, T is n x C");
  const uword m = std::min(H_.n_rows, H_.n_cols);
  G_.set_size(m, m);
  if (primal()) {
    arma::mat HtT(H_.n_cols, right_.n_cols);
    gemm(Op::transpose, Op::none, 1.0, H_, right_, 0.0, View<double>(HtT));
    right_ = std::move(HtT);
    syrk(1.0, H_, 0.0, View<double>(G_));
  } else {
    const arma::mat Ht = H_.t();
    syrk(1.0, Ht, 0.0, View<double>(G_));
  }
}

Status RidgePath::solve(double lambda, arma::mat& W) const {
  arma::mat R = G_, B = right_;
  R.diag() += lambda;
  const Status status = cholesky(View<double>(R));
  if (status != Status::ok) return status;
  cholesky_solve(R, View<double>(B));
  if (primal()) {
    W = std::move(B);
  } else {
    W.set_size(H_.n_cols, B.n_cols);
    gemm(Op::transpose, Op::none, 1.0, H_, B, 0.0, View<double>(W));
  }
  return W.is_finite() ? Status::ok : Status::not_finite;
}

}  // namespace elmx
