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
///     empty       there is none
///     number      all are numbers in one spelling, or most are
///     identifier  most rows have a text of their own, or they count the rows: 0, 1, 2, ... or 1, 2, 3, ...
///     date        all are dates or times, or most are
///     constant    all are the same
///     category    other texts
enum class ColumnType { empty, number, identifier, date, constant, category };

inline constexpr std::array<std::string_view, 6> kColumnTypes{"empty", "number",   "identifier",
                                                              "date",  "constant", "category"};

/// The content of a column of texts, computed from its distinct texts.
struct ColumnProfile {
  ColumnType type = ColumnType::empty;
  std::size_t values = 0;   ///< that are not missing
  std::size_t missing = 0;  ///< empty, or a text that stands for a missing value
  std::size_t distinct = 0;
  Spelling spelling;       ///< in which most values are numbers
  NumberRange numbers;     ///< the values that are
  std::size_t bounds = 0;  ///< of them, bounds such as "<0.05"
  std::string first_bound;
  bool counts_rows = false;
  bool many_spellings = false;  ///< different texts are the same number: 1.1 and 1.10
  bool leading_zeros = false;   ///< whole numbers such as 02138
  DateOrder order = DateOrder::day_first;
  bool order_matters = false;       ///< some date is another one, or none, in the other order
  bool order_is_uncertain = false;  ///< the dates can be read month first, too
  std::vector<DatePart> parts;      ///< of dates, if most values are some
  std::optional<DistinctText> first;
  std::vector<DistinctText> others;         ///< values that are no numbers
  std::vector<DistinctText> missing_texts;  ///< that are not empty

  bool all_numbers() const { return values > 0 && numbers.count == values; }
  bool mostly_numbers() const { return 2 * numbers.count > values; }
};

/// told: spelling and date order where they are known.
ColumnProfile profile_of(const ColumnTexts& column, const MissingValues& missing, bool words_are_missing,
                         const RawColumn& told);

/// The value of a text as a number of the column: a number, or a bound; nothing for another text.
std::optional<double> number_of(std::string_view text, const Spelling& spelling);

/// A text file in memory: columns with their roles, and their texts.
struct TextTable {
  std::string origin;  ///< begins the messages
  std::vector<RawColumn> columns;
  std::vector<ColumnTexts> texts;  ///< one for each column
  std::size_t rows = 0;
  /// rows of the file without a value, each by the number of rows before it
  std::vector<std::size_t> gaps = {};
  ReadReport report;
};

/// The profile of each column. A word that can stand for a missing value ("NA", "None") is one in a column of
/// numbers; among categories it is one only if it stands among the numbers of the same file too. Of a new
/// file for a model, it is one unless it is a category of the model.
std::vector<ColumnProfile> profiles_of(const TextTable& table, const TableOptions& options);

/// Decides which decimal mark the numbers of each column have, where the config does not say it. Most columns
/// show it: "1.5" has a point and "1,5" a comma. "1,234" shows nothing, and is decided
///
///     1. by the other columns of the file, if all that show a mark show the same,
///     2. by the column that a model or the first file of the set has, if its spelling reads all numbers.
///
/// "1.234" alone has a point. Gives the columns their profiles in that spelling, and the report the marks for
/// the next reading. Returns the columns that remain undecided, by number, each with what to do.
std::vector<std::pair<std::size_t, std::string>> decide_decimal_marks(TextTable& table, const TableOptions& options,
                                                                      std::vector<ColumnProfile>& profiles);

}  // namespace elmx
