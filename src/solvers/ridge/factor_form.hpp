#pragma once

namespace elmx {

/// The factor that replaces an algorithm's own code in mixed precision or over ranks.
struct FactorForm {
  enum class Kind { cholesky, inverse, inverse_ldl };

  Kind kind;            ///< R'R = A'A + lambda I; F F' or (over ranks only) L D L' = its inverse
  bool anew;            ///< factorise anew at every step
  bool anew_if_needed;  ///< factorise anew if the grown factor fails
};

}  // namespace elmx
