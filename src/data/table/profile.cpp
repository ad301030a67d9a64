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
  NumberRange days;  // of the values that are dates
  DateOrder order = DateOrder::day_first;
  bool day = false, time = false, time_alone = false, swaps = false;

  Dates(const std::vector<DistinctText>& values, DateOrder of_dates) : order(of_dates) {
    for (const DistinctText& value : values) {
      const auto moment = parse_moment(value.text, order);
      if (!moment) continue;
      days.add(moment->days, value.count);
      (moment->has_day ? day : time_alone) = true;
      time = time || moment->has_time;
      const auto other = parse_moment(value.text, DateOrder::month_first);
      swaps = swaps || (other && other->days != moment->days);
    }
    if (day && time_alone) days.count = 0;
  }

  std::vector<DatePart> parts() const {
    std::vector<DatePart> parts;
    if (day) parts.push_back(DatePart::days);
    if (day && days.max - days.min > 31) parts.push_back(DatePart::month);
    if (day && days.max - days.min >= 7) parts.push_back(DatePart::weekday);
    if (time) parts.push_back(DatePart::hour);
    return parts;
  }
};

/// Dates in the order in which most values are some; day first if both are alike.
void set_dates(const std::vector<DistinctText>& values, const RawColumn& known, ColumnProfile& p) {
  p.order = known.order.value_or(DateOrder::day_first);
  Dates dates(values, p.order);
  p.order_matters = known.order || dates.swaps;
  if (!known.order) {
    const Dates swapped(values, DateOrder::month_first);
    p.order_matters = p.order_matters || swapped.days.count != dates.days.count;
    p.order_is_uncertain = dates.swaps && swapped.days.count == dates.days.count;
    if (swapped.days.count > dates.days.count) dates = swapped;
  }
  // other texts among dates are missing values
  if (2 * dates.days.count <= p.values && known.parts.empty()) return;
  p.order = dates.order;
  p.parts = known.parts.empty() ? dates.parts() : known.parts;
}

/// Returns the spelling that fits most values. An explicit spelling is used if it fits at least as many
/// values; its unit is always used, and its marks if they are known from the config.
Spelling spelling_of(const std::vector<DistinctText>& values, const RawColumn& known, std::size_t count, bool stored) {
  const Spelling explicit_spelling = known.spelling.value_or(Spelling());
  const std::size_t explicit_count = count_numbers(values, explicit_spelling);
  const bool has_unit = !explicit_spelling.before.empty() || !explicit_spelling.behind.empty();
  const Spelling unit = has_unit || stored ? explicit_spelling : common_unit(values);
  if (known.spelling_is_known)
    return explicit_count == count ? explicit_spelling
                                   : Spelling{explicit_spelling.decimal, explicit_spelling.thousands, unit.before,
                                              unit.behind, unit.optional_unit};
  const BestSpelling best = best_spelling(values, explicit_spelling);
  if (known.spelling && explicit_count >= best.numbers) return explicit_spelling;
  if (stored || has_unit || best.numbers == count) return best.spelling;
  const BestSpelling with = best_spelling(values, unit);
  return with.numbers == count ? with.spelling : best.spelling;
}

bool texts_count_rows(const ColumnTexts& column, const ColumnProfile& profile) {
  if (profile.missing > 0 || profile.distinct != profile.values || profile.values < kFewRowNumbers) return false;
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
  if (p.mostly_numbers()) return ColumnType::number;
  const bool all_differ = values.size() == p.values && p.values >= kRowsThatTell;
  const bool most_differ = values.size() >= kFewCategories && 2 * values.size() > p.values;
  return all_differ || most_differ ? ColumnType::identifier : ColumnType::category;
}

}  // namespace

std::optional<double> number_of(std::string_view text, const Spelling& spelling) {
  const auto number = finite_number(text, spelling);
  if (number) return number;
  const auto bound = parse_bound(text, spelling);
  return bound && std::isfinite(*bound) ? bound : std::nullopt;
}

ColumnProfile profile_of(const ColumnTexts& column, const MissingValues& missing, bool words_are_missing,
                         const RawColumn& known) {
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
    p.numbers = column.range();
    p.values += p.numbers.count;
    p.distinct += ColumnTexts::kMostDistinct;
    p.counts_rows = p.missing == 0 && values.empty() && column.numbers_count_rows();
    if (!p.first) p.first = DistinctText{"", 0, 0};
  }
  const bool spelling_is_stored = stored && (values.empty() || !column.stores_whole_only());
  if (spelling_is_stored)
    p.spelling = column.spelling();
  else if (!values.empty())
    p.spelling = spelling_of(values, known, p.values, stored);
  // "<18" and ">65" are categories
  const bool all_bounds = !stored && count_numbers(values, p.spelling) == 0;
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
  if (!stored && !values.empty()) p.counts_rows = texts_count_rows(column, p);
  if (!p.mostly_numbers()) set_dates(values, known, p);
  p.type = type_of(column, p, values);
  return p;
}

std::vector<ColumnProfile> profiles_of(const TextTable& table, const TableOptions& options) {
  const MissingValues& missing = options.missing_values;
  const auto is_word = [&](const DistinctText& text) { return missing.is_word(text.text); };
  std::vector<ColumnProfile> profiles;
  MissingValues of_file = missing;  // with the words that stand among numbers
  for (std::size_t j = 0; j < table.columns.size(); ++j) {
    const ColumnProfile& p = profiles.emplace_back(profile_of(table.texts[j], missing, true, table.columns[j]));
    if (!p.mostly_numbers() || table.columns[j].role == Role::dropped) continue;
    for (const DistinctText& text : p.missing_texts) {
      if (is_word(text)) of_file.always.push_back(text.text);
    }
  }
  for (std::size_t j = 0; j < table.columns.size(); ++j) {
    const RawColumn& column = table.columns[j];
    MissingValues of_column = of_file;
    if (options.known && column.kind == Kind::category) {
      of_column = missing;
      for (const std::string& word : missing.words) {
        if (column.of_model != kNotOfModel &&
            std::ranges::count(options.known->columns[column.of_model].categories, word) == 0)
          of_column.always.push_back(word);
      }
    } else if (profiles[j].mostly_numbers() || std::ranges::none_of(profiles[j].missing_texts, is_word)) {
      continue;
    }
    profiles[j] = profile_of(table.texts[j], of_column, false, column);
  }
  return profiles;
}

}  // namespace elmx
