#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/config/fields.hpp"
#include "data/table/table.hpp"

namespace elmx {

/// The category of missing values.
inline constexpr const char* kMissingCategory = "?";

/// One column of a model's training file, with all facts that turn a column of another file into the same
/// inputs.
struct KnownColumn {
  std::string name;
  std::string role = "input";
  bool nominal = false;
  std::vector<std::string> categories;
  std::optional<double> mean;
  std::optional<std::string> decimal = std::nullopt;
  std::optional<std::string> thousands = std::nullopt;
  std::optional<std::vector<std::string>> unit = std::nullopt;
  std::optional<std::vector<std::string>> date_parts = std::nullopt;
  std::optional<std::string> date_order = std::nullopt;

  void fields(FieldVisitor& field);

  /// Set and return the spelling of numbers.
  void set_spelling(const Spelling& spelling);
  Spelling spelling() const;
};

/// Describes a column for a model. Its categories become inputs or codes in the declared order, else in
/// alphabetical order.
KnownColumn known_column(const RawColumn& column);

/// Returns the output names of a regression: the target columns of its file, else y or y1, y2, ...
std::vector<std::string> target_names(const std::vector<KnownColumn>& columns, std::size_t outputs);

/// A new file for a model, and the columns that it must have.
struct KnownFile {
  std::string origin;                ///< starts the messages
  std::vector<KnownColumn> columns;  ///< all columns of the training file
  bool sparse = false;               ///< an input that the file lacks is zero
  bool targets = true;               ///< false: targets are not read
  /// The rows come from the training file: the spelling of numbers is exactly the same.
  bool same_file = false;
  /// Refuse a value that the model does not know, instead of imputing it.
  bool strict = false;
  std::vector<std::string> keep = {};  ///< columns whose texts are kept beside the inputs
};

/// Matches each column of a new file to a column of the model, and sets the role and kind of the model's
/// column. Columns match by name, in any order. A file without names matches by place, with or without the
/// targets, and its columns get the model's names. Throws DataError: a model column that is missing or
/// appears twice; for sparse data also a column that the model lacks. Throws ConfigError: a column to keep
/// that does not exist or that the model uses.
void assign_known_roles(std::vector<RawColumn>& columns, const KnownFile& known);

/// Returns the names of the columns of X that an input becomes: "width", "when:month", "kind=car". codes:
/// categories are numbers.
std::vector<std::string> input_names(const KnownColumn& column, bool codes);

}  // namespace elmx
