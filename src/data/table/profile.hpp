#pragma once

#include <optional>
#include <string>
#include <vector>

#include "data/table/column_texts.hpp"
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

std::string to_string(ColumnType type);

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
};

/// told: spelling and date order where they are known.
ColumnProfile profile_of(const ColumnTexts& column, const MissingValues& missing, bool words_are_missing,
                         const RawColumn& told);

/// The value of a text as a number of the column: a number, or a bound; nothing for another text.
std::optional<double> number_of(std::string_view text, const Spelling& spelling);

}  // namespace elmx
