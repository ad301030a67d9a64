#pragma once

namespace elmx {

/// The shift that factors of one Gram matrix in single precision need is that of its rounding, whatever
/// lambda is: where the next one begins. A larger lambda may need less; it is tried a quarter below.
class SharedShift {
 public:
  double first() const { return first_; }
  void needed(double shift) { first_ = shift >= 4 ? shift / 4 : 0; }

 private:
  double first_ = 0;
};

}  // namespace elmx
