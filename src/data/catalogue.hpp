#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/config/fields.hpp"
#include "data/csv/dialect.hpp"
#include "data/formats.hpp"
#include "data/matlab/array_file.hpp"

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

  template <class F>
  void fields(F& field) {
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

  /// Returns true if the downloaded file is stored as it is, compressed.
  bool is_stored_packed() const {
    return (packed == "gzip" && path.ends_with(".gz")) || (packed == "compress" && path.ends_with(".Z"));
  }
};

/// A known data set: the origin of its files, the options to read them, and the expected sizes.
struct CatalogueEntry {
  std::string name;
  std::string title;
  std::string task = "regression";
  std::string format = "delimited";
  CsvOptions delimited;
  std::string label_strip;
  MatOptions mat;
  std::optional<std::size_t> block_mean;
  std::vector<std::string> target;
  std::vector<std::string> other_targets;
  std::vector<std::string> drop;
  std::vector<std::string> nominal;
  std::string positive;
  std::string missing = "refuse";
  std::size_t rows = 0;
  std::size_t features = 0;
  std::size_t train_rows = 0;
  std::vector<CatalogueFile> files;
  std::vector<std::string> notes;
  bool generated = false;  ///< computed by synthetic.hpp; not a field of the file

  template <class F>
  void fields(F& field) {
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
};

/// The named data sets: first the entries of data/catalogue.json, then the generated sets.
struct Catalogue {
  std::vector<CatalogueEntry> sets;

  template <class F>
  void fields(F& field) {
    field("sets", sets, "the known data sets");
  }

  /// Returns the entry of that name. Throws ConfigError at `place` that suggests the nearest name.
  const CatalogueEntry& find(const std::string& name, const std::string& place = "/data/set") const;
};

/// Reads a catalogue and adds the generated sets. Throws ConfigError: an unknown key or value, a duplicate
/// name, a file without path or with a malformed checksum.
Catalogue read_catalogue(const std::filesystem::path& path);

/// Returns the catalogue that comes with elmx.
Catalogue shipped_catalogue();

}  // namespace elmx
