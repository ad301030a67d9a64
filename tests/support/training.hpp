#pragma once

#include <memory>
#include <string>
#include <vector>

#include "nets/layers/convolution.hpp"
#include "nets/layers/dense.hpp"
#include "nets/layers/recurrent.hpp"
#include "nets/optimisers/optimiser.hpp"
#include "nets/optimisers/rls.hpp"
#include "nets/training.hpp"

namespace elmx {

/// Converts a matrix to another precision.
template <class To, class From>
arma::Mat<To> as(const arma::Mat<From>& A) {
  return arma::conv_to<arma::Mat<To>>::from(A);
}

/// A parameter matrix with given values.
template <class T = double>
Parameter<T> parameter_of(const arma::mat& Theta, std::size_t layer = 0, const std::string& name = "") {
  Parameter<T> parameter;
  parameter.name = name;
  parameter.layer = layer;
  parameter.Theta = as<T>(Theta);
  return parameter;
}

/// [A, 1]
template <class T = double>
arma::Mat<T> with_ones(const arma::Mat<T>& A) {
  return arma::join_rows(A, arma::Mat<T>(A.n_rows, 1, arma::fill::ones));
}

/// A training whose optimisers are accessible.
template <class T = double>
struct OpenTraining {
  std::vector<Rls<T>*> rls;  // null for another optimiser
  std::vector<Adam<T>*> adam;
  std::unique_ptr<Training<T>> training;

  /// `make(parameter number, parameter)` returns the optimiser.
  template <class Make>
  OpenTraining(Network<T> network, LossKind loss, ClipOptions clip, const Make& make) {
    std::vector<std::unique_ptr<Optimiser<T>>> optimisers;
    for (Parameter<T>* parameter : network.parameters()) {
      optimisers.push_back(make(optimisers.size(), *parameter));
      rls.push_back(dynamic_cast<Rls<T>*>(optimisers.back().get()));
      adam.push_back(dynamic_cast<Adam<T>*>(optimisers.back().get()));
    }
    training = std::make_unique<Training<T>>(std::move(network), Loss<T>(loss), clip, std::move(optimisers));
  }

  Parameter<T>& parameter(std::size_t i) { return *training->network().parameters()[i]; }
};

}  // namespace elmx
