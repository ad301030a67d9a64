#include "models/elm_judge.hpp"

#include "linalg/gram.hpp"
#include "linalg/ridge_qr.hpp"
#include "solvers/standard.hpp"

namespace elmx {

template <class T>
double ridge_backward_error(View<const T> H, View<const T> targets, double lambda, const arma::Mat<T>& W, const arma::Mat<T>& E) {
  arma::mat gradient(W.n_rows, W.n_cols);
  cross_product(H, View<const T>(E), View<double>(gradient));
  const arma::mat wide = arma::conv_to<arma::mat>::from(W);
  gradient += lambda * wide;

  arma::rowvec squares(H.cols);  // summed in one order, whatever the number of threads
#pragma omp parallel for schedule(static)
  for (uword j = 0; j < H.cols; ++j) {
    double sum = 0;
    for (uword i = 0; i < H.rows; ++i) sum += static_cast<double>(H(i, j)) * static_cast<double>(H(i, j));
    squares(j) = sum;
  }
  const double h = std::sqrt(arma::accu(squares));
  const double w = arma::norm(wide, "fro");
  const double t = arma::norm(arma::conv_to<arma::mat>::from(targets.copy()), "fro");
  if (!gradient.is_finite()) return arma::datum::nan;  // arma::norm may answer 0 to a NaN
  const double residual = arma::norm(gradient, "fro");
  return residual == 0 ? 0 : residual / (h * (h * w + t) + lambda * w);  // 0 / 0 where W and the targets are 0
}

template <class T>
Status solve_reference(const std::string& kind, const RidgeProblem<T>& problem, uword nodes, Reference& reference) {
  if (kind == "qr") {
    RidgeQr qr(nodes, problem.targets.cols, problem.lambda);
    qr.add_samples(problem.H.head_cols(nodes), problem.targets);
    reference.condition = qr.condition();
    return qr.solve(reference.weights);
  }
  Standard<double, T> standard(problem);
  const Status status = standard.start(nodes);
  reference.weights = standard.solution();
  reference.condition = standard.condition();
  return status;
}

template double ridge_backward_error(View<const double>, View<const double>, double, const arma::mat&, const arma::mat&);
template double ridge_backward_error(View<const float>, View<const float>, double, const arma::fmat&, const arma::fmat&);
template Status solve_reference(const std::string&, const RidgeProblem<double>&, uword, Reference&);
template Status solve_reference(const std::string&, const RidgeProblem<float>&, uword, Reference&);

}  // namespace elmx
