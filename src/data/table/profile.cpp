#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "base/printable.hpp"
#include "data/table/infer.hpp"
#include "data/values/text.hpp"

namespace elmx {
namespace {

constexpr std::size_t kRowsThatTell = 5;  // in fewer rows a text of its own for each says nothing
constexpr std::size_t kFewRowNumbers = 10;
constexpr std::size_t kFewCategories = 20;  // fewer texts, shared by rows, are no identifier
constexpr std::size_t kFewNumbers = 50;     // as many are codes that may be spelt in several ways
constexpr std::size_t kFewRows = 10;        // of two values in fewer rows nothing is known
constexpr std::size_t kMostClasses = 10;    // of numbers that may be classes
constexpr std::size_t kRowsOfClass = 5;     // on average, of numbers that may be classes
constexpr std::size_t kFewCodes = 20;
// Words among numbers with a unit (words_among_units).
constexpr std::size_t kMostWords = 3, kValuesOfWord = 10, kFewestNumbers = 3;

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
  bool day = false, time = false, time_alone = false, swaps = false, short_years = false;
  bool others = false;  // some values are no dates
  bool periods = false, seasons = true, single_days = false;

  Dates(const std::vector<DistinctText>& values, DateOrder of_dates) : order(of_dates) {
    for (const DistinctText& value : values) {
      const auto moment = parse_moment(value.text, order);
      others = others || !moment;
      if (!moment) continue;
      days.add(moment->days, value.count);
      (moment->has_day ? day : time_alone) = true;
      time = time || moment->has_time;
      periods = periods || moment->is_period;
      seasons = seasons && moment->is_season;
      single_days = single_days || (moment->has_day && !moment->is_period);
      short_years = short_years || moment->short_year;
      const auto other = parse_moment(value.text, DateOrder::month_first);
      swaps = swaps || (other && other->days != moment->days);
    }
    // "2005-06" is a month only if all values are months or dates, and not all are seasons.
    if ((day && time_alone) || (periods && (others || seasons))) days.count = 0;
  }

  /// A periodic part needs one full period. Within a year, days - 30.4 month is nearly the day of the month:
  /// weights that use it fail for the next year, in which the months begin again. For the same reason month
  /// and day of the month are not used together, since the training part of a fold may be shorter than a
  /// year.
  std::vector<DatePart> parts() const {
    const double span = days.max - days.min;
    std::vector<DatePart> parts;
    if (day) parts.push_back(DatePart::days);
    if (day && span >= 365)
      parts.push_back(DatePart::month);
    else if (single_days && span >= 31)
      parts.push_back(DatePart::day_of_month);
    if (single_days && span >= 7) parts.push_back(DatePart::weekday);
    if (time) parts.push_back(DatePart::hour);
    return parts;
  }
};

/// Chooses the order of day and month in which most values are dates; day first if both orders fit alike.
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
  p.short_years = dates.short_years;
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

ColumnType type_of(const std::vector<DistinctText>& values, bool stored, const ColumnProfile& p) {
  if (p.values == 0) return ColumnType::empty;
  if (p.distinct == 1 && p.values > 1) return ColumnType::constant;
  if (p.counts_rows) return ColumnType::identifier;
  if (p.all_numbers()) return ColumnType::number;
  if (!stored && !p.parts.empty()) return ColumnType::date;
  if (p.mostly_numbers()) return ColumnType::number;
  const bool all_differ = values.size() == p.values && p.values >= kRowsThatTell;
  const bool most_differ = values.size() >= kFewCategories && 2 * values.size() > p.values;
  return all_differ || most_differ ? ColumnType::identifier : ColumnType::category;
}

/// The word in the name of a column that says that its values are classes; "" if there is none.
std::string_view word_for_classes(std::string_view name) {
  constexpr std::array<std::string_view, 13> words{"class",   "label",   "type",   "categor", "kind",
                                                   "species", "cluster", "group",  "code",    "status",
                                                   "diagnos", "outcome", "segment"};
  std::string lower(name);
  std::ranges::transform(lower, lower.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  for (const std::string_view word : words) {
    if (lower.find(word) != std::string::npos) return word;
  }
  return "";
}

}  // namespace

std::optional<double> number_of(std::string_view text, const Spelling& spelling) {
  const auto number = finite_number(text, spelling);
  if (number) return number;
  const auto bound = parse_bound(text, spelling);
  return bound && std::isfinite(*bound) ? bound : std::nullopt;
}

ColumnProfile profile_of(const RawColumn& column, const ColumnTexts& texts, const MissingValues& missing,
                         bool words_are_missing) {
  ColumnProfile p;
  std::vector<DistinctText> values;
  for (const DistinctText& text : texts.distinct()) {
    const bool is_missing = missing.is_always(text.text) || (words_are_missing && missing.is_word(text.text));
    (is_missing ? p.missing : p.values) += text.count;
    if (!is_missing) values.push_back(text);
    if (is_missing && !text.text.empty()) p.missing_texts.push_back(text);
  }
  p.distinct = values.size();
  if (!values.empty()) p.first = values.front();
  const bool stored = texts.stores_numbers();
  if (stored) {
    p.numbers = texts.range();
    p.values += p.numbers.count;
    p.distinct += ColumnTexts::kMostDistinct;
    if (!p.first) p.first = DistinctText{"", 0, 0};
  }
  const bool may_count = stored ? values.empty() : p.distinct == p.values && p.values >= kFewRowNumbers;
  p.counts_rows = p.missing == 0 && may_count && texts.counts_up();
  if (stored && (values.empty() || !texts.stores_whole_only()))
    p.spelling = texts.spelling();
  else if (!values.empty())
    p.spelling = spelling_of(values, column, p.values, stored);
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
  if (!p.mostly_numbers()) set_dates(values, column, p);
  p.type = type_of(values, stored, p);
  return p;
}

std::vector<ColumnProfile> profiles_of(const RawTable& table, const TableOptions& options) {
  const MissingValues& missing = options.missing_values;
  const auto is_word = [&](const DistinctText& text) { return missing.is_word(text.text); };
  std::vector<ColumnProfile> profiles;
  MissingValues of_file = missing;  // with the words that stand among numbers
  for (std::size_t j = 0; j < table.columns.size(); ++j) {
    const ColumnProfile& p = profiles.emplace_back(profile_of(table.columns[j], table.texts[j], missing, true));
    if (!p.mostly_numbers() || table.columns[j].role == Role::dropped) continue;
    for (const DistinctText& text : p.missing_texts) {
      if (is_word(text)) of_file.always.push_back(text.text);
    }
  }
  for (std::size_t j = 0; j < profiles.size(); ++j) {
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
    profiles[j] = profile_of(column, table.texts[j], of_column, false);
  }
  return profiles;
}

std::vector<DistinctText> words_among_units(const ColumnProfile& p) {
  std::vector<DistinctText> words, numbers;
  std::size_t rows = 0;
  for (const DistinctText& text : p.others) {
    const bool has_unit = unit_of(text.text).has_value();
    (has_unit ? numbers : words).push_back(text);
    rows += has_unit ? 0 : text.count;
    if (words.size() > kMostWords) return {};
  }
  const bool rare = rows == 1 || kValuesOfWord * rows <= p.values;
  if (p.numbers.count > 0 || !rare || numbers.size() < kFewestNumbers) return {};
  const Spelling unit = common_unit(numbers);
  const bool all = !unit.is_plain() && best_spelling(numbers, unit).numbers == p.values - rows;
  return all ? words : std::vector<DistinctText>();
}

TaskGuess task_of_target(const ColumnProfile& p, const std::string& name) {
  if (!words_among_units(p).empty()) return {false, name + " has numbers with a unit"};
  const bool texts =
      p.type == ColumnType::category || p.type == ColumnType::identifier || p.type == ColumnType::constant;
  if (!p.all_numbers()) return {texts, name + (texts ? " has texts" : " has numbers")};
  if (p.leading_zeros) return {true, name + " has numbers with leading zeros, as codes have"};
  if (p.distinct == 1) return {false, fmt::format("{} is {} in all rows", name, shortest(p.numbers.min))};
  if (p.many_spellings && p.distinct <= kFewCodes && p.values >= kRowsOfClass * p.distinct)
    return {true, fmt::format("{} has {} different texts, some of which are one number", name, p.distinct)};
  if (p.values < kFewRows) return {false, name + " has numbers"};
  if (p.distinct == 2) return {true, name + " has two values"};
  const bool few = p.numbers.whole && p.distinct <= kMostClasses && p.values >= kRowsOfClass * p.distinct;
  if (!few) return {false, name + " has numbers"};
  const std::string what = fmt::format("{} has {} whole numbers from {} to {}", name, p.distinct,
                                       shortest(p.numbers.min), shortest(p.numbers.max));
  const std::string_view word = word_for_classes(name);
  if (word.empty()) return {false, what + ", as counts or grades are"};
  return {true, fmt::format("{}, and \"{}\" in its name says classes", what, word)};
}

}  // namespace elmx
