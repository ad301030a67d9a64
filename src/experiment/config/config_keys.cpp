#include <fmt/core.h>

#include <algorithm>

#include "base/config/fields.hpp"
#include "experiment/config/options.hpp"

namespace elmx {
namespace {

constexpr const char* kModel = "/model";

const Json& resolved(const Json& root, const Json& schema) {
  if (!schema.contains("$ref")) return schema;
  return root.at(Json::json_pointer(schema["$ref"].get<std::string>().substr(1)));
}

/// Returns the first of several alternative schemas, which describes a single value.
const Json& first_form(const Json& root, const Json& schema) {
  const Json& found = resolved(root, schema);
  return found.contains("anyOf") ? first_form(root, found["anyOf"].front()) : found;
}

Allowed bounds_of(const Json& form) {
  Allowed allowed;
  if (form.contains("minimum")) allowed.min = form["minimum"].get<double>();
  if (form.contains("exclusiveMinimum")) {
    allowed.min = form["exclusiveMinimum"].get<double>();
    allowed.min_excluded = true;
  }
  if (form.contains("maximum")) allowed.max = form["maximum"].get<double>();
  if (form.contains("enum")) allowed.choices = form["enum"].get<std::vector<std::string>>();
  return allowed;
}

std::string allowed_text(const Json& root, const Json& schema) {
  const Json& form = first_form(root, schema);
  const std::string type = form.value("type", "");
  if (type == "array") {
    const std::string element = allowed_text(root, form["items"]);
    return element.empty() ? "a list" : "a list of: " + element;
  }
  if (type == "boolean") return "true or false";
  if (type == "object" || (type.empty() && !form.contains("enum"))) return "";
  const char* kind = type == "number" ? "a number" : type == "integer" ? "an integer" : "a string";
  return bounds_of(form).text(kind);
}

class Walk {
 public:
  explicit Walk(const Json& root) : root_(root) {}

  void properties_of(const Json& object, const std::string& place, const std::string& family) {
    for (const auto& [key, schema] : object.at("properties").items()) {
      if (key == "$schema") continue;
      const std::string here = place + "/" + key;
      add({here, {}, schema.value("description", ""), allowed_text(root_, schema), schema.value("default", Json())},
          family);
      if (here == kModel)
        models_of(schema);
      else if (const Json* inner = object_in(schema); inner != nullptr)
        properties_of(*inner, here, family);
    }
  }

  std::vector<ConfigKey> keys;

 private:
  void models_of(const Json& schema) {
    for (const Json& family : schema.at("anyOf")) {
      const auto name = family.at("$ref").get<std::string>();
      properties_of(resolved(root_, family), kModel, name.substr(name.rfind('/') + 1));
    }
  }

  /// The object of keys that a schema describes, also as the elements of a list.
  const Json* object_in(const Json& schema) const {
    const Json& form = first_form(root_, schema);
    if (form.contains("items")) return object_in(form["items"]);
    return form.contains("properties") ? &form : nullptr;
  }

  /// Families that share a key in every word share its entry.
  void add(ConfigKey key, const std::string& family) {
    const auto same = [&](const ConfigKey& other) {
      return other.place == key.place && other.description == key.description && other.allowed == key.allowed &&
             other.default_value == key.default_value;
    };
    const auto known = std::ranges::find_if(keys, same);
    ConfigKey& entry = known == keys.end() ? keys.emplace_back(std::move(key)) : *known;
    if (!family.empty()) entry.families.push_back(family);
  }

  const Json& root_;
};

}  // namespace

std::vector<ConfigKey> config_keys(const Json& schema) {
  Walk walk(schema);
  Json without_cases = schema;
  without_cases["properties"].erase("cases");
  walk.properties_of(without_cases, "", "");
  walk.keys.push_back({"/cases", {}, schema["properties"]["cases"].value("description", ""), "", nullptr});
  return walk.keys;
}

std::vector<ConfigKey> keys_named(const std::vector<ConfigKey>& keys, const std::string& name) {
  std::string place = name;
  std::ranges::replace(place, '.', '/');
  if (!place.starts_with('/')) place.insert(0, "/");
  std::vector<ConfigKey> found;
  const auto is_meant = [&](const ConfigKey& key) { return key.place == place; };
  const auto ends_so = [&](const ConfigKey& key) { return key.place.ends_with(place); };
  std::ranges::copy_if(keys, std::back_inserter(found), is_meant);
  if (found.empty()) std::ranges::copy_if(keys, std::back_inserter(found), ends_so);
  return found;
}

}  // namespace elmx
