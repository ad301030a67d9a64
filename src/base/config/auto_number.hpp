#pragma once

#include "base/config/fields.hpp"

namespace elmx {

/// A number of a config, or "auto" for a number that is chosen on the training part.
struct AutoNumber {
  double value = 1;
  bool automatic = false;

  static AutoNumber from_json(const Json& json, const std::string& place) {
    if (json == "auto") return {1, true};
    if (!json.is_number()) throw ConfigError(place, "expected a number > 0 or \"auto\", found " + json.dump());
    return {read_number(json, place, more_than(0)), false};
  }
  Json to_json() const { return automatic ? Json("auto") : Json(value); }
  static Json schema() {
    return {{"anyOf", {{{"type", "number"}, {"exclusiveMinimum", 0}}, {{"type", "string"}, {"enum", {"auto"}}}}}};
  }

  bool operator==(const AutoNumber&) const = default;
};

}  // namespace elmx
