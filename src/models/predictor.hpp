#pragma once

#include "preprocess/inputs.hpp"

namespace elmx {

/// A trained network, made again from what was kept of it.
class Predictor {
 public:
  virtual ~Predictor() = default;

  /// Z: n x c, by the code that the training used for its test part. A row does not depend on the other rows, to the
  /// last bit (see Inputs::full_blocks).
  virtual arma::mat outputs(const Inputs& inputs) = 0;
};

}  // namespace elmx
