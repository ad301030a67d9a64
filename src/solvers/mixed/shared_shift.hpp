#pragma once

namespace elmx {

/// The starting point for the shift of the next factor in single precision of one Gram matrix. The needed
/// shift comes from the rounding of the Gram matrix, for any lambda. A larger lambda may need less, so the
/// next factor starts at a quarter.
class SharedShift {
 public:
  double first() const { return first_; }
  void needed(double shift) { first_ = shift >= 4 ? shift / 4 : 0; }

 private:
  double first_ = 0;
};

}  // namespace elmx
