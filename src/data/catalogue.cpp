#include "data/catalogue.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "base/config/json.hpp"
#include "base/error.hpp"
#include "base/files/files.hpp"
#include "data/synthetic.hpp"

namespace elmx {
namespace {

/// Throws ConfigError unless each name is unique, and each set has one file of each part, and a training
/// part.
void check(const Catalogue& catalogue, const std::string& origin) {
  std::set<std::string> names;
  for (const CatalogueEntry& entry : catalogue.sets) {
    const std::string where = fmt::format("{}: set \"{}\"", origin, entry.name);
    if (entry.name.empty() || !names.insert(entry.name).second) throw ConfigError(where, "expected a unique name");
    std::set<std::string> parts;
    for (const CatalogueFile& file : entry.files) {
      if (!parts.insert(file.part).second && (entry.format != "cifar" || file.part != "train"))
        throw ConfigError(where, fmt::format("expected one file of part \"{}\", found two", file.part));
    }
    if (!entry.generated && !parts.contains("train")) throw ConfigError(where, "has no file of part \"train\"");
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

void CatalogueFile::fields(FieldVisitor& field) {
  field("path", path, "where it is stored, below the data directory; \".gz\" at the end: compressed");
  field("part", part, "what it holds; \"cifar\": several files of \"train\"",
        one_of({"train", "test", "train_labels", "test_labels", "class_names"}));
  field("sha256", sha256,
        "SHA-256 of the uncompressed content; \"\" = not known, of a file that is stored as it comes and has "
        "packed_sha256");
  field("size", size, "bytes of the uncompressed content; 0 = not known, at most 1 GiB");
  field("packed", packed,
        "how it comes from its addresses; xlsx: a workbook, whose first sheet becomes CSV; pictures: a zip of grey "
        "pictures, which become a MAT-file",
        one_of({"no", "gzip", "compress", "tar.gz", "xlsx", "pictures"}));
  field("packed_sha256", packed_sha256, "packed: SHA-256 of what comes from them, where it is known");
  field("packed_size", packed_size, "packed: bytes of what comes from them; 0 = not known");
  field("url", url, "the publisher's address; \"\" = the publisher does not serve this content");
  field("mirror", mirror, "a second address, tried where the first fails or serves another content");
  field("member", member, "tar.gz: the file is this member of the archive");
}

void CatalogueEntry::fields(FieldVisitor& field) {
  field("name", name, "what \"set\" calls it");
  field("title", title, "the name it was published under");
  ReadingOptions::fields(field);
  field("label_strip", label_strip, "cut from the end of every label");
  field("block_mean", block_mean,
        "idx, norb: the inputs are the rounded means of square blocks of pixels, of this side", at_least(2));
  field("other_targets", other_targets,
        "columns that are targets too: never inputs, read where a config asks for them");
  field("rows", rows, "rows of all parts together");
  field("features", features, "columns of input, before nominal ones are one-hot encoded");
  field("train_rows", train_rows, "one file that holds both parts: rows of the training part, which come first");
  field("files", files, "files in reading order");
  field("notes", notes, "what one should know before using it");
}

void Catalogue::fields(FieldVisitor& field) { field("sets", sets, "the known data sets"); }

const CatalogueEntry& Catalogue::find(const std::string& name, const std::string& place) const {
  const auto found = std::ranges::find(sets, name, &CatalogueEntry::name);
  if (found != sets.end()) return *found;
  throw ConfigError(
      place, fmt::format("unknown data set \"{}\"{}", name, suggest(name, names_of(sets), "elmx list datasets")));
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
