#pragma once

#include <cstdint>

#include "base/config/json.hpp"
#include "base/error.hpp"

namespace elmx {

/// Returns a count. Throws DataError for any value that is not a non-negative integer.
inline std::uint64_t count_from(const Json& value) {
  const bool count = value.is_number_unsigned() || (value.is_number_integer() && value.get<std::int64_t>() >= 0);
  if (!count) throw DataError("expected an integer >= 0, found " + value.dump());
  return value.get<std::uint64_t>();
}

}  // namespace elmx
