#pragma once

#include <ostream>

#include "base/error.hpp"

namespace elmx {

inline void PrintTo(Status status, std::ostream* out) { *out << to_string(status); }

}  // namespace elmx
