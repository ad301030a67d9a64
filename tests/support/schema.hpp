#pragma once

#include <string>

#include "base/config/json.hpp"

namespace elmx {

inline bool schema_type_fits(const std::string& type, const Json& value) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (type == "null") return value.is_null();
  if (type == "number") return value.is_number();
  return type == "integer" && value.is_number() && value.get<double>() == static_cast<double>(value.get<long long>());
}

/// Whether a value is valid by a schema, for the part of JSON Schema (draft-07) that elmx writes.
inline bool schema_accepts(const Json& schema, const Json& value) {
  const auto given = [&](const char* key) { return schema.contains(key); };
  if (given("anyOf")) {
    for (const Json& one : schema["anyOf"]) {
      if (schema_accepts(one, value)) return true;
    }
    return false;
  }
  if (given("type") && !schema_type_fits(schema["type"], value)) return false;
  if (given("minimum") && !(value.get<double>() >= schema["minimum"].get<double>())) return false;
  if (given("exclusiveMinimum") && !(value.get<double>() > schema["exclusiveMinimum"].get<double>())) return false;
  if (given("maximum") && !(value.get<double>() <= schema["maximum"].get<double>())) return false;
  if (given("enum")) {
    bool found = false;
    for (const Json& choice : schema["enum"]) found = found || choice == value;
    if (!found) return false;
  }
  if (value.is_array()) {
    if (given("minItems") && value.size() < schema["minItems"]) return false;
    if (given("maxItems") && value.size() > schema["maxItems"]) return false;
    for (const Json& element : value) {
      if (given("items") && !schema_accepts(schema["items"], element)) return false;
    }
  }
  if (value.is_object()) {
    for (const auto& [key, member] : value.items()) {
      const bool known = given("properties") && schema["properties"].contains(key);
      if (known && !schema_accepts(schema["properties"][key], member)) return false;
      if (known || !given("additionalProperties")) continue;
      const Json& rest = schema["additionalProperties"];
      if (rest.is_object() ? !schema_accepts(rest, member) : rest == false) return false;
    }
    for (const Json& key : schema.value("required", Json::array())) {
      if (!value.contains(key.get<std::string>())) return false;
    }
  }
  return true;
}

}  // namespace elmx
