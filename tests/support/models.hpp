#pragma once

#include "models/registry/registry.hpp"

namespace elmx {

/// Parses the "model" of a config with the family that it names.
inline ModelPtr parsed(const Json& model) { return family_of(model, "/model").read(model, "/model", false); }

}  // namespace elmx
