#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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
  std::size_t missing_on_disk = 0;     ///< number of missing values of an input that stays in its file

  void set_known_kind(Kind known) {
    kind = known;
    kind_is_known = true;
  }
};

/// A file, or two concatenated files, in memory, column by column.
struct RawTable {
  std::vector<RawColumn> columns;
  std::size_t rows = 0;
  /// For each row of the file that was left out, the number of kept rows before it.
  std::vector<std::size_t> gaps = {};
  bool sparse = false;  ///< an absent column is zero
  Task task = Task::regression;
  ReadReport report;

  /// Appends the rows of `other`, the second file of the same set. The columns must agree in number and, if
  /// the files have headers, in name; LIBSVM files may differ in their highest index. Throws DataError
  /// ("origin: ...").
  void append(RawTable other, const std::string& origin);
};

}  // namespace elmx
