#include "data/table/profile.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "data/values/text.hpp"

namespace elmx {
namespace {

constexpr std::size_t kRowsThatTell = 5;  // in fewer rows a text of its own for each says nothing
constexpr std::size_t kFewRowNumbers = 10;
constexpr std::size_t kFewCategories = 20;  // as many are no identifiers if some rows share them
constexpr std::size_t kFewNumbers = 50;     // as many are codes that may be spelt in several ways

bool has_leading_zero(std::string_view text) {
  text = without_formula(text);
  return text.size() > 1 && text[0] == '0' && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// The unit that every value has; none if they differ.
Spelling common_unit(const std::vector<DistinctText>& values) {
  const auto unit = unit_of(values.front().text);
  const auto has_it = [&](const DistinctText& value) { return unit_of(value.text) == unit; };
  if (!unit || !std::ranges::all_of(values, has_it)) return {};
  return {'.', '\0', unit->before, unit->behind};
}

/// The values of a column that are dates in one order of day and month.
struct Dates {
  std::size_t count = 0;  // values that are dates
  DateOrder order = DateOrder::day_first;
  bool day = false, time = false, time_alone = false, swaps = false;
  double first = 0, last = 0;

  Dates(const std::vector<DistinctText>& values, DateOrder of_dates) : order(of_dates) {
    for (const DistinctText& value : values) {
      const auto moment = parse_moment(value.text, order);
      if (!moment) continue;
      first = count == 0 ? moment->days : std::min(first, moment->days);
      last = count == 0 ? moment->days : std::max(last, moment->days);
      count += value.count;
      (moment->has_day ? day : time_alone) = true;
      time = time || moment->has_time;
      const auto other = parse_moment(value.text, DateOrder::month_first);
      swaps = swaps || (other && other->days != moment->days);
    }
    if (day && time_alone) count = 0;
  }

  std::vector<DatePart> parts() const {
    std::vector<DatePart> parts;
    if (day) parts.push_back(DatePart::days);
    if (day && last - first > 31) parts.push_back(DatePart::month);
    if (day && last - first >= 7) parts.push_back(DatePart::weekday);
    if (time) parts.push_back(DatePart::hour);
    return parts;
  }
};

/// Dates in the order in which most values are some; day first if both are alike.
void set_dates(const std::vector<DistinctText>& values, const RawColumn& told, ColumnProfile& p) {
  p.order = told.order.value_or(DateOrder::day_first);
  Dates dates(values, p.order);
  p.order_matters = told.order || dates.swaps;
  if (!told.order) {
    const Dates swapped(values, DateOrder::month_first);
    p.order_matters = p.order_matters || swapped.count != dates.count;
    p.order_is_uncertain = dates.swaps && swapped.count == dates.count;
    if (swapped.count > dates.count) dates = swapped;
  }
  if (2 * dates.count <= p.values && told.parts.empty()) return;  // other texts among dates are missing values
  p.order = dates.order;
  p.parts = told.parts.empty() ? dates.parts() : told.parts;
}

/// The spelling of most values. A spelling that is told is taken if it is no worse, its unit in any case, and
/// its marks if the config says them.
Spelling spelling_of(const std::vector<DistinctText>& values, const RawColumn& told, std::size_t count, bool stored) {
  const Spelling of_told = told.spelling.value_or(Spelling());
  const std::size_t by_told = count_numbers(values, of_told);
  const bool has_unit = !of_told.before.empty() || !of_told.behind.empty();
  const Spelling unit = has_unit || stored ? of_told : common_unit(values);
  if (told.spelling_is_known)
    return by_told == count
               ? of_told
               : Spelling{of_told.decimal, of_told.thousands, unit.before, unit.behind, unit.optional_unit};
  const BestSpelling best = best_spelling(values, of_told);
  if (told.spelling && by_told >= best.numbers) return of_told;
  if (stored || has_unit || best.numbers == count) return best.spelling;
  const BestSpelling with = best_spelling(values, unit);
  return with.numbers == count ? with.spelling : best.spelling;
}

bool texts_count_rows(const ColumnTexts& column, const ColumnProfile& profile) {
  if (profile.missing > 0 || profile.distinct != profile.values || profile.values < kFewRowNumbers) return false;
  if (column.stores_numbers()) return column.numbers_count_rows();
  const std::vector<DistinctText>& texts = column.distinct();  // in order of appearance
  const auto first = parse_number(texts.front().text);
  if (!first || (*first != 0 && *first != 1)) return false;
  for (std::size_t k = 0; k < texts.size(); ++k) {
    if (parse_number(texts[k].text) != *first + static_cast<double>(k)) return false;
  }
  return true;
}

ColumnType type_of(const ColumnTexts& column, const ColumnProfile& p, const std::vector<DistinctText>& values) {
  if (p.values == 0) return ColumnType::empty;
  if (p.distinct == 1 && p.values > 1) return ColumnType::constant;
  if (p.counts_rows) return ColumnType::identifier;
  if (p.all_numbers()) return ColumnType::number;
  if (!column.stores_numbers() && !p.parts.empty()) return ColumnType::date;
  if (2 * p.numbers.count > p.values) return ColumnType::number;
  const bool all_differ = values.size() == p.values && p.values >= kRowsThatTell;
  const bool most_differ = values.size() >= kFewCategories && 2 * values.size() > p.values;
  return all_differ || most_differ ? ColumnType::identifier : ColumnType::category;
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

std::optional<double> number_of(std::string_view text, const Spelling& spelling) {
  const auto number = finite_number(text, spelling);
  if (number) return number;
  const auto bound = parse_bound(text, spelling);
  return bound && std::isfinite(*bound) ? bound : std::nullopt;
}

ColumnProfile profile_of(const ColumnTexts& column, const MissingValues& missing, bool words_are_missing,
                         const RawColumn& told) {
  ColumnProfile p;
  std::vector<DistinctText> values;
  for (const DistinctText& text : column.distinct()) {
    const bool is_missing = missing.is_always(text.text) || (words_are_missing && missing.is_word(text.text));
    if (!is_missing) {
      values.push_back(text);
      p.values += text.count;
      continue;
    }
    p.missing += text.count;
    if (!text.text.empty()) p.missing_texts.push_back(text);
  }
  p.distinct = values.size();
  if (!values.empty()) p.first = values.front();
  const bool stored = column.stores_numbers();
  if (stored) {
    p.spelling = column.spelling();
    p.numbers = column.range();
    p.values += p.numbers.count;
    p.distinct += ColumnTexts::kMostDistinct;
    p.counts_rows = p.missing == 0 && values.empty() && column.numbers_count_rows();
    if (!p.first) p.first = DistinctText{"", 0, 0};
    if (values.empty()) p.type = type_of(column, p, values);
  }
  if (values.empty()) return p;

  if (stored && !column.stores_whole_only())
    p.spelling = column.spelling();
  else
    p.spelling = spelling_of(values, told, p.values, stored);
  const bool all_bounds = !stored && count_numbers(values, p.spelling) == 0;  // "<18" and ">65" are categories
  std::set<double> seen;
  for (const DistinctText& value : values) {
    const auto number = all_bounds ? std::nullopt : number_of(value.text, p.spelling);
    if (!number) {
      p.others.push_back(value);
      continue;
    }
    p.numbers.add(*number, value.count);
    if (!finite_number(value.text, p.spelling)) {
      if (p.bounds == 0) p.first_bound = value.text;
      p.bounds += value.count;
    }
    if (values.size() <= kFewNumbers) p.many_spellings |= !seen.insert(*number).second;
    p.leading_zeros |= has_leading_zero(value.text);
  }
  if (!stored) p.counts_rows = texts_count_rows(column, p);
  if (2 * p.numbers.count <= p.values) set_dates(values, told, p);
  p.type = type_of(column, p, values);
  return p;
}

}  // namespace elmx
