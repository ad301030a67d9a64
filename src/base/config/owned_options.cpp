#include "base/config/owned_options.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "base/error.hpp"

namespace elmx {

void refuse_options_of_others(const std::vector<OwnedOption>& options, const std::string& kind,
                              const std::string& place, const std::string& with) {
  for (const OwnedOption& option : options) {
    if (!option.given || std::count(option.owners.begin(), option.owners.end(), kind) > 0) continue;
    std::string owners;
    for (const std::string& owner : option.owners) owners += (owners.empty() ? "" : ", ") + owner;
    throw ConfigError(place + "/" + option.key, fmt::format("{} \"{}\"; use it with {}", with, kind, owners));
  }
}

}  // namespace elmx
