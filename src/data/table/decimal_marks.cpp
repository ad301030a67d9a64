#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/printable.hpp"
#include "data/table/infer.hpp"

namespace elmx {
namespace {

constexpr std::size_t kLongestExample = 40;

/// The possible decimal marks of the numbers of a column.
struct Readings {
  bool point = true, comma = true;        // all numbers can be read with this decimal mark
  const DistinctText* differs = nullptr;  // a text whose value depends on the decimal mark
  double with_point = 0, with_comma = 0;  // the two values of `differs`
  std::size_t points = 0;                 // distinct numbers with a point
  bool whole = false;                     // there are numbers without a point, ...
  bool large = false;                     // ... and some have four or more digits before a decimal comma

  /// Returns true if the points may be between thousands: "1.234", "989", "12.345". A column of measurements
  /// nearly always has a number with fewer decimals or a zero before the point. always: also without whole
  /// numbers.
  bool may_have_thousands(bool always) const { return point && comma && points > 1 && !large && (whole || always); }
};

Readings readings_of(const ColumnTexts& texts, const ColumnProfile& p) {
  Readings readings;
  if (texts.stores_numbers() && !texts.stores_whole_only()) {
    readings.point = p.spelling.decimal == '.';
    readings.comma = !readings.point;
    return readings;
  }
  const Spelling by_point = best_spelling(texts.distinct(), p.spelling, '.').spelling,
                 by_comma = best_spelling(texts.distinct(), p.spelling, ',').spelling;
  readings.whole = texts.stores_numbers();
  readings.large = std::max(-texts.range().min, texts.range().max) >= 1000;
  for (const DistinctText& text : texts.distinct()) {
    const auto point = number_of(text.text, by_point), comma = number_of(text.text, by_comma);
    if (!point && !comma) continue;
    readings.point = readings.point && point;
    readings.comma = readings.comma && comma;
    const bool has_point = text.text.find('.') != std::string::npos;
    readings.points += has_point;
    readings.whole = readings.whole || !has_point;
    readings.large = readings.large || (!has_point && comma && std::abs(*comma) >= 1000);
    if (!point || !comma || *point == *comma || readings.differs != nullptr) continue;
    readings.differs = &text;
    readings.with_point = *point;
    readings.with_comma = *comma;
  }
  if (!readings.point || !readings.comma) readings.differs = nullptr;
  return readings;
}

bool has_numbers(const RawColumn& column, const ColumnProfile& p) {
  const bool category = column.kind_is_known && column.kind == Kind::category;
  return column.role != Role::dropped && !category && p.mostly_numbers();
}

/// States the decimal and the thousands mark for the next reading, if all numbers of the file can be read
/// with one.
void state_marks(RawTable& table, const std::vector<ColumnProfile>& profiles) {
  std::optional<Spelling> marks;
  const auto is_used = [&](std::size_t j) { return has_numbers(table.columns[j], profiles[j]); };
  for (std::size_t j = 0; j < profiles.size(); ++j) {
    const Spelling& spelling = profiles[j].spelling;
    if (!is_used(j) || (spelling.decimal == '.' && spelling.thousands == '\0')) continue;
    if (marks && marks->decimal != spelling.decimal) return;
    if (!marks || spelling.thousands == ' ' || spelling.thousands == '\'')
      marks = Spelling{spelling.decimal, spelling.thousands, "", ""};
  }
  if (!marks || table.report.dialect.empty()) return;
  for (std::size_t j = 0; j < profiles.size(); ++j) {
    if (!is_used(j)) continue;
    Spelling with_marks = profiles[j].spelling;
    with_marks.decimal = marks->decimal;
    with_marks.thousands = marks->thousands;
    if (table.texts[j].stores_numbers() && profiles[j].spelling.decimal != marks->decimal) return;
    for (const DistinctText& text : table.texts[j].distinct()) {
      if (number_of(text.text, profiles[j].spelling) != number_of(text.text, with_marks)) return;
    }
  }
  table.report.dialect["decimal"] = marks->decimal == ',' ? "comma" : "point";
  if (marks->thousands == ' ' || marks->thousands == '\'')
    table.report.dialect["thousands"] = marks->thousands == ' ' ? "blank" : "apostrophe";
}

}  // namespace

std::vector<std::pair<std::size_t, std::string>> decide_decimal_marks(RawTable& table, const TableOptions& options,
                                                                      std::vector<ColumnProfile>& profiles) {
  std::vector<std::pair<std::size_t, std::string>> undecided;
  std::vector<Readings> readings(profiles.size());
  std::optional<std::size_t> with_comma, with_point;  // columns that show a mark
  for (std::size_t j = 0; j < profiles.size(); ++j) {
    if (!has_numbers(table.columns[j], profiles[j])) continue;
    readings[j] = readings_of(table.texts[j], profiles[j]);
    if (readings[j].comma && !readings[j].point) with_comma = with_comma.value_or(j);
    if (readings[j].point && !readings[j].comma) with_point = with_point.value_or(j);
  }
  const Json& dialect = table.report.dialect;
  // "" = not delimited text
  const std::string separator = dialect.empty() ? "" : dialect.value("separator", "");
  for (std::size_t j = 0; j < profiles.size(); ++j) {
    const RawColumn& column = table.columns[j];
    const Readings& reads = readings[j];
    if (!has_numbers(column, profiles[j]) || column.spelling_is_known || !reads.point || !reads.comma) continue;
    const bool plain = profiles[j].spelling.decimal == '.' && profiles[j].spelling.thousands == '\0';
    char decimal = '\0';
    if (with_comma.has_value() != with_point.has_value()) decimal = with_comma ? ',' : '.';
    if (reads.differs == nullptr && (column.spelling || !plain || decimal != ',')) continue;
    const bool thousands = !separator.empty() && reads.may_have_thousands(separator == "semicolon");
    // A lone "1.234" beside decimal commas is 1234 in most files and 1.234 in some.
    if (reads.differs != nullptr && decimal == ',' && plain && !thousands && !column.spelling) decimal = '\0';
    if (decimal == '\0' && column.spelling) {
      Spelling explicit_spelling = *column.spelling;
      // A model with decimal commas does not say if its file had points between thousands.
      if (options.known && explicit_spelling.decimal == ',') explicit_spelling.thousands = '\0';
      if (finite_number(reads.differs->text, explicit_spelling)) decimal = explicit_spelling.decimal;
    }
    if (decimal == '\0' && plain && !thousands && !column.spelling && !with_comma) decimal = '.';
    if (decimal == '\0') {
      const std::string beside =
          with_comma && !column.spelling
              ? fmt::format(", and column \"{}\" has decimal commas", printable(table.columns[*with_comma].name))
              : "";
      const std::string choice =
          with_comma && !with_point
              ? "\"comma\" (--set data.decimal=comma)"
              : fmt::format("\"comma\" or \"point\" (--set data.decimal={})",
                            std::abs(reads.with_comma) > std::abs(reads.with_point) ? "comma" : "point");
      const std::string mend = options.known
                                   ? "write the numbers of the file with decimal points and no thousands marks"
                                   : "set data.decimal to " + choice;
      undecided.emplace_back(j, fmt::format("\"{}\" in line {} can be read as {} or as {}{}; {}",
                                            printable(reads.differs->text, kLongestExample), reads.differs->line,
                                            shortest(reads.with_comma), shortest(reads.with_point), beside, mend));
      continue;
    }
    RawColumn decided = column;
    decided.spelling = best_spelling(table.texts[j].distinct(), profiles[j].spelling, decimal).spelling;
    decided.spelling_is_known = true;
    if (decided.spelling != profiles[j].spelling)
      profiles[j] = profile_of(decided, table.texts[j], options.missing_values, true);
  }
  state_marks(table, profiles);
  return undecided;
}

}  // namespace elmx
