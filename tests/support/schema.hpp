#pragma once

#include "base/config/json.hpp"

namespace elmx {

/// Whether a value is valid by a JSON Schema (draft-07), as valijson judges it.
bool schema_accepts(const Json& schema, const Json& value);

}  // namespace elmx
