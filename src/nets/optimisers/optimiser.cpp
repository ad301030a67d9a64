#include "nets/optimisers/optimiser.hpp"

#include <cmath>

#include "base/config/fields.hpp"
#include "nets/layers/elementwise.hpp"

namespace elmx {

void SgdOptions::fields(FieldVisitor& field) {
  field("rate", rate, "step size", more_than(0));
  field("momentum", momentum, "fraction of the last step that is kept", between(0, 1));
}

template <class T>
Sgd<T>::Sgd(const SgdOptions& options, Parameter<T>& parameter)
    : options_(options), Omega_(arma::size(parameter.Theta), arma::fill::zeros) {
  parameter.needs = {};
}

template <class T>
void Sgd<T>::update(Parameter<T>& parameter, T clip, std::size_t) {
  const uword n = parameter.Theta.n_elem;
  combine(-static_cast<T>(options_.rate) * clip, parameter.D.memptr(), static_cast<T>(options_.momentum),
          Omega_.memptr(), n);
  combine(T(1), Omega_.memptr(), T(1), parameter.Theta.memptr(), n);
}

template class Sgd<float>;
template class Sgd<double>;

void AdamOptions::fields(FieldVisitor& field) {
  field("rate", rate, "step size", more_than(0));
  field("beta1", beta1, "decay of the mean", between(0, 1));
  field("beta2", beta2, "decay of the mean square", between(0, 1));
  field("epsilon", epsilon, "added to the root of the mean square", at_least(0));
}

template <class T>
Adam<T>::Adam(const AdamOptions& options, Parameter<T>& parameter)
    : options_(options),
      m_(arma::size(parameter.Theta), arma::fill::zeros),
      v_(arma::size(parameter.Theta), arma::fill::zeros) {
  parameter.needs = {};
}

template <class T>
void Adam<T>::update(Parameter<T>& parameter, T clip, std::size_t step) {
  const auto s = static_cast<double>(step);
  const AdamStep<T> by{static_cast<T>(options_.beta1),
                       static_cast<T>(options_.beta2),
                       static_cast<T>(options_.rate / (1 - std::pow(options_.beta1, s))),
                       static_cast<T>(1 / std::sqrt(1 - std::pow(options_.beta2, s))),
                       static_cast<T>(options_.epsilon),
                       clip};
  adam_step(by, parameter.D.memptr(), m_.memptr(), v_.memptr(), parameter.Theta.memptr(), parameter.Theta.n_elem);
}

template <class T>
std::vector<std::span<T>> Adam<T>::state() {
  return {{m_.memptr(), m_.n_elem}, {v_.memptr(), v_.n_elem}};
}

template class Adam<float>;
template class Adam<double>;

}  // namespace elmx
