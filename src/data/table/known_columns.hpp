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

  template <class F>
  void fields(F& field) {
    field("name", name, "of the column");
    field("role", role, "what it is", one_of({"input", "target", "dropped"}));
    field("nominal", nominal, "its values are categories");
    field("categories", categories, "of an input, in the order of their columns or numbers");
    field("mean", mean, "what takes the place of a missing value, in models of format 1");
    field("decimal", decimal, "the decimal mark of its numbers, where some have thousands separators or commas",
          one_of({"point", "comma"}));
    field("thousands", thousands, "the thousands mark of its numbers, if it is no point or comma");
    field("unit", unit, "what stands before and behind each number");
    field("date_parts", date_parts, "the inputs that a date becomes");
    field("date_order", date_order, "of day and month in dates such as 3/4/2024", one_of({"day_first", "month_first"}));
  }

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
