#pragma once

#include <string>
#include <vector>

#include "base/config/json.hpp"

namespace elmx {

/// One key of a config, as its schema describes it.
struct ConfigKey {
  std::string place;                  ///< "/model/ridge"
  std::vector<std::string> families;  ///< below /model: those whose key it is, with these words
  std::string description;
  std::string allowed;  ///< "a number >= 0, or a list of them"; "" = said by the description
  Json default_value;   ///< null: none
};

/// Every key of a config, in the order of the schema (config_schema); below cases they are the same again.
std::vector<ConfigKey> config_keys(const Json& schema);

/// The keys that a user means by "/model/ridge", "model.ridge" or "ridge".
std::vector<ConfigKey> keys_named(const std::vector<ConfigKey>& keys, const std::string& name);

}  // namespace elmx
