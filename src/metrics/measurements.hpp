#pragma once

#include <limits>
#include <map>
#include <string>

namespace elmx {

/// The note on a value that no double can hold.
inline constexpr const char* kNotFinite = "larger than any number that a double can hold";

/// A value with its note.
struct Measured {
  double value = std::numeric_limits<double>::quiet_NaN();  ///< NaN: not available
  /// why it is not available, or what was taken for something undefined; "" = nothing
  std::string note = {};
};

/// What was measured of one network. A name with a note and no value is NA for that reason; one with neither
/// does not apply.
struct Measurements {
  std::map<std::string, double> values;
  std::map<std::string, std::string> notes;

  /// A value that is not finite becomes a note.
  void add(const std::string& name, const Measured& measured);
};

}  // namespace elmx
