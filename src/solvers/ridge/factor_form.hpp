#pragma once

namespace elmx {

/// How the factor of an algorithm grows where others than its own code keep it: in single precision, or over
/// ranks.
struct FactorForm {
  enum class Kind { cholesky, inverse, inverse_ldl };

  Kind kind;            ///< R'R = A'A + lambda I, F F' = its inverse, or L D L' = its inverse (over ranks only)
  bool anew;            ///< factorised anew at every step
  bool anew_if_needed;  ///< ... where the factor that has grown does not do
};

}  // namespace elmx
