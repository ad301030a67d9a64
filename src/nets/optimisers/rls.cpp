#include "nets/optimisers/rls.hpp"

#include <cmath>

#include "nets/layers/elementwise.hpp"

namespace elmx {

template <class T>
Rls<T>::Rls(const RlsOptions& options, Parameter<T>& parameter, uword rows)
    : options_(options), P_(parameter.inputs(), parameter.inputs(), arma::fill::eye) {
  const double q = static_cast<double>(parameter.inputs()), r = static_cast<double>(parameter.outputs()),
               B = static_cast<double>(rows);
  // true: one product multiplies P by both D and sgn(Theta)
  const bool l1_alone = options.l1 > 0 && options.momentum == 0;
  parameter.needs = {.average = true, .factors = cheaper_by_factors(q, r, B) && !l1_alone};
  if (options.momentum > 0) Omega_.zeros(arma::size(parameter.Theta));
}

template <class T>
void Rls<T>::multiply(T alpha, const Parameter<T>& parameter, T beta, arma::Mat<T>& C) {
  if (parameter.X) {
    PX_.set_size(P_.n_rows, parameter.X->rows);
    gemm(Op::none, Op::transpose, T(1), P_, *parameter.X, T(0), View<T>(PX_));
    gemm(Op::none, Op::none, alpha, PX_, *parameter.dZ, beta, View<T>(C));
  } else {
    gemm(Op::none, Op::none, alpha, P_, parameter.D, beta, View<T>(C));
  }
}

template <class T>
arma::Mat<T> Rls<T>::signs(const Parameter<T>& parameter) const {
  arma::Mat<T> S = arma::sign(parameter.Theta);
  if (!options_.l1_bias) S.row(S.n_rows - 1).zeros();
  return S;
}

template <class T>
void Rls<T>::update_P(const arma::Col<T>& u, double gain, double divisor) {
  const arma::Col<T> v = u * static_cast<T>(std::sqrt(gain));
  downdate(v.memptr(), static_cast<T>(1 / divisor), P_.memptr(), P_.n_rows);
}

template <class T>
void Rls<T>::update(Parameter<T>& parameter, T clip, std::size_t) {
  arma::Col<T> x = parameter.x;
  if (!options_.bias_in_p) x(x.n_elem - 1) = 0;
  arma::Mat<T>& Theta = parameter.Theta;
  arma::Col<T> u(x.n_elem);
  gemv(Op::none, T(1), P_, x.memptr(), T(0), u.memptr());
  const double lambda = options_.forgetting, kappa = options_.k * static_cast<double>(parameter.steps);
  const double h = lambda + kappa * static_cast<double>(dot(x.n_elem, x.memptr(), u.memptr()));
  const bool wound_up = options_.p_trace_max > 0 && arma::trace(P_) > options_.p_trace_max;
  const double gain = kappa / h, divisor = wound_up ? 1 : lambda;  // P = (P - gain u u') / divisor
  const T step = static_cast<T>(options_.eta / h) * clip;

  if (options_.momentum == 0 && options_.l1 == 0) {
    multiply(-step, parameter, T(1), Theta);
    update_P(u, gain, divisor);
  } else if (options_.momentum == 0) {
    // With S = sgn(Theta):  eta/h P D + gamma P_new S = P (eta/h D + gamma/lambda S) - gamma kappa / (lambda
    // h) u (u'S), one product.
    arma::Mat<T> R = signs(parameter);
    arma::Col<T> w(R.n_cols);
    gemv(Op::transpose, static_cast<T>(options_.l1 * gain / divisor), R, u.memptr(), T(0), w.memptr());
    combine(step, parameter.D.memptr(), static_cast<T>(options_.l1 / divisor), R.memptr(), R.n_elem);
    gemm(Op::none, Op::none, T(-1), P_, R, T(1), View<T>(Theta));
    ger(T(1), u.memptr(), w.memptr(), View<T>(Theta));
    update_P(u, gain, divisor);
  } else {
    multiply(-step, parameter, static_cast<T>(options_.momentum), Omega_);
    update_P(u, gain, divisor);
    if (options_.l1 > 0) {
      const arma::Mat<T> S = signs(parameter);
      gemm(Op::none, Op::none, static_cast<T>(-options_.l1), P_, S, T(1), View<T>(Theta));
    }
    combine(T(1), Omega_.memptr(), T(1), Theta.memptr(), Theta.n_elem);
  }
}

template <class T>
std::vector<std::span<T>> Rls<T>::state() {
  std::vector<std::span<T>> parts{{P_.memptr(), P_.n_elem}};
  if (!Omega_.empty()) parts.emplace_back(Omega_.memptr(), Omega_.n_elem);
  return parts;
}

template <class T>
double Rls<T>::growth_of_P() const {
  return static_cast<double>(arma::trace(P_)) / static_cast<double>(P_.n_rows);
}

template class Rls<float>;
template class Rls<double>;

}  // namespace elmx
