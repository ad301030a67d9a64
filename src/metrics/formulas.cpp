#include "metrics/formulas.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "base/error.hpp"
#include "base/numbers.hpp"

namespace elmx {
namespace {

/// Squares of numbers below kSmall are negligible beside the square of 1.
constexpr double kSmall = 1e-140;

void expect_alike(const arma::mat& T, const arma::mat& P) {
  expects(T.n_rows == P.n_rows && T.n_cols == P.n_cols, "regression metrics: T and P are N x c");
}

/// Returns a power of two near the largest |x|; dividing by it does not round.
double scale_of(const arma::mat& X) {
  const double largest = arma::abs(X).max();
  return largest > 0 && std::isfinite(largest) ? std::exp2(std::floor(std::log2(largest))) : 1;
}

/// A mean square as scale^2 mean; scale = 1 unless squares leave the range of double.
struct MeanSquare {
  double scale = 1;
  double mean = 0;
};

MeanSquare mean_square(const arma::mat& E) {
  const auto n = static_cast<double>(E.n_elem);
  const double plain = arma::accu(arma::square(E)) / n;
  if (std::isfinite(plain) && (plain > kSmall || !arma::any(arma::vectorise(E)))) return {1, plain};
  const double scale = scale_of(E);
  return {scale, arma::accu(arma::square(E / scale)) / n};
}

double plain_r_squared(const arma::mat& t, const arma::mat& p) {
  const arma::mat about_mean = t.each_row() - arma::mean(t, 0);
  return 1 - arma::accu(arma::square(p - t)) / arma::accu(arma::square(about_mean));
}

double r_squared_of_column(const arma::mat& t, const arma::mat& p) {
  const double size = std::max(arma::abs(t).max(), arma::abs(p).max());
  if (size < 1 / kSmall && arma::abs(t).max() > kSmall) return plain_r_squared(t, p);
  const double scale = std::max(scale_of(t), scale_of(p));
  return plain_r_squared(t / scale, p / scale);
}

}  // namespace

double mean_squared_error(const arma::mat& T, const arma::mat& P) {
  expect_alike(T, P);
  if (T.is_empty()) return nan;
  const auto [scale, mean] = mean_square(P - T);
  return scale * mean * scale;
}

double root_mean_squared_error(const arma::mat& T, const arma::mat& P) {
  expect_alike(T, P);
  if (T.is_empty()) return nan;
  const auto [scale, mean] = mean_square(P - T);
  return scale * std::sqrt(mean);
}

double mean_absolute_error(const arma::mat& T, const arma::mat& P) {
  expect_alike(T, P);
  return T.is_empty() ? nan : arma::mean(arma::vectorise(arma::abs(P - T)));
}

double median_absolute_error(const arma::mat& T, const arma::mat& P) {
  expect_alike(T, P);
  const arma::mat E = arma::abs(P - T);
  return E.is_empty() || E.has_nan() ? nan : arma::mean(arma::vectorise(arma::median(E, 0)));
}

bool is_constant(const arma::vec& t) {
  return t.max() - t.min() <= 16 * std::numeric_limits<double>::epsilon() * arma::abs(t).max();
}

double r_squared(const arma::mat& T, const arma::mat& P) {
  expect_alike(T, P);
  if (T.is_empty()) return nan;
  double sum = 0, columns = 0;
  for (arma::uword j = 0; j < T.n_cols; ++j) {
    if (is_constant(T.col(j))) continue;
    sum += r_squared_of_column(T.col(j), P.col(j));
    ++columns;
  }
  return columns > 0 ? sum / columns : nan;
}

namespace {

double ratio(double numerator, double denominator) { return denominator > 0 ? numerator / denominator : 0; }

arma::vec samples_of_classes(const arma::mat& C) { return arma::sum(C, 1); }
arma::vec predictions_of_classes(const arma::mat& C) { return arma::sum(C, 0).t(); }

bool has_samples(const arma::mat& C, arma::uword k) { return arma::accu(C.row(k)) > 0; }

bool occurs(const arma::mat& C, arma::uword k) { return has_samples(C, k) || arma::accu(C.col(k)) > 0; }

/// Returns the mean of `of_class` over the classes for which `counts` is true; NaN if there is none.
template <class Counts, class F>
double mean_of_classes(const arma::mat& C, Counts counts, F of_class) {
  double sum = 0;
  double classes = 0;
  for (arma::uword k = 0; k < C.n_rows; ++k) {
    if (!counts(C, k)) continue;
    sum += of_class(k);
    ++classes;
  }
  return classes > 0 ? sum / classes : nan;
}

/// Returns how many values of a sorted, non-empty vector are `less` than x. The search has no branches
/// because half of the branches would be mispredicted.
arma::uword count_less(const arma::vec& sorted, double x, auto less) {
  arma::uword first = 0;
  for (arma::uword n = sorted.n_elem; n > 1; n -= n / 2) first += less(sorted.mem[first + n / 2 - 1], x) * (n / 2);
  return first + less(sorted.mem[first], x);
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

bool is_unbalanced(const arma::vec& samples) { return !samples.is_empty() && samples.max() >= 3 * samples.min(); }

double accuracy(const arma::mat& C) { return arma::accu(C) == 0 ? nan : arma::trace(C) / arma::accu(C); }

double sensitivity(const arma::mat& C, arma::uword positive) {
  expects(positive < C.n_rows, "sensitivity: the positive class is a class");
  return arma::accu(C) == 0 ? nan : ratio(C(positive, positive), arma::accu(C.row(positive)));
}

double precision(const arma::mat& C, arma::uword positive) {
  expects(positive < C.n_rows, "precision: the positive class is a class");
  return arma::accu(C) == 0 ? nan : ratio(C(positive, positive), arma::accu(C.col(positive)));
}

double macro_sensitivity(const arma::mat& C) {
  return mean_of_classes(C, occurs, [&](arma::uword k) { return sensitivity(C, k); });
}

double macro_precision(const arma::mat& C) {
  return mean_of_classes(C, occurs, [&](arma::uword k) { return precision(C, k); });
}

double balanced_accuracy(const arma::mat& C) {
  return mean_of_classes(C, has_samples, [&](arma::uword k) { return sensitivity(C, k); });
}

double geometric_mean_sensitivity(const arma::mat& C) {
  return std::exp(mean_of_classes(C, has_samples, [&](arma::uword k) { return std::log(sensitivity(C, k)); }));
}

double f1_score(const arma::mat& C, arma::uword positive) {
  expects(positive < C.n_rows, "f1_score: the positive class is a class");
  // TP + FN + TP + FP = row sum + column sum
  return arma::accu(C) == 0
             ? nan
             : ratio(2 * C(positive, positive), arma::accu(C.row(positive)) + arma::accu(C.col(positive)));
}

double macro_f1(const arma::mat& C) {
  return mean_of_classes(C, occurs, [&](arma::uword k) { return f1_score(C, k); });
}

double matthews(const arma::mat& C) {
  const double N = arma::accu(C);
  if (N == 0) return nan;
  const arma::vec t = samples_of_classes(C), p = predictions_of_classes(C);
  const double denominator = std::sqrt(N * N - arma::dot(p, p)) * std::sqrt(N * N - arma::dot(t, t));
  return denominator > 0 ? std::clamp((N * arma::trace(C) - arma::dot(t, p)) / denominator, -1.0, 1.0) : 0;
}

double roc_auc(const arma::uvec& truth, arma::uword positive, const arma::vec& scores) {
  expects(truth.n_elem == scores.n_elem, "roc_auc: one score a sample");
  const arma::vec of_class = scores.elem(arma::find(truth == positive)),
                  others = scores.elem(arma::find(truth != positive));
  const double pairs = static_cast<double>(of_class.n_elem) * static_cast<double>(others.n_elem);
  if (pairs == 0) return nan;
  const bool class_is_rare = of_class.n_elem <= others.n_elem;
  const arma::vec few = arma::sort(class_is_rare ? of_class : others);
  double below = 0;  // pairs with the smaller score in `few` add 2, pairs of equal scores add 1
  for (const double score : class_is_rare ? others : of_class) {
    const arma::uword less = count_less(few, score, std::less<>());
    const bool equals = less < few.n_elem && few.mem[less] == score;
    below += static_cast<double>(less + (equals ? count_less(few, score, std::less_equal<>()) : less));
  }
  below /= 2;
  return (class_is_rare ? pairs - below : below) / pairs;
}

double log_loss(const arma::uvec& truth, const arma::mat& P) {
  expects(truth.n_elem == P.n_rows, "log_loss: one row of probabilities a sample");
  constexpr double least = std::numeric_limits<double>::epsilon();
  double sum = 0;
  for (arma::uword i = 0; i < truth.n_elem; ++i) sum -= std::log(std::clamp(P(i, truth(i)), least, 1 - least));
  return P.n_rows > 0 ? sum / static_cast<double>(P.n_rows) : nan;
}

bool lacks_samples(const arma::mat& C, arma::uword k) { return !has_samples(C, k); }

bool never_predicted(const arma::mat& C, arma::uword k) { return arma::accu(C.col(k)) == 0; }

bool lacks_some_precision(const arma::mat& C) {
  return arma::any(samples_of_classes(C) > 0 && predictions_of_classes(C) == 0);
}

bool lacks_some_sensitivity(const arma::mat& C) {
  return arma::any(predictions_of_classes(C) > 0 && samples_of_classes(C) == 0);
}

bool lacks_matthews(const arma::mat& C) {
  const double N = arma::accu(C);
  return arma::sum(C, 1).max() == N || arma::sum(C, 0).max() == N;
}

}  // namespace elmx
