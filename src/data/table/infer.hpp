#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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
  bool short_years = false;         ///< some dates have a year of two digits
  std::vector<DatePart> parts;      ///< the parts of dates, if most values are dates
  std::optional<DistinctText> first;
  std::vector<DistinctText> others;         ///< values that are not numbers
  std::vector<DistinctText> missing_texts;  ///< nonempty texts that stand for a missing value

  bool all_numbers() const { return values > 0 && numbers.count == values; }
  bool mostly_numbers() const { return 2 * numbers.count > values; }
};

/// Computes the profile of the texts of a column, whose spelling and date order may be known.
ColumnProfile profile_of(const RawColumn& column, const ColumnTexts& texts, const MissingValues& missing,
                         bool words_are_missing);

/// Parses a text as a number or a bound of the column; returns nothing for any other text.
std::optional<double> number_of(std::string_view text, const Spelling& spelling);

/// Computes the profile of each column. A word such as "NA" or "None" is a missing value in a column of
/// numbers. Among categories it is a missing value only if it also occurs among the numbers of the same file,
/// or, in a new file for a model, if it is not a category of the model.
std::vector<ColumnProfile> profiles_of(const RawTable& table, const TableOptions& options);

/// Returns the words that keep a column from being one of numbers with a unit, as "n.d." among "12 kg" and
/// "9 kg": at most three different words, in one row or in at most a tenth of the rows, beside at least three
/// different numbers, all with one unit.
std::vector<DistinctText> words_among_units(const ColumnProfile& p);

/// The task that the values of a target suggest, and the reason in words.
struct TaskGuess {
  bool classes = false;
  std::string why;
};

/// Guesses classes for texts, two values, codes such as 02138, and few whole numbers in a column whose name
/// says so ("class", "type", ...). Other whole numbers are counts.
TaskGuess task_of_target(const ColumnProfile& p, const std::string& name);

/// Infers the decimal mark of each column that the config does not set. Most columns show their mark: "1.5"
/// has a point and "1,5" a comma. "1,234" is ambiguous and is decided
///
///     1. by the other columns of the file, if all columns that show a mark agree,
///     2. by the column of a model or of the first file of the set, if its spelling reads all numbers.
///
/// A lone "1.234" has a decimal point, but beside decimal commas it is undecided. Several such numbers are
/// ambiguous if the file is separated by semicolons or if the column also has whole numbers, all below 1000:
/// "1.234", "989", "2.345". Updates the profiles for the chosen spelling, and adds the marks for the next
/// reading to the report. Returns the numbers of the undecided columns, each with a hint for the user.
std::vector<std::pair<std::size_t, std::string>> decide_decimal_marks(RawTable& table, const TableOptions& options,
                                                                      std::vector<ColumnProfile>& profiles);

/// Turns the texts of a table into values. First infers the kind of each column for which neither the config,
/// the file nor a model states it:
///
///     numbers        in one spelling, a unit included; other texts among them become missing values
///     dates          become parts
///     few texts      become categories
///     other columns  (identifiers, many texts, one text, no value) are left out
///
/// Adds every decision to the report. Throws TableProblems with all reasons why the file cannot be read: a
/// missing value that options.missing refuses, a target without numbers, numbers that can be read in two
/// ways, a text that does not fit the known kind of its column.
void infer_columns(RawTable& table, const TableOptions& options);

}  // namespace elmx
