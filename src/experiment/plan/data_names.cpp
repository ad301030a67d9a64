#include "experiment/plan/data_names.hpp"

#include <fmt/core.h>

#include <filesystem>
#include <set>

#include "base/files/files.hpp"

namespace elmx {
namespace {

/// Returns the path of a file, with "./" before a path without folder, so that it differs from the names of
/// sets.
std::string whole_path(const DataOptions& data) {
  if (data.path == kStandardInput) return fmt::format("./{}", kNameOfStandardInput);
  const std::filesystem::path path = std::filesystem::path(data.path).lexically_normal();
  return path.has_parent_path() ? path.string() : "./" + path.string();
}

/// The last `parts` parts of a path.
std::string end_of(const std::string& path, std::size_t parts) {
  std::size_t slash = path.size();
  for (; parts > 0; --parts) {
    slash = slash == 0 ? std::string::npos : path.rfind('/', slash - 1);
    if (slash == std::string::npos) return path;
  }
  return path.substr(slash + 1);
}

}  // namespace

std::string DataNames::key(const DataOptions& data) { return data.set.empty() ? whole_path(data) : "set " + data.set; }

DataNames::DataNames(const std::vector<CaseSpec>& specs) {
  std::set<std::string> taken;
  std::map<std::string, std::string> paths;  // that still need a name, by key
  for (const CaseSpec& spec : specs) {
    const DataOptions& data = spec.options.data;
    if (!data.set.empty())
      taken.insert(names_[key(data)] = data.set);
    else
      paths[key(data)] = whole_path(data);
  }
  for (std::size_t parts = 1; !paths.empty(); ++parts) {
    std::map<std::string, std::size_t> times;
    for (const auto& [key, path] : paths) ++times[end_of(path, parts)];
    std::erase_if(paths, [&](const auto& of) {
      const std::string name = end_of(of.second, parts);
      const bool alone = times[name] == 1 && !taken.contains(name);
      if (alone || name == of.second) names_[of.first] = name;
      return alone || name == of.second;
    });
    for (const auto& [key, name] : names_) taken.insert(name);
  }
}

}  // namespace elmx
