#pragma once

#include "models/registry.hpp"

namespace elmx {

/// The "model" of a config, of the family that it names.
inline ModelPtr parsed(const Json& model) { return family_of(model, "/model").read(model, "/model", false); }

}  // namespace elmx
