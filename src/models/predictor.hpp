#pragma once

#include "data/transforms/inputs.hpp"

namespace elmx {

/// The predictions at n samples without each of m training samples.
struct LeftOutOutputs {
  arma::cube changes;   ///< n x m x c: f(x) - f_{-i}(x)
  arma::mat residuals;  ///< m x c: y_i - f_{-i}(x_i); empty: the network keeps no leave-one-out solutions
};

/// A trained network, restored from its stored form.
class Predictor {
 public:
  virtual ~Predictor() = default;

  /// Returns Z: n x c, by the code that training used for the test part. A row does not depend on the other
  /// rows, to the last bit (see Inputs::full_blocks).
  virtual arma::mat outputs(const Inputs& inputs) = 0;

  /// Returns the outputs of the networks that were each trained without one sample: see LeftOut.
  virtual LeftOutOutputs left_out(const Inputs&) { return {}; }
};

}  // namespace elmx
