#include "data/table/infer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "base/error.hpp"
#include "base/numbers.hpp"
#include "base/printable.hpp"
#include "data/values/text.hpp"

namespace elmx {
namespace {

constexpr std::size_t kMostTextCategories = 50;  // of a column whose kind the config does not state
constexpr std::size_t kMostReplaced = 20;        // different texts, in the report
constexpr std::size_t kLongest = 60;
constexpr std::size_t kNamedOfWarning = 3;                 // columns
constexpr std::size_t kFewestDates = 3, kFewestRows = 30;  // of dates; fewer may lie apart by chance
constexpr double kFarDays = 20 * 365.25;
constexpr std::size_t kValuesPerLost = 10;  // at least one value in ten has another decimal mark

/// Returns the shortened, printable name of a column for a note.
std::string short_name(const RawColumn& column) { return printable(column.name, kLongest); }

std::string shown(const std::string& text) { return '"' + printable(text, kLongest) + '"'; }

std::string shown(const DistinctText& text) {
  return text.text.empty() ? fmt::format("an empty field in line {}", text.line)
                           : fmt::format("{} in line {}", shown(text.text), text.line);
}

/// Lists the units of texts that all are numbers, if they differ: `"kg", "g"`. without: some have none.
std::string different_units(const std::vector<DistinctText>& texts, bool without) {
  std::vector<std::string> units;
  if (without) units.emplace_back("none");
  for (const DistinctText& text : texts) {
    const auto unit = unit_of(text.text);
    if (!unit) return "";
    const std::string name = shown(unit->before + unit->behind);
    if (std::ranges::count(units, name) == 0) units.push_back(name);
  }
  return units.size() < 2 ? "" : fmt::format("{}", fmt::join(units, ", "));
}

/// Returns true for a text with a digit and the name of a month, such as "Feb-23" and "25-May".
bool names_a_month(const std::string& text) {
  if (text.find_first_of("0123456789") == std::string::npos) return false;
  for (auto begin = std::find_if(text.begin(), text.end(), is_letter); begin != text.end();) {
    const auto end = std::find_if_not(begin, text.end(), is_letter);
    if (parse_moment("1 " + std::string(begin, end) + " 2000")) return true;
    begin = std::find_if(end, text.end(), is_letter);
  }
  return false;
}

/// Infers one table column by column.
class ColumnInference {
 public:
  ColumnInference(RawTable& table, const TableOptions& options)
      : table_(table), options_(options), profiles_(profiles_of(table, options)) {
    table.task = options.task;
  }

  void infer() {
    guess_target();
    if (options_.guess_task) guess_task();
    for (const auto& [j, text] : decide_decimal_marks(table_, options_, profiles_)) {
      column_ = &table_.columns[j];
      problem(text);
    }
    for (std::size_t j = 0; j < profiles_.size(); ++j) {
      column_ = &table_.columns[j];
      texts_ = &table_.texts[j];
      profile_ = &profiles_[j];
      report_ = {};
      report_.name = printable(column_->name);
      report_.missing = profile_->missing;
      texts_are_refused_ = false;
      warn_of_totals();
      infer_kind();
      if (column_->role != Role::dropped) read_values();
      *texts_ = ColumnTexts();
      describe();
      table_.report.columns.push_back(std::move(report_));
    }
    table_.texts.clear();
    if (!with_leading_zeros_.empty())
      table_.report.warnings.push_back(
          first_few(with_leading_zeros_, kNamedOfWarning) +
          ": numbers with leading zeros, as codes have; data.nominal makes each number a category");
    if (!problems_.empty()) throw TableProblems(table_.origin, problems_, data_missing_helps_);
  }

 private:
  bool is_target() const { return column_->role == Role::target; }
  const std::vector<DistinctText>& texts() const { return texts_->distinct(); }

  void problem(const std::string& text) {
    problems_.push_back(
        fmt::format("{} \"{}\": {}", is_target() ? "target" : "column", printable(column_->name), text));
  }

  void note(const std::string& text) { table_.report.notes.push_back(text); }

  /// The last column of numbers or categories; else the last one.
  void guess_target() {
    if (!options_.guess_target || std::ranges::count(table_.columns, Role::target, &RawColumn::role) > 0) return;
    RawColumn* target = nullptr;
    for (std::size_t j = 0; j < table_.columns.size(); ++j) {
      const ColumnType type = profiles_[j].type;
      const bool possible = type == ColumnType::number || type == ColumnType::category;
      if (table_.columns[j].role == Role::input && (possible || target == nullptr)) target = &table_.columns[j];
    }
    if (target == nullptr) return;
    target->role = Role::target;
    note("the target is a guess: " + short_name(*target) + " (another: --set data.target=COLUMN)");
  }

  /// Infers the task: several targets are numbers; a single target is judged by its values.
  void guess_task() {
    std::vector<std::size_t> targets;
    for (std::size_t j = 0; j < table_.columns.size(); ++j) {
      if (table_.columns[j].role == Role::target) targets.push_back(j);
    }
    table_.task = Task::regression;
    if (targets.size() == 1) {
      const RawColumn& target = table_.columns[targets.front()];
      const TaskGuess guess = target.declared ? TaskGuess{true, short_name(target) + " has declared classes"}
                                              : task_of_target(profiles_[targets.front()], short_name(target));
      if (guess.classes) table_.task = Task::classification;
      const std::string other =
          profiles_[targets.front()].distinct < 2
              ? ""
              : fmt::format(" (for {}: --set data.task={})", guess.classes ? "numbers" : "classes",
                            guess.classes ? "regression" : "classification");
      note(fmt::format("the target is read as {}: {}{}", guess.classes ? "classes" : "numbers", guess.why, other));
    }
    for (const std::size_t j : targets)
      table_.columns[j].set_known_kind(table_.task == Task::classification ? Kind::category : Kind::number);
  }

  void leave_out(const std::string& reason) {
    if (is_target()) return problem(reason);
    column_->role = Role::dropped;
    report_.left_out = reason;
  }

  void infer_kind() {
    const ColumnProfile& p = *profile_;
    if (column_->role == Role::dropped) {
      report_.left_out = options_.known ? "not used by the model" : "dropped";
      return;
    }
    if (column_->kind_is_known) {
      if (column_->kind == Kind::number) check_numbers();
      return;
    }
    if (const std::string words = about_words(); !words.empty())
      table_.report.warnings.push_back(short_name(*column_) + ": " + words);
    const bool constant = p.type == ColumnType::constant;
    const bool is_flag = constant && p.missing > 0 && !p.all_numbers() && !is_target();  // "x", or nothing
    if (p.type == ColumnType::empty) return leave_out("no value in any row");
    if (options_.drop_uninformative && p.counts_rows &&
        std::ranges::count(table_.columns, Role::input, &RawColumn::role) > 1)
      return leave_out("identifier: it numbers the rows");
    if (options_.drop_uninformative && constant && !is_flag)
      return leave_out((p.missing > 0 ? "all values are equal: " : "the same in all rows: ") + shown(p.first->text));
    if (p.all_numbers() || (p.type == ColumnType::number && p.numbers.count > 0)) {
      column_->kind = Kind::number;
      if (p.leading_zeros) with_leading_zeros_.push_back(short_name(*column_));
    } else if (!p.parts.empty() && !constant) {
      column_->kind = Kind::date;
      column_->parts = p.parts;
      if (p.order_is_uncertain)
        note(fmt::format(
            "{}: dates such as {} are read with the day first (if not, set data.date_order to \"month_first\")",
            short_name(*column_), shown(p.first->text)));
    } else if (constant && p.missing == 0) {
      leave_out("the same text in all rows: " + shown(p.first->text));
    } else if ((constant || p.type == ColumnType::category) && p.distinct <= kMostTextCategories) {
      column_->kind = Kind::category;
    } else if (p.numbers.count == 0 && std::ranges::all_of(p.others, names_a_month, &DistinctText::text)) {
      leave_out(fmt::format("dates in a notation that elmx does not read, such as {}; write them as 2024-03-31",
                            shown(p.first->text)));
    } else if (const std::string units = different_units(p.others, p.numbers.count > 0); !units.empty()) {
      leave_out("numbers with different units (" + units + "); convert them to one");
    } else if (p.type == ColumnType::identifier) {
      leave_out(fmt::format("identifier: {} different texts in {}", p.distinct, counted(p.values, "row")));
    } else {
      leave_out(fmt::format("{} different texts (data.nominal makes each an input)", p.distinct));
    }
  }

  /// Returns what keeps a column of numbers with a unit from being read as numbers; "" if nothing does.
  std::string about_words() const {
    std::vector<std::string> places, words;
    for (const DistinctText& word : words_among_units(*profile_)) {
      places.push_back(shown(word));
      words.push_back(word.text);
    }
    if (words.empty()) return "";
    const std::string list = Json(words).dump(-1, ' ', false, Json::error_handler_t::replace);
    return fmt::format(
        "not read as numbers, because all values are numbers with a unit except {}; if that stands for a "
        "missing value, add it to data.missing_values (--set {})",
        fmt::join(places, ", "), shell_word("data.missing_values=" + list));
  }

  /// Judges the texts in a column that is known to have numbers.
  void check_numbers() {
    const ColumnProfile& p = *profile_;
    if (p.values == 0 && is_target() && !options_.known) return problem("no value in any row");
    if (p.values == 0 && options_.infers()) return leave_out("no value in any row");
    if (options_.known) note_units();
    if (p.others.empty()) return;
    const DistinctText& first = *std::ranges::min_element(p.others, {}, &DistinctText::line);
    if (options_.known && p.numbers.count == 0 && unit_of(first.text)) {
      texts_are_refused_ = true;
      const std::string unit = p.spelling.before + p.spelling.behind;
      return problem(fmt::format("{} has another unit than the numbers of the model's file, which have {}",
                                 shown(first), unit.empty() ? "none" : shown(unit)));
    }
    const std::size_t count = p.values - p.numbers.count;
    const std::string found = fmt::format("{} of {} {}, the first {}", count, counted(p.values, "value"),
                                          count == 1 ? "is not a number" : "are not numbers", shown(first));
    const bool is_unreadable = options_.known && !is_target() && p.numbers.count == 0 && count > 1;
    if (options_.known && !is_unreadable)
      note(fmt::format("{}{}: {}; {}", is_target() ? "target " : "", short_name(*column_), found,
                       is_target() ? "such rows have no known target" : "such values count as missing"));
    if (options_.known ? !options_.known->strict && !is_unreadable
                       : options_.infers() && is_target() && p.mostly_numbers())
      return;
    texts_are_refused_ = true;
    const std::string words = options_.infers() ? about_words() : "";
    const std::string offer =
        p.parts.empty() ? "for classes, set data.task to \"classification\"" : "a date cannot be predicted";
    problem((words.empty() ? found + "; expected numbers" : words) +
            (is_target() && options_.infers() ? " (" + offer + ")" : ""));
  }

  /// Adds a note if numbers of a new file have a unit and the model's file has none, or the reverse.
  void note_units() {
    const Spelling& spelling = profile_->spelling;
    const std::string unit = spelling.before + spelling.behind;
    if (unit.empty()) return;
    Spelling without = spelling;
    without.before = without.behind = "";
    const std::size_t lack = count_numbers(texts(), without);
    if (!spelling.optional_unit)
      note(fmt::format("{}: the model's file has no unit \"{}\"; the numbers are read without it", short_name(*column_),
                       unit));
    else if (lack > 0)
      note(fmt::format("{}: {} without the unit \"{}\" of the model's file", short_name(*column_),
                       counted(lack, "number"), unit));
  }

  /// Refuses missing values if the options or the role of the column do not allow them. `missing`: their
  /// number; `first`: the first text that stands for a missing value, or null.
  void judge_missing(std::size_t missing, const DistinctText* first) {
    report_.missing = missing;
    if (missing == 0 || texts_are_refused_) return;
    const std::string found = counted(missing, "missing value") + (first ? " (" + shown(*first) + ")" : "");
    const bool refuses =
        options_.known ? options_.known->strict && !is_target() && !is_mark() : options_.missing == "refuse";
    if (column_->role == Role::split && options_.missing != "drop_rows" && !options_.known)
      return problem(found + ", but the rows are split by this column; set data.missing to \"drop_rows\"");
    if (!refuses) return;
    data_missing_helps_ = !options_.known;
    problem(found);
  }

  /// Returns true for an input of a new file that has one mark in some rows of the model's file.
  bool is_mark() const {
    return column_->role == Role::input && marks_rows(options_.known->columns[column_->of_model]);
  }

  bool is_missing(const DistinctText& text) const {
    return text.text.empty() || std::ranges::count(profile_->missing_texts, text.text, &DistinctText::text) > 0;
  }

  /// The value of a text of a number or a date; NaN if it is none.
  double value_of(const std::string& text) const {
    if (column_->kind == Kind::number) return number_of(text, profile_->spelling).value_or(nan);
    const auto moment = parse_moment(text, profile_->order);
    return moment ? moment->days : nan;
  }

  void read_values() {
    const std::vector<DistinctText>& distinct = texts();
    std::vector<double> value(distinct.size(), nan);
    std::ranges::for_each(profile_->missing_texts, [&](const DistinctText& text) { replaced(text); });
    if (column_->kind == Kind::category) read_categories(value);
    std::size_t missing = 0;
    const DistinctText* first = nullptr;  // that is missing
    std::size_t unread = 0;
    const DistinctText* first_unread = nullptr;
    range_ = texts_->range();
    for (std::size_t k = 0; k < distinct.size(); ++k) {
      if (column_->kind != Kind::category && !is_missing(distinct[k])) {
        value[k] = value_of(distinct[k].text);
        if (std::isnan(value[k])) {
          replaced(distinct[k]);
          unread += distinct[k].count;
          if (first_unread == nullptr) first_unread = &distinct[k];
        }
      }
      if (!std::isnan(value[k])) {
        range_.add(value[k], distinct[k].count);
        continue;
      }
      missing += distinct[k].count;
      if (first == nullptr || distinct[k].line < first->line) first = &distinct[k];
    }
    if (column_->kind == Kind::date && options_.known && unread > 0) judge_other_dates(unread, *first_unread);
    if (column_->kind == Kind::number && options_.infers()) warn_of_other_mark();
    if (column_->kind == Kind::date && options_.infers()) warn_of_far_date(value);
    column_->spelling = profile_->spelling;
    if (column_->kind == Kind::date && profile_->order_matters) column_->order = profile_->order;
    column_->values = std::move(*texts_).values_of(value);
    judge_missing(missing + (column_->kind == Kind::number ? remove_missing_codes() : 0), first);
  }

  /// Judges the texts of a new file that are no dates in the notation of the model's file.
  void judge_other_dates(std::size_t count, const DistinctText& first) {
    const bool day_first = profile_->order == DateOrder::day_first;
    const bool other_order = std::ranges::all_of(texts(), [&](const DistinctText& text) {
      return is_missing(text) || parse_moment(text.text, day_first ? DateOrder::month_first : DateOrder::day_first);
    });
    const std::string found =
        fmt::format("{} as in the model's file, the first {}{}",
                    count == 1 ? "1 value is not a date" : fmt::format("{} values are not dates", count), shown(first),
                    other_order ? fmt::format(" (all dates may have the {0} first, but they are read with the {1} "
                                              "first; write the {1} first)",
                                              day_first ? "month" : "day", day_first ? "day" : "month")
                                : "");
    if (!options_.known->strict) return note(short_name(*column_) + ": " + found + "; such values count as missing");
    texts_are_refused_ = true;
    problem(found);
  }

  /// Warns if many values are missing because they have another decimal mark than the column.
  void warn_of_other_mark() {
    const char own = profile_->spelling.decimal, other = own == '.' ? ',' : '.';
    const std::vector<DistinctText>& others = profile_->others;
    const BestSpelling best = best_spelling(others, profile_->spelling, other);
    if (best.numbers == 0 || kValuesPerLost * best.numbers < profile_->values) return;
    const auto is_number = [&](const DistinctText& text) {
      return finite_number(text.text, best.spelling).has_value();
    };
    table_.report.warnings.push_back(
        fmt::format("{}: {} of {} are read as missing, because their decimal mark is \"{}\" and that of the other "
                    "values is \"{}\", "
                    "such as {}; use one mark in the whole file",
                    short_name(*column_), best.numbers, counted(profile_->values, "value"), other, own,
                    shown(*std::ranges::find_if(others, is_number))));
  }

  /// Warns of a date that occurs several times and is far from all others, such as 9999-12-31 for "never".
  /// days: of each text.
  void warn_of_far_date(const std::vector<double>& days) {
    std::vector<std::size_t> order;  // of the texts that are dates
    for (std::size_t k = 0; k < days.size(); ++k) {
      if (!std::isnan(days[k])) order.push_back(k);
    }
    if (order.size() < kFewestDates || profile_->values < kFewestRows) return;
    std::ranges::sort(order, {}, [&](std::size_t k) { return days[k]; });
    const auto between = [&](std::size_t i, std::size_t j) { return days[order[j]] - days[order[i]]; };
    const std::size_t last = order.size() - 1;
    const auto warn = [&](std::size_t k, double gap, double range) {
      const DistinctText& text = texts()[k];
      if (text.count < 2 || gap <= std::max(range, kFarDays)) return;
      table_.report.warnings.push_back(
          fmt::format("{}: {} is far from all other dates; if it means a missing value, add it to data.missing_values",
                      short_name(*column_), shown(text)));
    };
    warn(order[last], between(last - 1, last), between(0, last - 1));
    warn(order[0], between(0, 1), between(1, last));
  }

  /// Removes numbers that stand for a missing value in any spelling: -999 is also -999.0. Returns the number
  /// of removed values.
  std::size_t remove_missing_codes() {
    std::size_t removed = 0;
    for (const std::string& text : options_.missing_values.always) {
      const auto code = parse_number(text);
      const auto count = code ? static_cast<std::size_t>(std::ranges::count(column_->values, *code)) : 0;
      if (count == 0) continue;
      std::ranges::replace(column_->values, *code, nan);
      replaced({text, count, 0});
      removed += count;
    }
    if (removed == 0) return 0;
    range_ = {};
    for (const double x : column_->values) {
      if (!std::isnan(x)) range_.add(x);
    }
    return removed;
  }

  /// Warns of a row that sums up the others, which is not a sample.
  void warn_of_totals() {
    constexpr std::array<std::string_view, 8> words{"total", "totals", "sum",     "subtotal",
                                                    "summe", "gesamt", "average", "mean"};
    if (texts().empty()) return;
    const DistinctText& last = *std::ranges::max_element(texts(), {}, &DistinctText::line);
    const auto is_word = [&](std::string_view word) {
      return last.text.size() == word.size() && begins_with_word(last.text, word);
    };
    if (last.count == 1 && std::ranges::any_of(words, is_word))
      table_.report.warnings.push_back(fmt::format("line {} seems to be a row of totals ({}); remove it from the file",
                                                   last.line, shown(last.text)));
  }

  void replaced(const DistinctText& text) {
    if (report_.read_as_missing.size() < kMostReplaced)
      report_.read_as_missing.push_back({printable(text.text, kLongest), text.count});
    else
      ++report_.more_read_as_missing;
  }

  /// Keeps labels as written, except that "1", "1.0" and "+1" are one category.
  void read_categories(std::vector<double>& value) {
    const std::vector<DistinctText>& distinct = texts();
    std::map<std::string, std::size_t, std::less<>> known;
    std::vector<std::string>& categories = column_->categories;
    for (std::size_t k = 0; k < categories.size(); ++k) known.emplace(categories[k], k);
    bool renamed = false;
    std::map<std::size_t, std::string> spelt;  // how the first text of a category is written
    for (std::size_t k = 0; k < distinct.size(); ++k) {
      if (is_missing(distinct[k])) continue;
      std::string_view text = without_formula(distinct[k].text);
      if (is_target() && text.ends_with(options_.label_strip)) text.remove_suffix(options_.label_strip.size());
      auto found = known.find(text);
      const bool as_written = options_.known && column_->role == Role::split;
      const std::string name = as_written ? std::string(text) : canonical_label(text);
      if (found == known.end()) found = known.find(name);
      if (found == known.end() && column_->declared)
        return problem(fmt::format("{} in line {} is not a declared category{}", shown(std::string(text)),
                                   distinct[k].line, suggest_name(text, categories)));
      if (found == known.end()) {
        found = known.emplace(name, categories.size()).first;
        categories.push_back(name);
        if (is_target() && !options_.known && name != text && !renamed) {
          note(fmt::format("{}: the label \"{}\" is the class {}", short_name(*column_), printable(text), name));
          renamed = true;
        }
      }
      value[k] = static_cast<double>(found->second);
      const auto [first, is_new] = spelt.emplace(found->second, text);
      if (!is_new && first->second != text)
        note(fmt::format("{}: \"{}\" and \"{}\" are one category: {}", short_name(*column_), printable(first->second),
                         printable(text), found->first));
    }
    if (options_.known && options_.known->strict && column_->role == Role::input) refuse_unknown_categories(value);
  }

  /// Refuses categories that the model does not have.
  void refuse_unknown_categories(const std::vector<double>& value) {
    auto places = places_in_model(column_->categories, options_.known->columns[column_->of_model]);
    places.pop_back();  // of a missing value
    const auto unknown = std::ranges::count(places, kNotOfModel);
    if (unknown == 0) return;
    const auto is_unknown = [&](double k) {
      return !std::isnan(k) && places[static_cast<std::size_t>(k)] == kNotOfModel;
    };
    const auto first = std::ranges::find_if(value, is_unknown) - value.begin();
    problem(fmt::format("the model does not know {} {}, the first {}", unknown,
                        unknown == 1 ? "category" : "categories", shown(texts()[static_cast<std::size_t>(first)])));
  }

  void describe() {
    const ColumnProfile& p = *profile_;
    report_.role = kRoles[static_cast<std::size_t>(column_->role)];
    report_.type = kKinds[static_cast<std::size_t>(column_->kind)];
    const std::string example = p.first ? shown(p.first->text) : "";
    if (column_->role == Role::dropped) {
      const bool is_read = p.values + p.missing > 0;
      report_.type = is_read ? kColumnTypes[static_cast<std::size_t>(p.type)] : kNotRead;
      if (p.values > 0) report_.evidence = fmt::format("{} different values", p.distinct);
    } else if (column_->kind == Kind::category) {
      const std::size_t count = column_->categories.size();
      report_.evidence = fmt::format("{} {}", count, count == 1 ? "category" : "categories");
    } else if (column_->kind == Kind::date) {
      std::vector<std::string_view> parts;
      for (const DatePart part : column_->parts) parts.push_back(kDateParts[static_cast<std::size_t>(part)]);
      const bool has_days = range_.count > 0 && std::ranges::count(column_->parts, DatePart::days) > 0;
      report_.evidence =
          fmt::format("dates{}, as in {}; parts: {}",
                      has_days ? fmt::format(" from {} to {}", day_text(range_.min), day_text(range_.max)) : "",
                      example, fmt::join(parts, ", "));
      if (p.short_years) report_.evidence += "; years of two digits are read as 1969 to 2068";
    } else if (range_.count > 0) {
      report_.evidence = fmt::format("numbers from {} to {}", shortest(range_.min + 0.0), shortest(range_.max + 0.0));
      const auto number = p.first ? number_of(p.first->text, p.spelling) : std::nullopt;
      if (number && parse_number(p.first->text) != number)
        report_.evidence += fmt::format("; {} is {}", example, shortest(*number));
      if (p.bounds > 0)
        report_.evidence +=
            fmt::format("; {} such as \"{}\", read as the bound", counted(p.bounds, "value"), printable(p.first_bound));
    }
  }

  RawTable& table_;
  const TableOptions& options_;
  std::vector<ColumnProfile> profiles_;
  RawColumn* column_ = nullptr;  // the column being inferred, and its texts, profile and report
  ColumnTexts* texts_ = nullptr;
  ColumnProfile* profile_ = nullptr;
  ColumnReport report_;
  NumberRange range_;                            // of the values of the column
  bool texts_are_refused_ = false;               // of the column: a problem says it
  std::vector<std::string> with_leading_zeros_;  // names of columns
  std::vector<std::string> problems_;
  bool data_missing_helps_ = false;  // setting data.missing would solve a problem
};

/// Adds a column with the texts of each input and target that is kept, too.
void copy_kept_texts(RawTable& table) {
  for (std::size_t j = 0, count = table.columns.size(); j < count; ++j) {
    if (!table.columns[j].kept) continue;
    RawColumn copy;
    copy.name = table.columns[j].name;
    copy.role = Role::split;
    copy.of_model = table.columns[j].of_model;
    copy.set_known_kind(Kind::category);
    table.columns.push_back(std::move(copy));
    table.texts.push_back(table.texts[j]);
  }
}

}  // namespace

void infer_columns(RawTable& table, const TableOptions& options) {
  refuse_equal_names(table);
  copy_kept_texts(table);
  if (table.rows == 0) throw DataError(table.origin, "the file has no data; expected at least one row");
  if (!options.known) refuse_repeated_names(table);
  ColumnInference(table, options).infer();
}

}  // namespace elmx
