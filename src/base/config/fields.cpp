#include "base/config/fields.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "base/files/files.hpp"
#include "base/printable.hpp"

namespace elmx {
namespace {

constexpr std::size_t kMostValues = 100000;  // of one sweep

[[noreturn]] void refuse(const std::string& place, const Json& value, const std::string& expected) {
  std::string found = value.dump();
  if (found.size() > 60) found = found.substr(0, 57) + "...";
  throw ConfigError(place.empty() ? "/" : place, fmt::format("expected {}, found {}", expected, found));
}

bool within(double x, const Allowed& allowed) {
  return (allowed.min_excluded ? x > allowed.min : x >= allowed.min) && x <= allowed.max;
}

}  // namespace

std::string Allowed::text(const char* kind) const {
  if (!open && !choices.empty()) {
    std::string list;
    for (const auto& choice : choices) list += (list.empty() ? "" : ", ") + choice;
    return "one of " + list;
  }
  std::string text = kind;
  if (std::isfinite(min)) text += (min_excluded ? " > " : " >= ") + shortest(min);
  if (std::isfinite(max)) text += (std::isfinite(min) ? " and <= " : " <= ") + shortest(max);
  return text;
}

Allowed at_least(double min) { return {.min = min, .choices = {}}; }
Allowed more_than(double min) { return {.min = min, .min_excluded = true, .choices = {}}; }
Allowed between(double min, double max) { return {.min = min, .max = max, .choices = {}}; }
Allowed one_of(std::vector<std::string> choices) { return {.choices = std::move(choices)}; }
Allowed among(std::vector<std::string> names) { return {.choices = std::move(names), .open = true}; }
Allowed a_path() { return {.choices = {}, .path = true}; }

bool read_bool(const Json& value, const std::string& place) {
  if (!value.is_boolean()) refuse(place, value, "true or false");
  return value.get<bool>();
}

double read_number(const Json& value, const std::string& place, const Allowed& allowed) {
  if (!value.is_number()) refuse(place, value, allowed.text("a number"));
  const double x = value.get<double>();
  if (!std::isfinite(x) || !within(x, allowed)) refuse(place, value, allowed.text("a number"));
  return x;
}

long long read_integer(const Json& value, const std::string& place, const Allowed& allowed) {
  if (!value.is_number()) refuse(place, value, allowed.text("an integer"));
  const double x = value.get<double>();
  if (x != std::floor(x) || !within(x, allowed)) refuse(place, value, allowed.text("an integer"));
  if (!(std::abs(x) < 9e15)) refuse(place, value, allowed.text("an integer of at most 15 digits"));
  return static_cast<long long>(x);
}

std::string read_string(const Json& value, const std::string& place, const Allowed& allowed) {
  if (!value.is_string()) refuse(place, value, allowed.text("a string"));
  auto text = value.get<std::string>();
  const auto& choices = allowed.choices;
  if (!allowed.open && !choices.empty() && std::find(choices.begin(), choices.end(), text) == choices.end()) {
    throw ConfigError(place, fmt::format("unknown value \"{}\"{}", text, suggest(text, choices)));
  }
  return text;
}

bool is_scalar(const Json& value) { return value.is_primitive() && !value.is_null(); }

void require_array(const Json& value, const std::string& place) {
  if (!value.is_array()) refuse(place, value, "a list such as [1, 2]");
}

void require_object(const Json& value, const std::string& place) {
  if (!value.is_object()) refuse(place, value, "an object such as {\"key\": value}");
}

void FieldReader::finish() const {
  for (const auto& [key, value] : object_.items()) {
    if (std::find(known_.begin(), known_.end(), key) == known_.end()) {
      throw ConfigError(place_ + "/" + key, "unknown key" + suggest(key, known_));
    }
  }
}

void SweepFinder::add(const std::string& place, const Json& list) {
  if (list.empty()) refuse(place, list, "a value, or a list of at least one value to sweep over");
  if (list.size() > kMostValues) {
    throw ConfigError(place, fmt::format("a sweep has at most {} values, found {}", kMostValues, list.size()));
  }
  axes_.push_back({place, {list.begin(), list.end()}});
}

std::vector<Json*> PathResolver::objects_of(Json& value) {
  std::vector<Json*> objects;
  if (value.is_object()) return {&value};
  if (!value.is_array()) return {};
  for (Json& element : value) {
    if (element.is_object()) objects.push_back(&element);
  }
  return objects;
}

void PathResolver::resolve(Json& value) const {
  if (value.is_array()) {
    for (Json& element : value) resolve(element);
  } else if (value.is_string() && !value.get<std::string>().empty()) {
    const auto text = value.get<std::string>();
    if (text != kStandardInput) value = (std::filesystem::path(folder_) / text).lexically_normal().string();
  }
}

Json SchemaWriter::object() const {
  return {{"type", "object"}, {"additionalProperties", false}, {"properties", properties}};
}

Json SchemaWriter::bounds(const char* type, const Allowed& allowed) {
  Json schema = {{"type", type}};
  if (std::isfinite(allowed.min)) schema[allowed.min_excluded ? "exclusiveMinimum" : "minimum"] = allowed.min;
  if (std::isfinite(allowed.max)) schema["maximum"] = allowed.max;
  if (!allowed.choices.empty()) schema["enum"] = allowed.choices;
  return schema;
}

Json SchemaWriter::with_sweep(const Json& single) {
  Json schema;
  Json& forms = schema["anyOf"] = Json::array({single});
  const bool is_list = single.contains("items");
  const Json& element = is_list ? single["items"] : single;
  if (is_list) forms.push_back(element);  // a list of one
  forms.push_back({{"type", "array"}, {"items", single}, {"minItems", 1}});
  const auto is_number = [](const Json& form) {
    const std::string type = form.value("type", "");
    return type == "number" || type == "integer";
  };
  const Json either = element.value("anyOf", Json::array());
  if (is_number(element) || std::ranges::any_of(either, is_number)) {
    for (const char* kind : {"range", "logspace"}) forms.push_back({{"$ref", std::string("#/definitions/") + kind}});
  }
  return schema;
}

Json series_definitions() {
  Json definitions;
  for (const auto& [kind, fewest] : {std::pair{"range", 2}, std::pair{"logspace", 3}}) {
    const Json arguments = {{"type", "array"}, {"items", {{"type", "number"}}}, {"minItems", fewest}, {"maxItems", 3}};
    definitions[kind] = {{"type", "object"},
                         {"additionalProperties", false},
                         {"properties", {{kind, arguments}}},
                         {"required", Json::array({kind})}};
  }
  return definitions;
}

void check_range(const std::vector<double>& range, const std::string& place) {
  if (range.size() != 2 || !(range[0] <= range[1])) {
    throw ConfigError(place, "expected [lower, upper] with lower <= upper, found " + Json(range).dump());
  }
}

}  // namespace elmx
