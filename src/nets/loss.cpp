#include "nets/loss.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace elmx {
namespace {

/// Computes y = softmax(z) of row i without overflow. Returns log(sum exp(z)).
template <class T>
double softmax_row(View<const T> Z, uword i, std::vector<double>& y) {
  double largest = Z(i, 0), sum = 0;
  for (uword o = 1; o < Z.cols; ++o) largest = std::max(largest, static_cast<double>(Z(i, o)));
  for (uword o = 0; o < Z.cols; ++o) sum += y[o] = std::exp(static_cast<double>(Z(i, o)) - largest);
  for (uword o = 0; o < Z.cols; ++o) y[o] /= sum;
  return largest + std::log(sum);
}

}  // namespace

template <class T>
double Loss<T>::squares(View<const T> Z, View<const T> targets, double weight, View<T> dZ) const {
  double sum = 0;
  for (uword o = 0; o < Z.cols; ++o) {
    for (uword i = 0; i < Z.rows; ++i) {
      const double difference = static_cast<double>(Z(i, o)) - static_cast<double>(targets(i, o));
      sum += difference * difference;
      dZ(i, o) = static_cast<T>(weight * difference);
    }
  }
  return weight / 2 * sum;
}

template <class T>
double Loss<T>::evaluate(View<const T> Z, View<const T> targets, uword samples, View<T> dZ) const {
  const double per_sample = 1 / static_cast<double>(samples);
  if (kind_ == LossKind::mse) return squares(Z, targets, per_sample, dZ);
  if (kind_ == LossKind::mse_mean) return squares(Z, targets, 2 / static_cast<double>(Z.rows * Z.cols), dZ);
  double sum = 0;
  std::vector<double> y(Z.cols);
  for (uword i = 0; i < Z.rows; ++i) {
    const double log_sum = softmax_row(Z, i, y);
    for (uword o = 0; o < Z.cols; ++o) {
      const double target = targets(i, o);
      if (target != 0) sum += target * (log_sum - static_cast<double>(Z(i, o)));
      dZ(i, o) = static_cast<T>(per_sample * (y[o] - target));
    }
  }
  return per_sample * sum;
}

template <class T>
void Loss<T>::to_outputs(View<T> Z) const {
  if (kind_ != LossKind::cross_entropy) return;
  std::vector<double> y(Z.cols);
  for (uword i = 0; i < Z.rows; ++i) {
    softmax_row<T>(Z, i, y);
    for (uword o = 0; o < Z.cols; ++o) Z(i, o) = static_cast<T>(y[o]);
  }
}

template class Loss<float>;
template class Loss<double>;

}  // namespace elmx
