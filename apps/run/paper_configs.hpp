#pragma once

#include <string>
#include <vector>

#include "base/config/json.hpp"

namespace elmx {

/// The config of a published table, laid over that of the run that it is made of; full: at the scale that decides its claims.
/// Without "model" nothing is trained. Throws ConfigError with the nearest known id.
Json paper_config(const std::string& id, const std::vector<std::string>& assignments, bool full);

}  // namespace elmx
