#include "experiment/config/layered_config.hpp"

#include <algorithm>
#include <filesystem>

#include "base/config/fields.hpp"
#include "experiment/config/spec.hpp"

namespace elmx {

void LayeredConfig::lay_over(const std::string& file, const Json& values) {
  merge(json, values);
  layers_.push_back({file, values});
  last_file_ = file;
}

void LayeredConfig::assign(const std::string& assignment, const std::string& option) {
  layers_.push_back({option, set_by_path(json, assignment)});
}

bool LayeredConfig::is_value(const std::string& place) const {
  if (!place.starts_with('/')) return false;
  const std::string key = place.substr(1, place.find('/', 1) - 1);
  const bool known = json.contains(key) || std::ranges::count(option_keys<ExperimentOptions>(), key) > 0;
  std::error_code ignored;
  return known && !std::filesystem::is_regular_file(place, ignored);
}

std::string LayeredConfig::source_of(const std::string& place) const {
  std::string source = last_file_, longest;
  for (const Layer& layer : layers_) {
    const std::string part = existing_part(layer.values, place);
    if (part.empty() || part.size() < longest.size()) continue;
    longest = part;
    source = layer.source;
  }
  return source.empty() ? dotted(place) : source + ": " + dotted(place);
}

}  // namespace elmx
