#include "data/catalogue.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "base/config/json.hpp"
#include "base/error.hpp"
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

/// Throws ConfigError unless `right`.
void require(bool right, const std::string& where, const std::string& found, const char* expected) {
  if (!right) throw ConfigError(where, fmt::format("expected {}, found {}", expected, found));
}

void check_file(const CatalogueFile& file, const std::string& set) {
  require(is_below(file.path), set, fmt::format("path \"{}\"", file.path), "a path below the data directory");
  const std::string where = set + ": " + file.path;
  const bool packed = file.packed != "no" && is_sha256(file.packed_sha256);
  require(is_sha256(file.sha256) || (file.sha256.empty() && packed && file.is_stored_packed()), where,
          fmt::format("sha256 \"{}\"", file.sha256),
          "64 hexadecimal digits, or packed_sha256 for a file that is stored packed");
  require(packed || file.packed_sha256.empty(), where, fmt::format("packed_sha256 \"{}\"", file.packed_sha256),
          "64 hexadecimal digits for a packed file, or nothing");
  require(file.packed != "no" || file.packed_size == 0, where, fmt::format("packed_size {}", file.packed_size),
          "packed_size for packed files only");
  require(file.member.empty() != (file.packed == "tar.gz"), where,
          fmt::format("member \"{}\", packed \"{}\"", file.member, file.packed), "a member for tar.gz, and only there");
}

void check_files(const CatalogueEntry& entry, const std::string& where) {
  std::set<std::string> parts;
  for (const CatalogueFile& file : entry.files) {
    check_file(file, where);
    const bool batch = entry.format == "cifar" && file.part == "train";
    require(parts.insert(file.part).second || batch, where, fmt::format("two files of part \"{}\"", file.part), "one");
  }
  require(parts.contains("train"), where, "none", "a file of part \"train\"");
}

void check(const Catalogue& catalogue, const std::string& origin) {
  std::set<std::string> names;
  for (const CatalogueEntry& entry : catalogue.sets) {
    const std::string where = fmt::format("{}: set \"{}\"", origin, entry.name);
    require(!entry.name.empty() && names.insert(entry.name).second, where, "an empty or a duplicate one",
            "a unique name");
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
  field("task", task, "what the target is", one_of({"regression", "classification"}));
  field("format", format, "file format", one_of(data_format_names()));
  delimited.fields(field);
  field("label_strip", label_strip, "cut from the end of every label");
  mat.fields(field);
  field("block_mean", block_mean,
        "idx, norb: the inputs are the rounded means of square blocks of pixels, of this side", at_least(2));
  field("target", target, "target column(s): names or numbers");
  field("other_targets", other_targets,
        "columns that are targets too: never inputs, read where a config asks for them");
  field("drop", drop, "columns that are not read");
  field("nominal", nominal, "columns whose values are categories");
  field("positive", positive, "the positive class of a two-class problem");
  field("missing", missing, "what is done with missing values", one_of({"refuse", "drop_rows", "mean"}));
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
  std::vector<std::string> known;
  for (const CatalogueEntry& entry : sets) known.push_back(entry.name);
  throw ConfigError(place, fmt::format("unknown data set \"{}\"{}", name, suggest(name, known, "elmx list datasets")));
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
