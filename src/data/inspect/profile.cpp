#include "data/inspect/profile.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/printable.hpp"
#include "data/inspect/dates.hpp"
#include "data/table/text.hpp"

namespace elmx {
namespace {

constexpr std::size_t kExamples = 3;
constexpr std::size_t kMissingSpellings = 16;
constexpr std::size_t kLongestExample = 40;
constexpr std::size_t kRowsThatTell = 5;  // in fewer rows a text of its own for each says nothing
constexpr std::size_t kFewRowNumbers = 10;
constexpr std::size_t kFewInNumbers = 5;    // of so many values one may be a text among numbers
constexpr std::size_t kFewCategories = 20;  // as many are no identifiers where some rows share them

void note(std::string_view text, std::size_t most, std::vector<std::string>& list) {
  if (list.size() >= most || std::ranges::find(list, text) != list.end()) return;
  list.emplace_back(text);
}

void set_once(Example& example, std::string_view field, std::size_t line) {
  if (example.line == 0) example = {std::string(field), line};
}

}  // namespace

std::string to_string(ColumnType type) {
  switch (type) {
    case ColumnType::empty:
      return "empty";
    case ColumnType::number:
      return "number";
    case ColumnType::identifier:
      return "identifier";
    case ColumnType::date:
      return "date";
    case ColumnType::constant:
      return "constant";
    case ColumnType::category:
      return "category";
  }
  return "unknown";
}

void ColumnProfile::Reading::add(const std::optional<double>& number, std::string_view field, std::size_t line) {
  if (!number || !std::isfinite(*number)) {
    set_once(first_other, field, line);
    return others.add(field);
  }
  min = numbers == 0 ? *number : std::min(min, *number);
  max = numbers == 0 ? *number : std::max(max, *number);
  ++numbers;
}

void ColumnProfile::add(std::string_view field, std::size_t line, const MissingValues& missing_values) {
  if (missing_values.has(field)) {
    ++missing_;
    set_once(first_missing_, field, line);
    if (!field.empty()) note(field, kMissingSpellings, missing_spellings_);
    return;
  }
  ++values_;
  set_once(first_, field, line);
  add_number(field, line);
  add_distinct(field);
}

void ColumnProfile::add_number(std::string_view field, std::size_t line) {
  const auto plain = parse_number(field);
  const bool finite = plain && std::isfinite(*plain);
  readings_[static_cast<std::size_t>(Decimal::plain)].add(plain, field, line);
  if (finite) {
    steps_by_one_ = steps_by_one_ && (values_ == 1 ? *plain == 0 || *plain == 1 : *plain == last_ + 1);
    last_ = *plain;
    whole_ = whole_ && *plain == std::round(*plain);
  } else {
    steps_by_one_ = false;
  }
  const auto point = parse_number(field, Decimal::point), comma = parse_number(field, Decimal::comma);
  readings_[static_cast<std::size_t>(Decimal::point)].add(point, field, line);
  readings_[static_cast<std::size_t>(Decimal::comma)].add(comma, field, line);
  if (point && comma && *point != *comma) set_once(ambiguous_, field, line);
  if (finite || point || comma) return;
  if (moments_ + 1 >= values_ - numbers()) moments_ += parse_moment(field).has_value();
  if (with_unit_ + 1 == values_) with_unit_ += is_number_with_unit(field);
}

void ColumnProfile::add_distinct(std::string_view field) {
  if (distinct_.size() >= kMostDistinct) return;
  ++values_counted_;
  const bool is_new = distinct_.insert(std::hash<std::string_view>()(field)).second;
  if (is_new && examples_.size() < kExamples) note(field.substr(0, kLongestExample), kExamples, examples_);
}

bool ColumnProfile::has(std::string_view text) const { return distinct_.contains(std::hash<std::string_view>()(text)); }

bool ColumnProfile::is_row_number() const {
  return steps_by_one_ && missing_ == 0 && values_ >= kFewRowNumbers && numbers() == values_;
}

Decimal ColumnProfile::best_decimal() const {
  Decimal best = Decimal::plain;
  for (const Decimal decimal : {Decimal::point, Decimal::comma}) {
    if (numbers_as(decimal) > numbers_as(best)) best = decimal;
  }
  return best;
}

std::vector<std::string> ColumnProfile::placeholders(Decimal told) const {
  const Reading& read = reading(told == Decimal::plain ? best_decimal() : told);
  const bool most = 2 * read.numbers > values_ && read.numbers < values_;
  const bool can_be_said = std::ranges::all_of(read.others.texts(), is_utf8);  // a config is UTF-8
  if (!most || !read.others.are_few() || !can_be_said) return {};
  const bool nearly_all = kFewInNumbers * (values_ - read.numbers) <= values_ && distinct() > kFewCategories;
  const bool seem_missing = nearly_all || std::ranges::all_of(read.others.texts(), is_placeholder);
  return seem_missing ? read.others.texts() : std::vector<std::string>();
}

ColumnType ColumnProfile::type() const {
  if (values_ == 0) return ColumnType::empty;
  if (distinct() == 1 && values_ > 1) return ColumnType::constant;
  if (is_row_number()) return ColumnType::identifier;
  if (is_number_as(Decimal::plain) || is_number_as(Decimal::point) || is_number_as(Decimal::comma))
    return ColumnType::number;
  if (moments_ == values_) return ColumnType::date;
  if (2 * numbers_as(best_decimal()) > values_) return ColumnType::number;
  const bool all_differ = distinct() == values_counted_ && values_ >= kRowsThatTell;
  const bool most_differ = distinct() >= kFewCategories && 2 * distinct() > values_counted_;
  return all_differ || most_differ ? ColumnType::identifier : ColumnType::category;
}

}  // namespace elmx
