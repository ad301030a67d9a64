#include "nets/optimisers/sgd.hpp"

#include "base/config/fields.hpp"
#include "nets/layers/elementwise.hpp"

namespace elmx {

void SgdOptions::fields(FieldVisitor& field) {
  field("rate", rate, "step size", more_than(0));
  field("momentum", momentum, "part of the last step that is kept", between(0, 1));
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

}  // namespace elmx
