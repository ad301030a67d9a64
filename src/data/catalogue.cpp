#include "data/catalogue.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "base/config/json.hpp"
#include "base/error.hpp"
#include "base/named_row.hpp"
#include "base/share.hpp"
#include "data/synthetic.hpp"

namespace elmx {
namespace {

constexpr std::size_t kSha256Digits = 64;

bool is_sha256(const std::string& text) {
  return text.size() == kSha256Digits && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

/// A path that stays below the data directory.
bool is_below(const std::filesystem::path& path) {
  return !path.empty() && path.is_relative() && std::ranges::find(path, "..") == path.end();
}

void check_packing(const CatalogueFile& file, const std::string& where) {
  if (!file.packed_sha256.empty() && (!is_sha256(file.packed_sha256) || file.packed == "no")) {
    throw ConfigError(
        fmt::format("{}: {}: packed_sha256 \"{}\"; 64 hexadecimal digits of a file that is packed are expected", where,
                    file.path, file.packed_sha256));
  }
  if (file.member.empty() == (file.packed == "tar.gz")) {
    throw ConfigError(fmt::format(
        "{}: {}: member \"{}\", packed \"{}\"; the name of a member is expected with tar.gz, and only there", where,
        file.path, file.member, file.packed));
  }
}

void check_files(const CatalogueEntry& entry, const std::string& where) {
  if (entry.files.empty()) throw ConfigError(where + ": no files; at least one is expected");
  std::set<std::string> parts;
  for (const CatalogueFile& file : entry.files) {
    if (!is_below(file.path)) {
      throw ConfigError(fmt::format("{}: path \"{}\"; a path below the data directory is expected", where, file.path));
    }
    if (!is_sha256(file.sha256)) {
      throw ConfigError(
          fmt::format("{}: {}: sha256 \"{}\"; 64 hexadecimal digits are expected", where, file.path, file.sha256));
    }
    check_packing(file, where);
    const bool batch = entry.format == "cifar" && file.part == "train";
    if (!parts.insert(file.part).second && !batch)
      throw ConfigError(fmt::format("{}: two files of part \"{}\"; one is allowed", where, file.part));
  }
  if (!parts.contains("train")) throw ConfigError(where + ": no file of part \"train\"; one is expected");
}

void check(const Catalogue& catalogue, const std::string& origin) {
  std::set<std::string> names;
  for (const CatalogueEntry& entry : catalogue.sets) {
    const std::string where = fmt::format("{}: set \"{}\"", origin, entry.name);
    if (entry.name.empty() || !names.insert(entry.name).second) {
      throw ConfigError(where + ": the name is empty or given twice; a name of its own is expected");
    }
    if (!entry.generated) check_files(entry, where);
  }
}

CatalogueEntry entry_of(const GeneratedSet& set) {
  CatalogueEntry entry;
  entry.name = set.name;
  entry.title = set.title;
  entry.task = set.task == Task::regression ? "regression" : "classification";
  entry.features = set.features;
  entry.generated = true;
  return entry;
}

}  // namespace

const CatalogueEntry& Catalogue::find(const std::string& name, const std::string& place) const {
  return named_row(sets, name, fmt::format("{}: no set \"{}\"", place, name));
}

Catalogue read_catalogue(const std::filesystem::path& path) {
  Catalogue catalogue;
  read_options(read_json_file(path), path.string(), catalogue);
  for (const GeneratedSet& set : generated_sets()) catalogue.sets.push_back(entry_of(set));
  check(catalogue, path.string());
  return catalogue;
}

Catalogue shipped_catalogue() { return read_catalogue(share_dir() / "data" / "catalogue.json"); }

}  // namespace elmx
