#include "data/options.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "base/config/owned_options.hpp"
#include "base/error.hpp"

namespace elmx {
namespace {

/// Returns the key of a format's options: the name of the format, or "csv" for delimited text.
std::string tag_of(const DataFormat& format) { return format.name == "delimited" ? "csv" : format.name; }

/// The options that a format has for itself.
std::vector<std::string> own_options(const DataFormat& format) {
  if (format.name == "delimited") {
    const std::vector<const char*> keys = option_keys<CsvOptions>();
    return {keys.begin(), keys.end()};
  }
  std::vector<std::string> keys = format.options;
  std::erase_if(keys, [](const std::string& key) {
    return key == "test_path" || key == "target" || key == "drop" || key == "nominal" || key == "from_disk";
  });
  return keys;
}

}  // namespace

void unfold_format(Json& data, const std::string& place) {
  if (!data.is_object()) return;
  std::string found;
  for (const DataFormat& format : data_formats()) {
    const std::string tag = tag_of(format);
    if (!data.contains(tag)) continue;
    if (!found.empty())
      throw ConfigError(fmt::format("{}: options of two formats, \"{}\" and \"{}\"; use one", place, found, tag));
    if (data.contains("format") && data["format"] != format.name)
      throw ConfigError(fmt::format("{}/{}: \"format\" says {}; use one of both", place, tag, data["format"].dump()));
    found = tag;
    const Json options = data[tag];
    require_object(options, place + '/' + tag);
    const std::vector<std::string> own = own_options(format);
    data.erase(tag);
    data["format"] = format.name;
    for (const auto& [key, value] : options.items()) {
      if (std::ranges::count(own, key) == 0)
        throw ConfigError(fmt::format("{}/{}/{}: unknown key{}", place, tag, key, suggest(key, own)));
      if (data.contains(key)) throw ConfigError(fmt::format("{}/{}: stands beside \"{}\" and in it", place, key, tag));
      data[key] = value;
    }
  }
}

Json format_schemas() {
  const Json all = schema_of<DataOptions>()["properties"];
  Json schemas = Json::object();
  for (const DataFormat& format : data_formats()) {
    Json properties = Json::object();
    for (const std::string& key : own_options(format)) properties[key] = all.at(key);
    schemas[tag_of(format)] = {{"type", "object"},
                               {"additionalProperties", false},
                               {"properties", properties},
                               {"description", "options of " + format.name + ": " + format.doc}};
  }
  return schemas;
}

}  // namespace elmx
