#include "metrics/classification.hpp"

#include <cmath>
#include <limits>

#include "base/error.hpp"

namespace elmx {
namespace {

double ratio(double numerator, double denominator) {
  return denominator > 0 ? numerator / denominator : std::numeric_limits<double>::quiet_NaN();
}

/// Mean of `of_class` over the classes that have a sample; NaN of such a class counts as 0.
template <class F>
double macro_mean(const arma::mat& C, F of_class) {
  double sum = 0;
  double classes = 0;
  for (arma::uword k = 0; k < C.n_rows; ++k) {
    if (arma::accu(C.row(k)) == 0) continue;
    const double x = of_class(k);
    sum += std::isnan(x) ? 0 : x;
    ++classes;
  }
  return ratio(sum, classes);
}

}  // namespace

arma::mat confusion_matrix(const arma::uvec& truth, const arma::uvec& predicted, arma::uword classes) {
  expects(truth.n_elem == predicted.n_elem, "confusion_matrix: one prediction a sample");
  arma::mat C(classes, classes, arma::fill::zeros);
  for (arma::uword i = 0; i < truth.n_elem; ++i) {
    expects(truth(i) < classes && predicted(i) < classes, "confusion_matrix: labels are class indices");
    C(truth(i), predicted(i)) += 1;
  }
  return C;
}

double accuracy(const arma::mat& C) {
  return ratio(arma::trace(C), arma::accu(C));
}

double sensitivity(const arma::mat& C, arma::uword positive) {
  expects(positive < C.n_rows, "sensitivity: the positive class is a class");
  return ratio(C(positive, positive), arma::accu(C.row(positive)));
}

double precision(const arma::mat& C, arma::uword positive) {
  expects(positive < C.n_rows, "precision: the positive class is a class");
  return ratio(C(positive, positive), arma::accu(C.col(positive)));
}

double macro_sensitivity(const arma::mat& C) {
  return macro_mean(C, [&](arma::uword k) { return sensitivity(C, k); });
}

double macro_precision(const arma::mat& C) {
  return macro_mean(C, [&](arma::uword k) { return precision(C, k); });
}

double geometric_mean_sensitivity(const arma::mat& C) {
  return std::exp(macro_mean(C, [&](arma::uword k) { return std::log(sensitivity(C, k)); }));
}

double macro_f1(const arma::mat& C) {
  // TP + FN + TP + FP = row sum + column sum
  return macro_mean(C, [&](arma::uword k) { return ratio(2 * C(k, k), arma::accu(C.row(k)) + arma::accu(C.col(k))); });
}

double matthews(const arma::mat& C) {
  const double N = arma::accu(C);
  if (N == 0) return std::numeric_limits<double>::quiet_NaN();
  const arma::vec t = arma::sum(C, 1);
  const arma::vec p = arma::sum(C, 0).t();
  const double denominator = std::sqrt(N * N - arma::dot(p, p)) * std::sqrt(N * N - arma::dot(t, t));
  return denominator > 0 ? (N * arma::trace(C) - arma::dot(t, p)) / denominator : 0;
}

}  // namespace elmx
