#pragma once

#include "preprocess/inputs.hpp"

namespace elmx {

/// Predictions at n samples without each of m training samples.
struct LeftOutOutputs {
  arma::cube changes;   ///< n x m x c: f(x) - f_{-i}(x)
  arma::mat residuals;  ///< m x c: y_i - f_{-i}(x_i); empty: the network keeps no leave-one-out solutions
};

/// A trained network, made again from what was kept of it.
class Predictor {
 public:
  virtual ~Predictor() = default;

  /// Z: n x c, by the code that the training used for its test part. A row does not depend on the other rows,
  /// to the last bit (see Inputs::full_blocks).
  virtual arma::mat outputs(const Inputs& inputs) = 0;

  /// Outputs of the networks that were trained without one of some samples each: see LeftOut.
  virtual LeftOutOutputs left_out(const Inputs&) { return {}; }
};

}  // namespace elmx
