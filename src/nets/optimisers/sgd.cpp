#include "nets/optimisers/sgd.hpp"

#include "nets/layers/elementwise.hpp"

namespace elmx {

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
