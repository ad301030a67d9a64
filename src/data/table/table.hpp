#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/config/fields.hpp"
#include "data/table/column_texts.hpp"
#include "data/table/read_report.hpp"
#include "data/values/dates.hpp"
#include "data/values/spelling.hpp"

namespace elmx {

/// The role of a column. split: not an input; determines how the rows are divided (groups, order, given
/// folds).
enum class Role { input, target, dropped, split };
inline constexpr std::array<std::string_view, 4> kRoles{"input", "target", "dropped", "split"};
enum class Kind { number, category, date };
inline constexpr std::array<std::string_view, 3> kKinds{"number", "category", "date"};
enum class Task { regression, classification };

/// Marks a column or category that the model does not have.
inline constexpr std::size_t kNotOfModel = std::numeric_limits<std::size_t>::max();

/// The category of missing values.
inline constexpr const char* kMissingCategory = "?";

/// One column of a file. NaN marks a missing value.
struct RawColumn {
  std::string name;
  Role role = Role::input;
  Kind kind = Kind::number;
  bool declared = false;                ///< the file's header lists all categories
  std::vector<std::string> categories;  ///< as declared, else in order of appearance
  /// Number: the value; category: index into `categories`; date: days since 1970-01-01; dropped: empty.
  std::vector<double> values;
  std::vector<DatePart> parts = {};       ///< the inputs that a date becomes
  std::optional<Spelling> spelling = {};  ///< the spelling of numbers, if known before the column is read
  /// The spelling is certain; otherwise it comes from a model and is only a hint.
  bool spelling_is_known = false;
  std::optional<DateOrder> order = {};  ///< the order of day and month in dates, if known
  /// The config, the file or a model states the kind, so that nothing is inferred.
  bool kind_is_known = false;
  std::size_t of_model = kNotOfModel;  ///< new file for a model: the index of the model's column
  bool kept = false;                   ///< new file for a model: an input or a target whose texts are kept
  std::size_t missing_on_disk = 0;     ///< number of missing values of an input that stays in its file

  void set_known_kind(Kind known) {
    kind = known;
    kind_is_known = true;
  }
};

/// A file, or two concatenated files, in memory, column by column.
struct RawTable {
  std::string origin;  ///< starts the messages
  std::vector<RawColumn> columns;
  std::vector<ColumnTexts> texts = {};  ///< text files: the columns as text, until they are converted
  std::size_t rows = 0;
  /// For each row of the file that was left out, the number of kept rows before it.
  std::vector<std::size_t> gaps = {};
  bool sparse = false;  ///< an absent column is zero
  Task task = Task::regression;
  ReadReport report;
  std::string sha256 = {};  ///< the checksum of the content

  /// Appends the rows of `other`, the second file of the same set. The columns must agree in number and, if
  /// the files have headers, in name; LIBSVM files may differ in their highest index. Throws DataError
  /// ("place: ...").
  void append(RawTable other, const std::string& place);
};

/// One column of a model's training file, with all facts that turn a column of another file into the same
/// inputs.
struct KnownColumn {
  std::string name;
  std::string role = "input";
  bool nominal = false;
  std::vector<std::string> categories;
  std::optional<std::string> decimal = std::nullopt;
  std::optional<std::string> thousands = std::nullopt;
  std::optional<std::vector<std::string>> unit = std::nullopt;
  std::optional<std::vector<std::string>> date_parts = std::nullopt;
  std::optional<std::string> date_order = std::nullopt;
  /// The least and the largest value of an input of numbers or dates in memory; none for sparse tables.
  std::optional<std::vector<double>> range = std::nullopt;

  void fields(FieldVisitor& field);
};

/// Describes a column for a model. Its categories become inputs or codes in the declared order, else in
/// alphabetical order.
KnownColumn known_column(const RawColumn& column);

/// Extends the range of a column by the values of another column; NaN is passed over.
void extend_range(KnownColumn& column, const std::vector<double>& values);

/// Returns true for a column with one mark in some rows, such as "x". A missing value means the others.
bool marks_rows(const KnownColumn& column);

/// Maps the categories of a column to the categories of the model, and appends the place of a missing value.
/// kNotOfModel marks a category that the model does not have.
std::vector<std::size_t> places_in_model(const std::vector<std::string>& categories, const KnownColumn& model);

/// Returns the names of the columns of X that an input becomes: "width", "when:month", "kind=car". codes:
/// categories are numbers.
std::vector<std::string> input_names(const KnownColumn& column, bool codes);

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

/// The column that determines how rows are divided; name "" = none. It is not an input, and its values are
/// kept unchanged.
struct SplitColumn {
  std::string name;   ///< or its number
  std::string place;  ///< the option that names the column, "/split/group"
};

/// The options for reading the tables of a set, common to options.hpp (a user's file) and catalogue.hpp (a
/// known set). Columns are given by name, or by number from 1 (negative: from the end).
struct TableOptions {
  std::vector<std::string> target;
  std::vector<std::string> other_targets;  ///< columns that are never inputs, even if they are not the target
  std::vector<std::string> drop;
  std::vector<std::string> nominal;
  bool codes = false;  ///< categories as numbers 0, 1, ... in place of one column each
  Task task = Task::regression;
  std::string missing = "refuse";
  std::string label_strip;
  MissingValues missing_values = MissingValues::usual();  ///< for delimited text, ARFF and KEEL
  SplitColumn split = {};
  /// For a new file for a model: the model's columns, which replace the options above.
  std::shared_ptr<const KnownFile> known = nullptr;
  /// While the second file of a set is read: the columns of the first one, whose roles and kinds it has.
  const std::vector<RawColumn>* first_file = nullptr;

  bool guess_target = false;        ///< choose the target, if none is named
  bool guess_task = false;          ///< infer the task from the values of the target, in place of `task`
  bool drop_uninformative = false;  ///< leave out row numbers and columns with one value

  /// Returns true if the kind of a column may be inferred.
  bool infers() const { return !known && first_file == nullptr; }
};

/// Sets the role of each column of a file and, if known, its kind. `default_target` (names) applies if the
/// options name no target. Throws ConfigError: no such column, an ambiguous name, no target, several targets
/// of a classification, a column that is both target and dropped, a nominal regression target.
///
/// A new file for a model may have its columns in any order: they are found by their names. A file without
/// names matches by place, with or without the targets, and its columns get the model's names. Throws
/// DataError: a model column that is missing or appears twice; for sparse data also a column that the model
/// lacks.
void assign_roles(std::vector<RawColumn>& columns, const TableOptions& options,
                  const std::vector<std::string>& default_target = {});

/// Throws DataError if two used columns have the same name: one could be an input that is the target.
void refuse_equal_names(const RawTable& table);

/// Throws DataError if a row of texts repeats the names of the columns, as in files that were put together of
/// several. Names that are numbers show nothing.
void refuse_repeated_names(const RawTable& table);

/// Returns the name of a column in a config: its name, or its number if the name is not unique or not UTF-8.
std::string name_in_config(const std::vector<std::string>& names, std::size_t j);

/// Returns columns for a file without a header: column1, column2 ...
std::vector<RawColumn> unnamed_columns(std::size_t count);

}  // namespace elmx
