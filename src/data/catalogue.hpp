#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/config/fields.hpp"
#include "data/options.hpp"

namespace elmx {

/// One file of a data set.
struct CatalogueFile {
  std::string path;
  std::string part = "train";
  std::string sha256;
  std::size_t size = 0;
  std::string packed = "no";
  std::string packed_sha256;
  std::size_t packed_size = 0;
  std::string url;
  std::string mirror;
  std::string member;

  void fields(FieldVisitor& field);
};

/// A known data set: the origin of its files, the options to read them, and the expected sizes.
struct CatalogueEntry : ReadingOptions {
  std::string name;
  std::string title;
  std::string label_strip;
  std::optional<std::size_t> block_mean;
  std::vector<std::string> other_targets;
  std::size_t rows = 0;
  std::size_t features = 0;
  std::size_t train_rows = 0;
  std::vector<CatalogueFile> files;
  std::vector<std::string> notes;
  bool generated = false;  ///< computed by synthetic.hpp; not a field of the file

  void fields(FieldVisitor& field);
};

/// The named data sets: first the entries of data/catalogue.json, then the generated sets.
struct Catalogue {
  std::vector<CatalogueEntry> sets;

  void fields(FieldVisitor& field);

  /// Returns the entry of that name. Throws ConfigError at `place` that suggests the nearest name.
  const CatalogueEntry& find(const std::string& name, const std::string& place = "/data/set") const;
};

/// Reads a catalogue and adds the generated sets. Throws ConfigError: an unknown key or value, a duplicate
/// name, two files of one part, or no training part.
Catalogue read_catalogue(const std::filesystem::path& path);

/// Returns the catalogue that comes with elmx.
Catalogue shipped_catalogue();

}  // namespace elmx
