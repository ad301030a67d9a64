#pragma once

#include <limits>
#include <map>
#include <string>

namespace elmx {

/// The note on a value that exceeds the range of double.
inline constexpr const char* kNotFinite = "larger than any number that a double can hold";

/// A value and the note on it.
struct Measured {
  double value = std::numeric_limits<double>::quiet_NaN();  ///< NaN: not available
  /// the reason why the value is not available, or how an undefined ratio was resolved; "" = no note
  std::string note = {};
};

/// The metrics of one network. A name with a note but no value is NA for that reason. A name with neither
/// does not apply.
struct Measurements {
  std::map<std::string, double> values;
  std::map<std::string, std::string> notes;

  /// Adds a value and its note; a value that is not finite becomes a note.
  void add(const std::string& name, const Measured& measured);
};

}  // namespace elmx
