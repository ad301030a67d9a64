#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "data/inspect/placeholders.hpp"
#include "data/inspect/spelling.hpp"

namespace elmx {

/// A field as an example, and its line; line 0 = there is none.
struct Example {
  std::string text;
  std::size_t line = 0;
};

/// What the values of a column are.
///
///     empty       none is there
///     number      all are, in one spelling, or most are
///     identifier  a text of its own for most rows, or the row numbers: 0, 1, 2, ... or 1, 2, 3, ...
///     date        all are dates or times
///     constant    one and the same in all rows
///     category    other texts
enum class ColumnType { empty, number, identifier, date, constant, category };

std::string to_string(ColumnType type);

/// What stands in one column of delimited text, seen field by field.
class ColumnProfile {
 public:
  static constexpr std::size_t kMostDistinct = 20'000;  ///< distinct values are counted up to here

  void add(std::string_view field, std::size_t line, const MissingValues& missing_values);

  ColumnType type() const;

  std::size_t rows() const { return values_ + missing_; }
  std::size_t values() const { return values_; }  ///< that are not missing
  std::size_t missing() const { return missing_; }
  std::size_t numbers() const { return numbers_as(Decimal::plain); }
  std::size_t distinct() const { return distinct_.size(); }
  bool all_distinct_counted() const { return distinct_.size() < kMostDistinct; }
  /// Whether some value is this text, as far as distinct values are counted.
  bool has(std::string_view text) const;

  const Example& first() const { return first_; }
  const Example& first_missing() const { return first_missing_; }
  /// A value that is no finite number in that spelling, and all or some of such texts.
  const Example& first_other(Decimal decimal) const { return reading(decimal).first_other; }
  const std::vector<std::string>& others(Decimal decimal) const { return reading(decimal).others.texts(); }
  const std::vector<std::string>& missing_spellings() const { return missing_spellings_; }  ///< other than ""
  const std::vector<std::string>& examples() const { return examples_; }  ///< the first few distinct values

  /// Values that are numbers in that spelling, and whether all are.
  std::size_t numbers_as(Decimal decimal) const { return reading(decimal).numbers; }
  bool is_number_as(Decimal decimal) const { return values_ > 0 && numbers_as(decimal) == values_; }
  bool is_whole_number() const { return is_number_as(Decimal::plain) && whole_; }

  /// The spelling in which most values are numbers; the plain one where it is none the worse.
  Decimal best_decimal() const;

  /// Texts among the numbers that seem to stand for missing values: look like it, or are few kinds among many different
  /// numbers. In the told spelling; plain: in the best one. Empty: there is none, or a text is something else.
  std::vector<std::string> placeholders(Decimal told) const;

  bool has_units() const { return values_ > 0 && with_unit_ == values_; }  ///< all values are numbers with a unit

  /// Whether a value is one number with a decimal point and another with a decimal comma: "1,234", "1.234".
  bool reads_two_ways() const { return ambiguous_.line > 0; }
  const Example& ambiguous() const { return ambiguous_; }

  /// Of the values as numbers in that spelling.
  double min(Decimal decimal) const { return reading(decimal).min; }
  double max(Decimal decimal) const { return reading(decimal).max; }

 private:
  struct Reading {
    std::size_t numbers = 0;
    double min = 0;
    double max = 0;
    FewTexts others;  // that are no finite numbers
    Example first_other;
    void add(const std::optional<double>& number, std::string_view field, std::size_t line);
  };
  const Reading& reading(Decimal decimal) const { return readings_[static_cast<std::size_t>(decimal)]; }

  void add_number(std::string_view field, std::size_t line);
  void add_distinct(std::string_view field);
  bool is_row_number() const;

  std::size_t values_ = 0, missing_ = 0, moments_ = 0, with_unit_ = 0;
  std::size_t values_counted_ = 0;              // of which distinct_ holds all
  std::unordered_set<std::uint64_t> distinct_;  // hashes
  std::array<Reading, 3> readings_;             // by Decimal
  bool steps_by_one_ = true;
  bool whole_ = true;  // all plain numbers are
  double last_ = 0;
  Example first_, first_missing_, ambiguous_;
  std::vector<std::string> missing_spellings_, examples_;
};

}  // namespace elmx
