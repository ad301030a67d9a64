#include "features/draws/training_samples.hpp"

#include "linalg/blas.hpp"

namespace elmx {

arma::mat TrainingSamples::rows(const arma::uvec& samples) const {
  const Inputs named{inputs.X, inputs.rows.elem(samples), inputs.scaler};
  arma::mat X(samples.n_elem, inputs.dimension(), arma::fill::none);
  named.block(0, samples.n_elem, X.memptr());
  inputs.X.rethrow();
  if (metric == nullptr) return X;
  arma::mat XM(X.n_rows, metric->n_cols, arma::fill::none);
  gemm(Op::none, Op::none, 1.0, X, *metric, 0.0, View<double>(XM));
  return XM;
}

}  // namespace elmx
