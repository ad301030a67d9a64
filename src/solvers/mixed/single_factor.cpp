#include "solvers/mixed/single_factor.hpp"

#include <cmath>

namespace elmx {
namespace {

constexpr double kUnit = 0x1p-24;

}  // namespace

template <class T>
Status SingleFactor::extend(CentredGram<T>& gram, bool anew, double most_condition) {
  if (anew) U_.clear();
  const std::size_t first = U_.count(), of_gram = anew ? 0 : gram.first_new();
  expects(of_gram == first, "SingleFactor: one step behind the products");
  d_ = arma::sqrt(gram.diagonal() + lambda_);
  d_.transform([](double d) { return d > 0 ? d : 1; });
  m_ = gram.mean();
  samples_ = gram.samples();
  U_.append_like(gram.panels(), first);
  for (shift_ = gram.shift_needed(); condition() <= most_condition; shift_ = shift_ == 0 ? 1 : 4 * shift_) {
    copy_scaled(gram, first);
    const Status status = kind_ == FactorForm::Kind::cholesky ? U_.cholesky(first) : U_.inverse_cholesky(first);
    if (status != Status::ok) continue;
    gram.needed_shift(shift_);
    y_ = m_;
    apply_without_mean(View<double>(y_));
    if (y_.is_finite()) return Status::ok;
  }
  return Status::not_positive_definite;
}

template <class T>
void SingleFactor::copy_scaled(const CentredGram<T>& gram, std::size_t first) {
  const arma::fvec inverse = arma::conv_to<arma::fvec>::from(1 / d_);
  const auto unit = static_cast<float>(1 + shift_ * kUnit);
  for (std::size_t p = first; p < U_.count(); ++p) {
    const View<const float> G = gram.panels().panel(p);
    const View<float> M = U_.panel(p);
    const uword begin = U_.begin(p);
#pragma omp parallel for schedule(static)
    for (uword j = 0; j < M.cols; ++j) {
      const float scale = inverse(begin + j);
      for (uword i = 0; i < begin + j; ++i) M(i, j) = G(i, j) * inverse(i) * scale;
      M(begin + j, j) = unit;
    }
  }
}

void SingleFactor::apply_without_mean(View<double> X) const {
  const arma::vec inverse = 1 / d_;
  scale_rows(inverse.memptr(), X);
  kind_ == FactorForm::Kind::cholesky ? U_.solve(X) : U_.multiply(X);
  scale_rows(inverse.memptr(), X);
}

double SingleFactor::condition() const {
  return shift_ == 0 ? 1 : 1 + shift_ * kUnit * std::pow(d_.max(), 2) / lambda_;
}

void SingleFactor::apply(View<double> X) const {
  apply_without_mean(X);
  const double denominator = 1 + samples_ * arma::dot(m_, y_);
  for (uword j = 0; j < X.cols; ++j) {
    const double along = samples_ * dot(m_.n_elem, m_.memptr(), &X(0, j)) / denominator;
    axpy(m_.n_elem, -along, y_.memptr(), &X(0, j));
  }
}

template Status SingleFactor::extend(CentredGram<double>&, bool, double);
template Status SingleFactor::extend(CentredGram<float>&, bool, double);

}  // namespace elmx
