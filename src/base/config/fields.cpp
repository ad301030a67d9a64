#include "base/config/fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

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

void resolve_path(Json& value, const std::string& folder) {
  if (value.is_array()) {
    for (Json& element : value) resolve_path(element, folder);
  } else if (value.is_string() && !value.get<std::string>().empty()) {
    const auto text = value.get<std::string>();
    if (text != kStandardInput) value = (std::filesystem::path(folder) / text).lexically_normal().string();
  }
}

/// Returns the forms of a value, or of a list of values to sweep over.
Json with_sweep(const Json& single) {
  Json schema = Json::object();
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

}  // namespace

std::string Allowed::text(const char* kind) const {
  if (!open && !choices.empty()) return fmt::format("one of {}", fmt::join(choices, ", "));
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

void read_group(const Field& group, const Json& object, const std::string& place) {
  require_object(object, place);
  std::vector<std::string> known;
  group.members([&](const Field& member) {
    known.emplace_back(member.key);
    if (const auto found = object.find(member.key); found != object.end())
      member.read(*found, place + "/" + member.key);
  });
  for (const auto& [key, value] : object.items()) {
    if (std::find(known.begin(), known.end(), key) == known.end())
      throw ConfigError(place + "/" + key, "unknown key" + suggest(key, known));
  }
}

Json write_group(const Field& group) {
  Json object = Json::object();
  group.members([&](const Field& member) {
    if (!member.present()) return;
    Json value = member.write();
    if (member.kind != Field::Kind::group || !value.empty()) object[member.key] = std::move(value);
  });
  return object;
}

void find_sweeps_of_group(const Field& group, const Json& object, const std::string& place, std::vector<Axis>& axes) {
  if (!object.is_object()) return;
  group.members([&](const Field& member) {
    const auto found = object.find(member.key);
    if (found == object.end() || member.kind == Field::Kind::json) return;
    const std::string of_member = place + "/" + member.key;
    if (member.kind == Field::Kind::group) return find_sweeps_of_group(member, *found, of_member, axes);
    const bool whole_lists = member.kind == Field::Kind::list;
    const Json list = whole_lists ? *found : expand_series(*found, of_member);
    if (!list.is_array() || (whole_lists && (list.empty() || !list.front().is_array()))) return;
    if (list.empty()) refuse(of_member, list, "a value, or a list of at least one value to sweep over");
    if (list.size() > kMostValues)
      throw ConfigError(of_member, fmt::format("a sweep has at most {} values, found {}", kMostValues, list.size()));
    axes.push_back({of_member, {list.begin(), list.end()}});
  });
}

void resolve_paths_of_group(const Field& group, Json& value, const std::string& folder) {
  if (value.is_array()) {
    for (Json& element : value) resolve_paths_of_group(group, element, folder);
  }
  if (!value.is_object()) return;
  group.members([&](const Field& member) {
    const auto found = value.find(member.key);
    if (found == value.end()) return;
    if (member.kind == Field::Kind::group) return resolve_paths_of_group(member, *found, folder);
    if (member.allowed.path) resolve_path(*found, folder);
  });
}

Json schema_of_group(const Field& group) {
  Json properties = Json::object();
  group.members([&](const Field& member) {
    const bool swept = member.kind == Field::Kind::value || member.kind == Field::Kind::list;
    Json schema = member.schema();
    if (swept) schema = with_sweep(schema);
    if (member.optional) schema["anyOf"].push_back({{"type", "null"}});
    schema["description"] = member.doc;
    if (swept && member.present()) {
      if (const Json value = member.write(); !value.is_null()) schema["default"] = value;
    }
    properties[member.key] = schema;
  });
  return {{"type", "object"}, {"additionalProperties", false}, {"properties", properties}};
}

Json scalar_schema(const char* type, const Allowed& allowed) {
  Json schema = {{"type", type}};
  if (std::isfinite(allowed.min)) schema[allowed.min_excluded ? "exclusiveMinimum" : "minimum"] = allowed.min;
  if (std::isfinite(allowed.max)) schema["maximum"] = allowed.max;
  if (!allowed.choices.empty()) schema["enum"] = allowed.choices;
  return schema;
}

Json series_definitions() {
  Json definitions = Json::object();
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

void refuse_options_of_others(const std::vector<OwnedOption>& options, const std::string& kind,
                              const std::string& place, const std::string& with) {
  for (const OwnedOption& option : options) {
    if (!option.given || std::count(option.owners.begin(), option.owners.end(), kind) > 0) continue;
    throw ConfigError(place + "/" + option.key,
                      fmt::format("{} \"{}\"; use it with {}", with, kind, fmt::join(option.owners, ", ")));
  }
}

}  // namespace elmx
