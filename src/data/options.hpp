#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/config/fields.hpp"
#include "data/arrays/array_file.hpp"
#include "data/csv/dialect.hpp"
#include "data/formats.hpp"
#include "data/formats/reviews.hpp"
#include "data/images/images.hpp"
#include "data/synthetic.hpp"

namespace elmx {

struct CatalogueEntry;

/// Options of reading samples from files, for a set of the catalogue and for the user's own file. The options
/// of a format stand beside its reader.
struct ReadingOptions {
  std::string format = "delimited";
  CsvOptions delimited;
  MatOptions mat;
  std::vector<std::string> target;
  std::vector<std::string> drop;
  std::vector<std::string> nominal;
  std::optional<std::string> categories;
  std::string task = "regression";
  std::string positive;
  std::string missing = "refuse";

  void fields(FieldVisitor& field);
};

/// The data of an experiment: a set of the catalogue by name, or the user's own file. In a config all options
/// are members of "data".
struct DataOptions : ReadingOptions {
  std::string set;
  std::string path;
  std::string test_path;
  ImageOptions images;
  std::optional<std::size_t> block_mean;
  CifarOptions cifar;
  std::optional<bool> from_disk;
  GeneratedOptions generated;
  std::optional<std::size_t> length;
  ReviewOptions reviews;
  Json given;  ///< "data" as written in the config, to detect options without effect; null = not known

  /// Returns the options that determine the samples: all except "from_disk".
  Json identity() const {
    Json members = write_options(*this);
    members.erase("from_disk");
    return members;
  }

  void fields(FieldVisitor& field);
};

/// Flattens the object with the options of a format, {"path": "f.txt", "csv": {"separator": "tab"}}: moves
/// its members into `data`, as in DataOptions, and sets "format". Throws ConfigError: two formats, a key that
/// the format does not have.
void unfold_format(Json& data, const std::string& place);

/// Returns the JSON Schemas of these objects, by name.
Json format_schemas();

/// Throws ConfigError unless exactly one of "set" and "path" is given, or if a given option has no effect on
/// the data. `entry` is the entry of the catalogue; null = the user's own file.
void refuse_foreign_options(const DataOptions& options, const CatalogueEntry* entry = nullptr);

}  // namespace elmx
