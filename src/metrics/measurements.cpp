#include "metrics/measurements.hpp"

#include <cmath>

namespace elmx {

void Measurements::add(const std::string& name, const Measured& measured) {
  if (std::isinf(measured.value)) {
    notes[name] = kNotFinite;
    return;
  }
  if (!std::isnan(measured.value)) values[name] = measured.value;
  if (!measured.note.empty()) notes[name] = measured.note;
}

}  // namespace elmx
