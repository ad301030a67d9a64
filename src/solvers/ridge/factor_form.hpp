#pragma once

namespace elmx {

/// How the factor of an algorithm grows where others than its own code keep it: in single precision, or over
/// ranks.
struct FactorForm {
  enum class Kind { cholesky, inverse };

  Kind kind;            ///< R'R = A'A + lambda I, or F F' = its inverse
  bool anew;            ///< factorised anew at every step
  bool anew_if_needed;  ///< ... where the factor that has grown does not do
};

}  // namespace elmx
