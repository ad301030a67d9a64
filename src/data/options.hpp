#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/config/fields.hpp"
#include "data/csv/dialect.hpp"
#include "data/formats.hpp"
#include "data/formats/reviews.hpp"
#include "data/images/images.hpp"
#include "data/matlab/array_file.hpp"
#include "data/synthetic.hpp"

namespace elmx {

struct CatalogueEntry;

/// The data of an experiment: a set of the catalogue by name, or the user's own file. The options of a format
/// stand beside its reader; in a config all are members of "data".
struct DataOptions {
  std::string set;
  std::string path;
  std::string test_path;
  ImageOptions images;
  std::optional<std::size_t> block_mean;
  CifarOptions cifar;
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

  template <class F>
  void fields(F& field) {
    field("set", set, "name of a data set of the catalogue (elmx list datasets), real or generated");
    field("path", path, "a file of one's own, in place of \"set\"", a_path());
    field("test_path", test_path, "a second file that holds the test part (split \"fixed\")", a_path());
    images.fields(field);
    field(
        "block_mean", block_mean,
        "IDX, NORB: the inputs are the rounded means of square blocks of pixels, of this side (3 makes 32x32 of 96x96)",
        at_least(2));
    cifar.fields(field);
    field("format", format, "file format of \"path\"", one_of(data_format_names()));
    delimited.fields(field);
    mat.fields(field);
    field("target", target, "target column(s): names, or numbers counted from 1 (negative: from the end)");
    field("drop", drop, "columns that are not read: names or numbers");
    field("nominal", nominal, "columns whose values are categories: names or numbers");
    field("categories", categories,
          "what becomes of categories: a column each (one_hot, the default), or one column of their numbers 0, 1, ... "
          "(codes), "
          "as declared, else in alphabetical order",
          one_of({"one_hot", "codes"}));
    field("task", task, "what the target is", one_of({"regression", "classification"}));
    field("positive", positive, "the positive class of a two-class problem");
    field("missing", missing,
          "what is done with missing values (an empty field, or one of missing_values): refuse the file, drop the row, "
          "or put the mean of the column in the training part (nominal: a category of its own)",
          one_of({"refuse", "drop_rows", "mean"}));
    field(
        "from_disk", from_disk,
        "npy, hdf5, idx: the inputs stay in their file and are read in blocks, never all in memory (true), or are read "
        "into memory (false); without it they stay there where they take more than a quarter of the memory available "
        "and the model can take them so");
    generated.fields(field);
    field("length", length, "reviews: tokens of each, the last ones (200); adding, running_adding: steps (50)",
          at_least(2));
    reviews.fields(field);
  }
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
