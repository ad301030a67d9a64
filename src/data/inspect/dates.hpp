#pragma once

#include <optional>
#include <string_view>

namespace elmx {

/// A date, a time of day, or both, as people write them.
struct Moment {
  double days = 0;  ///< grows with the moment: days since 1970, with the time of day as a fraction
  /// false: day and month may be the other way round (3/4/2024), the year has two digits, or there is no day
  bool certain = true;
};

/// 2024-03-31, 2024/3/31, 31.3.2024, 3/31/2024, 31-03-2024, 31 Mar 2024, Mar 31, 2024, with or without a time behind a
/// blank or "T" (12:30, 12:30:05.25, with Z, an offset, AM or PM), or a time alone. Takes up all of `text`.
std::optional<Moment> parse_moment(std::string_view text);

}  // namespace elmx
