#pragma once

#include <armadillo>

#include "base/config/json.hpp"
#include "data/table/dataset.hpp"

namespace elmx {

/// Returns the weights of the classes in the sum of squares: C positive numbers.
///
///     "balanced"              w_k = n / (m n_k): n training samples, n_k of class k, m classes occur; mean 1
///     {"class": weight, ...}  as given; classes that are not named have weight 1
///
/// train: the rows that are counted. Throws ConfigError for a regression, an unknown class or word, or a
/// weight that is not positive.
arma::vec class_weights(const Json& option, const Dataset& data, const arma::uvec& train);

}  // namespace elmx
