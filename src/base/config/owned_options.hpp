#pragma once

#include <string>
#include <vector>

namespace elmx {

/// An option that only some kinds of things have (formats of files, layers of networks).
struct OwnedOption {
  const char* key;
  bool given;
  std::vector<std::string> owners;
};

/// Throws ConfigError at the first option that is given and that a thing of this `kind` does not have:
/// "PLACE/KEY: WITH "KIND"; it belongs to OWNERS", `with` being "not with format", say.
void refuse_options_of_others(const std::vector<OwnedOption>& options, const std::string& kind,
                              const std::string& place, const std::string& with);

}  // namespace elmx
