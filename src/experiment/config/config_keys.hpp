#pragma once

#include <string>
#include <vector>

#include "base/config/json.hpp"

namespace elmx {

/// One key of a config, from the schema.
struct ConfigKey {
  std::string place;                  ///< "/model/ridge"
  std::vector<std::string> families;  ///< below /model: the families that have the key with this description
  std::string description;
  std::string allowed;  ///< "a number >= 0, or a list of them"; "" = see the description
  Json default_value;   ///< null = none
};

/// Returns every key of a config, in the order of the schema (config_schema), but not again below "cases".
std::vector<ConfigKey> config_keys(const Json& schema);

/// Returns the keys that a user may mean by "/model/ridge", "model.ridge" or "ridge".
std::vector<ConfigKey> keys_named(const std::vector<ConfigKey>& keys, const std::string& name);

}  // namespace elmx
