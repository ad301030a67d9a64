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

/// split: not an input; it says how the rows are divided (groups, order, given folds).
enum class Role { input, target, dropped, split };
inline constexpr std::array<std::string_view, 4> kRoles{"input", "target", "dropped", "split"};
enum class Kind { number, category, date };
inline constexpr std::array<std::string_view, 3> kKinds{"number", "category", "date"};
enum class Task { regression, classification };

/// The role of a column of a new file that the model does not have.
inline constexpr std::size_t kNotOfModel = std::numeric_limits<std::size_t>::max();

/// One column of a file. NaN marks a missing value.
struct RawColumn {
  std::string name;
  Role role = Role::input;
  Kind kind = Kind::number;
  bool declared = false;                  ///< the file's header lists the categories: there are no others
  std::vector<std::string> categories;    ///< as declared, else in order of appearance
  std::vector<double> values;             ///< number: the value; category: index into `categories`; date: days since
                                          /// < 1970-01-01; dropped: none
  std::vector<DatePart> parts = {};       ///< of a date: the inputs that it becomes
  std::optional<Spelling> spelling = {};  ///< of its numbers, where it is known before the column is read
  /// the config says the spelling; else it is that of a model, and a hint
  bool spelling_is_known = false;
  std::optional<DateOrder> order = {};  ///< of its dates, where it is known
  /// the config, the file or a model says the kind: nothing is inferred
  bool kind_is_known = false;
  std::size_t of_model = kNotOfModel;  ///< of a new file for a model: the column of the model that it is
  std::size_t missing_on_disk = 0;     ///< of an input whose values stay in a file: how many are missing

  void set_known_kind(Kind known) {
    kind = known;
    kind_is_known = true;
  }
};

/// A file (or two, one after the other) in memory, column by column.
struct RawTable {
  std::vector<RawColumn> columns;
  std::size_t rows = 0;
  /// rows of the file that were left out, each by the number of rows before it
  std::vector<std::size_t> gaps = {};
  bool sparse = false;  ///< a column that is not there is zero
  Task task = Task::regression;
  ReadReport report;

  /// Adds the rows of `other`, the second file of the same set. Its columns are these (by number and, where
  /// the files have a header, by name); LIBSVM files may differ in their highest index. Throws DataError
  /// ("origin: ...").
  void append(RawTable other, const std::string& origin);
};

}  // namespace elmx
