#pragma once

#include <string>
#include <vector>

#include "base/config/fields.hpp"

namespace elmx {

/// An option that only some kinds of objects have (file formats, network layers).
struct OwnedOption {
  const char* key;
  bool given;
  std::vector<std::string> owners;
};

/// Throws ConfigError for the first given option that an object of this `kind` does not have:
/// "PLACE/KEY: WITH "KIND"; use it with OWNERS", where `with` is for example "not with format".
void refuse_options_of_others(const std::vector<OwnedOption>& options, const std::string& kind,
                              const std::string& place, const std::string& with);

/// A visitor of an options struct that collects its keys in the order of its members.
class KeyList {
 public:
  template <class T>
  void operator()(const char* key, T&, const char*, const Allowed& = {}) {
    keys.push_back(key);
  }
  std::vector<const char*> keys;
};

template <Options T>
std::vector<const char*> option_keys() {
  T options;
  KeyList list;
  options.fields(list);
  return list.keys;
}

/// Returns the keys of the options whose values are not the defaults.
template <Options T>
std::vector<const char*> given_options(const T& options) {
  const Json values = write_options(options), defaults = write_options(T());
  std::vector<const char*> keys = option_keys<T>();
  std::erase_if(keys, [&](const char* key) { return values.value(key, Json()) == defaults.value(key, Json()); });
  return keys;
}

}  // namespace elmx
