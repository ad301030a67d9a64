#pragma once

#include "base/config/json.hpp"

namespace elmx {

/// Returns true if a value is valid by a JSON Schema (draft-07), as checked by valijson.
bool schema_accepts(const Json& schema, const Json& value);

}  // namespace elmx
