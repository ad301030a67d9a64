#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/table/column_texts.hpp"
#include "data/table/roles.hpp"
#include "data/table/table.hpp"

namespace elmx {

/// The type of a column's values.
///
///     empty       there are no values
///     number      all are numbers in one spelling, or most are
///     identifier  most rows have unique texts, or the values count the rows: 0, 1, 2, ... or 1, 2, 3, ...
///     date        all are dates or times, or most are
///     constant    all are the same
///     category    other texts
enum class ColumnType { empty, number, identifier, date, constant, category };

inline constexpr std::array<std::string_view, 6> kColumnTypes{"empty", "number",   "identifier",
                                                              "date",  "constant", "category"};

/// The content of a column of texts, computed from its distinct texts.
struct ColumnProfile {
  ColumnType type = ColumnType::empty;
  std::size_t values = 0;   ///< number of values that are not missing
  std::size_t missing = 0;  ///< number of empty fields and texts that stand for a missing value
  std::size_t distinct = 0;
  Spelling spelling;       ///< the spelling in which most values are numbers
  NumberRange numbers;     ///< the values that are numbers
  std::size_t bounds = 0;  ///< number of bounds such as "<0.05" among the numbers
  std::string first_bound;
  bool counts_rows = false;
  bool many_spellings = false;  ///< different texts are the same number: 1.1 and 1.10
  bool leading_zeros = false;   ///< whole numbers such as 02138
  DateOrder order = DateOrder::day_first;
  bool order_matters = false;       ///< some date changes or becomes invalid with the other order
  bool order_is_uncertain = false;  ///< the dates can be read month first, too
  std::vector<DatePart> parts;      ///< the parts of dates, if most values are dates
  std::optional<DistinctText> first;
  std::vector<DistinctText> others;         ///< values that are not numbers
  std::vector<DistinctText> missing_texts;  ///< nonempty texts that stand for a missing value

  bool all_numbers() const { return values > 0 && numbers.count == values; }
  bool mostly_numbers() const { return 2 * numbers.count > values; }
};

/// Computes the profile of a column. known: the spelling and date order, if known.
ColumnProfile profile_of(const ColumnTexts& column, const MissingValues& missing, bool words_are_missing,
                         const RawColumn& known);

/// Parses a text as a number or a bound of the column; returns nothing for any other text.
std::optional<double> number_of(std::string_view text, const Spelling& spelling);

/// A text file in memory: the columns with their roles and texts.
struct TextTable {
  std::string origin;  ///< starts the messages
  std::vector<RawColumn> columns;
  std::vector<ColumnTexts> texts;  ///< one for each column
  std::size_t rows = 0;
  /// For each row of the file without a value, the number of rows before it.
  std::vector<std::size_t> gaps = {};
  ReadReport report;
};

/// Computes the profile of each column. A word such as "NA" or "None" is a missing value in a column of
/// numbers. Among categories it is a missing value only if it also occurs among the numbers of the same file,
/// or, in a new file for a model, if it is not a category of the model.
std::vector<ColumnProfile> profiles_of(const TextTable& table, const TableOptions& options);

/// Infers the decimal mark of each column that the config does not set. Most columns show their mark: "1.5"
/// has a point and "1,5" a comma. "1,234" is ambiguous and is decided
///
///     1. by the other columns of the file, if all columns that show a mark agree,
///     2. by the column of a model or of the first file of the set, if its spelling reads all numbers.
///
/// "1.234" alone has a point. Updates the profiles for the chosen spelling, and adds the marks for the next
/// reading to the report. Returns the numbers of the undecided columns, each with a hint for the user.
std::vector<std::pair<std::size_t, std::string>> decide_decimal_marks(TextTable& table, const TableOptions& options,
                                                                      std::vector<ColumnProfile>& profiles);

}  // namespace elmx
