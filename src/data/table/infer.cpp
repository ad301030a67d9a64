#include "data/table/infer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "data/table/decimal_marks.hpp"
#include "data/table/known_columns.hpp"
#include "data/table/problems.hpp"
#include "data/values/text.hpp"

namespace elmx {
namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kFewRows = 10;      // of two values in fewer rows nothing is known
constexpr std::size_t kMostClasses = 10;  // of numbers that may be classes
constexpr std::size_t kRowsOfClass = 5;   // on average, of numbers that may be classes
constexpr std::size_t kFewCodes = 20;
constexpr std::size_t kMostReplaced = 20;  // different texts, in the report
constexpr std::size_t kLongest = 40;

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

/// Decides one table column by column.
class ColumnDecisions {
 public:
  ColumnDecisions(TextTable& table, const TableOptions& options)
      : table_(table), options_(options), profiles_(profiles_of(table, options.missing_values, options.known.get())) {}

  RawTable decide() {
    task_ = options_.task;
    guess_target();
    guess_task_of_target();
    for (const auto& [j, text] : decide_decimal_marks(table_, options_, profiles_)) {
      column_ = &table_.columns[j];
      problem(text);
    }
    for (std::size_t j = 0; j < table_.columns.size(); ++j) {
      column_ = &table_.columns[j];
      profile_ = &profiles_[j];
      report_ = {printable(column_->name), "", "", "", "", profile_->missing, {}};
      warn_of_totals(table_.texts[j].distinct());
      texts_are_refused_ = false;
      if (column_->role == Role::dropped) {
        if (report_.left_out.empty()) report_.left_out = options_.known ? "not used by the model" : "dropped";
      } else {
        decide_kind();
      }
      if (column_->role == Role::dropped) {
        column_->values = std::vector<double>();
        table_.texts[j] = ColumnTexts(true, true);
      } else {
        read_values(std::move(table_.texts[j]));
      }
      describe();
      table_.report.columns.push_back(std::move(report_));
    }
    if (!problems_.empty()) throw TableProblems(table_.origin, problems_, needs_missing_);
    RawTable raw;
    raw.columns = std::move(table_.columns);
    raw.rows = table_.rows;
    raw.gaps = std::move(table_.gaps);
    raw.task = task_;
    raw.report = std::move(table_.report);
    return raw;
  }

 private:
  bool is_target() const { return column_->role == Role::target; }

  bool is_only_input() const { return std::ranges::count(table_.columns, Role::input, &RawColumn::role) == 1; }

  void problem(const std::string& text) {
    problems_.push_back(
        fmt::format("{} \"{}\": {}", is_target() ? "target" : "column", printable(column_->name), text));
  }

  /// The last column of numbers or categories; else the last one.
  void guess_target() {
    const auto is_target = [](const RawColumn& column) { return column.role == Role::target; };
    if (!options_.guess_target || std::ranges::any_of(table_.columns, is_target)) return;
    RawColumn* target = nullptr;
    for (std::size_t j = 0; j < table_.columns.size(); ++j) {
      const ColumnType type = profiles_[j].type;
      const bool possible = type == ColumnType::number || type == ColumnType::category;
      if (table_.columns[j].role == Role::input && (possible || target == nullptr)) target = &table_.columns[j];
    }
    if (target == nullptr) return;
    target->role = Role::target;
    table_.report.notes.push_back("the target is a guess: " + printable(target->name, kLongest) +
                                  " (--target COLUMN says otherwise)");
  }

  /// Several targets are numbers; the values of one say what it is.
  void guess_task_of_target() {
    if (!options_.guess_task) return;
    std::vector<std::size_t> targets;
    for (std::size_t j = 0; j < table_.columns.size(); ++j) {
      if (table_.columns[j].role == Role::target) targets.push_back(j);
    }
    task_ = Task::regression;
    if (targets.size() == 1) {
      const RawColumn& target = table_.columns[targets.front()];
      TaskGuess guess = guess_task(profiles_[targets.front()], printable(target.name, kLongest));
      if (target.declared) guess = {true, printable(target.name, kLongest) + " has declared classes"};
      if (guess.classes) task_ = Task::classification;
      table_.report.notes.push_back(fmt::format("{} (or --task {}): {}",
                                                guess.classes ? "classification" : "regression",
                                                guess.classes ? "regression" : "classification", guess.why));
    }
    for (const std::size_t j : targets) {
      table_.columns[j].kind = task_ == Task::classification ? Kind::category : Kind::number;
      table_.columns[j].kind_is_known = true;
    }
  }

  void leave_out(const std::string& reason) {
    if (is_target()) return problem(reason);
    column_->role = Role::dropped;
    report_.left_out = reason;
  }

  void decide_kind() {
    if (column_->kind_is_known) {
      if (column_->kind == Kind::number) known_numbers();
      return;
    }
    const ColumnProfile& p = *profile_;
    const bool numbers = p.all_numbers() || (p.type == ColumnType::number && p.numbers.count > 0);
    if (p.type == ColumnType::empty) return leave_out("no value in any row");
    if (options_.guess_task && p.counts_rows && !is_only_input()) return leave_out("identifier: it numbers the rows");
    if (options_.guess_task && p.type == ColumnType::constant)
      return leave_out("the same in all rows: " + shown(p.first->text));
    if (numbers) {
      column_->kind = Kind::number;
      return;
    }
    if (!p.parts.empty() && p.type != ColumnType::constant) {
      column_->kind = Kind::date;
      column_->parts = p.parts;
      if (p.order_is_uncertain)
        table_.report.notes.push_back(
            fmt::format("{}: dates such as {} are read day first (or \"date_order\": "
                        "\"month_first\")",
                        printable(column_->name, kLongest), shown(p.first->text)));
      return;
    }
    if (p.type == ColumnType::constant && p.missing == 0)
      return leave_out("the same text in all rows: " + shown(p.first->text));
    const bool few = p.type == ColumnType::category || p.type == ColumnType::constant;
    if (few && p.distinct <= kMostTextCategories) {
      column_->kind = Kind::category;
      return;
    }
    if (const std::string units = different_units(p.others, p.numbers.count > 0); !units.empty())
      return leave_out("numbers with different units (" + units + "); convert them to one");
    leave_out(p.type == ColumnType::identifier
                  ? fmt::format("identifier: {} different texts in {}", p.distinct, counted(p.values, "row"))
                  : fmt::format("{} different texts (\"nominal\" makes each an input)", p.distinct));
  }

  /// A column whose kind is known to be numbers has texts.
  void known_numbers() {
    const ColumnProfile& p = *profile_;
    if (p.values == 0 && is_target() && !options_.known) return problem("no value in any row");
    if (p.values == 0 && options_.infers() && !is_target()) return leave_out("no value in any row");
    if (options_.known) look_at_units();
    if (p.others.empty()) return;
    const DistinctText& first = *std::ranges::min_element(p.others, {}, &DistinctText::line);
    if (options_.known && p.numbers.count == 0 && unit_of(first.text)) {
      texts_are_refused_ = true;
      return problem(fmt::format("{} has another unit than the numbers of the model's file, such as \"{}\"",
                                 shown(first), printable(example_of(p.spelling))));
    }
    const bool mostly_numbers = 2 * p.numbers.count > p.values;
    const std::size_t count = p.values - p.numbers.count;
    if (options_.known && is_target())
      table_.report.notes.push_back(
          fmt::format("target {}: {} no number, the first {}; such rows are left out of the metrics",
                      printable(column_->name, kLongest),
                      count == 1 ? "1 value is" : fmt::format("{} values are", count), shown(first)));
    if (options_.known ? !options_.known->strict : options_.infers() && is_target() && mostly_numbers) return;
    texts_are_refused_ = true;
    problem(
        fmt::format("{} of {} {}, the first {}; expected numbers{}", count, counted(p.values, "value"),
                    count == 1 ? "is not a number" : "are not numbers", shown(first),
                    is_target() && options_.infers() ? " (\"task\": \"classification\" takes texts for classes)" : ""));
  }

  /// Notes numbers of a new file that have a unit where those of the model's file have none, or the other way
  /// round.
  void look_at_units() {
    const Spelling& spelling = profile_->spelling;
    Spelling without = spelling;
    without.before = without.behind = "";
    if (spelling.before.empty() && spelling.behind.empty()) return;
    const std::size_t lack =
        count_numbers(table_.texts[static_cast<std::size_t>(column_ - table_.columns.data())].distinct(), without);
    if (!spelling.optional_unit)
      table_.report.notes.push_back(
          fmt::format("{}: the model's file has no unit \"{}{}\"; the numbers are read without it",
                      printable(column_->name, kLongest), spelling.before, spelling.behind));
    else if (lack > 0)
      table_.report.notes.push_back(fmt::format("{}: {} without the unit \"{}{}\" of the model's file",
                                                printable(column_->name, kLongest), counted(lack, "number"),
                                                spelling.before, spelling.behind));
  }

  /// Refuses `missing` missing values where the options or the role of the column do not allow them. first:
  /// the first.
  void judge_missing(std::size_t missing, const std::optional<DistinctText>& first) {
    report_.missing = missing;
    if (missing == 0 || texts_are_refused_) return;
    const std::string found = counted(missing, "missing value") + (first ? " (" + shown(*first) + ")" : "");
    const bool refuses = options_.known ? options_.known->strict && !is_target() : options_.missing == "refuse";
    if (column_->role == Role::split && options_.missing != "drop_rows" && !options_.known)
      return problem(found +
                     ", but the column says how rows are divided; \"missing\": \"drop_rows\" leaves such rows out");
    if (!refuses) return;
    needs_missing_ = options_.known ? "" : "mean";
    problem(found);
  }

  void read_values(ColumnTexts texts) {
    const std::vector<DistinctText>& distinct = texts.distinct();
    std::vector<double> value(distinct.size(), kNoNumber);
    const auto is_missing = [&](const DistinctText& text) {
      return text.text.empty() || std::ranges::find(profile_->missing_texts, text.text, &DistinctText::text) !=
                                      profile_->missing_texts.end();
    };
    for (const DistinctText& text : profile_->missing_texts) replaced(text);
    if (column_->kind == Kind::category) {
      categories_of(distinct, is_missing, value);
    } else {
      for (std::size_t k = 0; k < distinct.size(); ++k) {
        if (is_missing(distinct[k])) continue;
        if (column_->kind == Kind::date) {
          const auto moment = parse_moment(distinct[k].text, profile_->order);
          if (moment) value[k] = moment->days;
        } else {
          value[k] = number_of(distinct[k].text, profile_->spelling).value_or(kNoNumber);
        }
        if (std::isnan(value[k])) replaced(distinct[k]);
      }
    }
    std::size_t missing = 0;
    std::optional<DistinctText> first;  // that is missing
    range_ = texts.stores_numbers() ? texts.range() : NumberRange();
    for (std::size_t k = 0; k < distinct.size(); ++k) {
      if (!std::isnan(value[k])) {
        range_.add(value[k], distinct[k].count);
        continue;
      }
      missing += distinct[k].count;
      if (!first || distinct[k].line < first->line) first = distinct[k];
    }
    column_->spelling = profile_->spelling;
    if (column_->kind == Kind::date && profile_->order_matters) column_->order = profile_->order;
    column_->values = std::move(texts).values_of(value);
    judge_missing(missing + (column_->kind == Kind::number ? remove_missing_codes() : 0), first);
  }

  /// A number that stands for a missing value does so in every spelling: -999 is also -999.0. Returns how
  /// many values are removed.
  std::size_t remove_missing_codes() {
    std::size_t removed = 0;
    for (const std::string& text : options_.missing_values.always) {
      const auto code = parse_number(text);
      const auto count = code ? static_cast<std::size_t>(std::ranges::count(column_->values, *code)) : 0;
      if (count == 0) continue;
      std::ranges::replace(column_->values, *code, kNoNumber);
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
  void warn_of_totals(const std::vector<DistinctText>& texts) {
    constexpr std::array<std::string_view, 8> words{"total", "totals", "sum",     "subtotal",
                                                    "summe", "gesamt", "average", "mean"};
    std::size_t last = 0;
    for (const DistinctText& text : texts) last = std::max(last, text.line);
    for (const DistinctText& text : texts) {
      const auto is_word = [&](std::string_view word) {
        return text.text.size() == word.size() && begins_with_word(text.text, word);
      };
      if (text.count == 1 && text.line == last && std::ranges::any_of(words, is_word))
        table_.report.warnings.push_back(fmt::format(
            "line {} seems to be a row of totals ({}): leave it out of the file", text.line, shown(text.text)));
    }
  }

  void replaced(const DistinctText& text) {
    if (report_.read_as_missing.size() < kMostReplaced)
      report_.read_as_missing.push_back({printable(text.text, kLongest), text.count});
  }

  /// Labels stay as written, but that "1", "1.0" and "+1" are one.
  template <class IsMissing>
  void categories_of(const std::vector<DistinctText>& distinct, const IsMissing& is_missing,
                     std::vector<double>& value) {
    std::map<std::string, std::size_t, std::less<>> known;
    std::vector<std::string>& categories = column_->categories;
    for (std::size_t k = 0; k < categories.size(); ++k) known.emplace(categories[k], k);
    std::size_t renamed = 0;
    std::map<std::size_t, std::string> spelt;  // how the first text of a category is written
    for (std::size_t k = 0; k < distinct.size(); ++k) {
      if (is_missing(distinct[k])) continue;
      std::string_view text = without_formula(distinct[k].text);
      if (is_target() && text.ends_with(options_.label_strip)) text.remove_suffix(options_.label_strip.size());
      auto found = known.find(text);
      const bool as_written = options_.known && column_->role == Role::split;
      const std::string name = as_written ? std::string(text) : canonical_label(text);
      if (found == known.end()) found = known.find(name);
      if (found == known.end() && column_->declared) {
        problem(fmt::format("{} in line {} is not a declared category{}", shown(std::string(text)), distinct[k].line,
                            suggest_name(text, categories)));
        return;
      }
      if (found == known.end()) {
        found = known.emplace(name, categories.size()).first;
        categories.push_back(found->first);
        if (is_target() && !options_.known && name != text && renamed++ == 0)
          table_.report.notes.push_back(
              fmt::format("{}: the label \"{}\" is the class {}", printable(column_->name), printable(text), name));
      }
      value[k] = static_cast<double>(found->second);
      const auto [first, is_new] = spelt.emplace(found->second, text);
      if (!is_new && first->second != text)
        table_.report.notes.push_back(fmt::format("{}: \"{}\" and \"{}\" are one category: {}",
                                                  printable(column_->name), printable(first->second), printable(text),
                                                  found->first));
    }
  }

  void describe() {
    const ColumnProfile& p = *profile_;
    report_.role = column_->role == Role::input    ? "input"
                   : column_->role == Role::target ? "target"
                   : column_->role == Role::split  ? "split"
                                                   : "dropped";
    report_.type = column_->role == Role::dropped  ? to_string(p.type)
                   : column_->kind == Kind::date   ? "date"
                   : column_->kind == Kind::number ? "number"
                                                   : "category";
    if (column_->role == Role::dropped) {
      if (p.values > 0) report_.evidence = fmt::format("{} different values", p.distinct);
    } else if (column_->kind == Kind::category) {
      report_.evidence =
          fmt::format("{} {}", column_->categories.size(), column_->categories.size() == 1 ? "category" : "categories");
    } else if (column_->kind == Kind::date) {
      std::string parts;
      for (const DatePart part : column_->parts)
        parts += (parts.empty() ? "" : ", ") + std::string(kDateParts[static_cast<std::size_t>(part)]);
      report_.evidence = "dates, as in " + shown(p.first->text) + "; parts: " + parts;
    } else if (range_.count > 0) {
      report_.evidence = fmt::format("numbers from {} to {}", shortest(range_.min + 0.0), shortest(range_.max + 0.0));
      const auto number = p.first ? number_of(p.first->text, p.spelling) : std::nullopt;
      if (number && !parse_number(p.first->text))
        report_.evidence += fmt::format("; {} is {}", shown(p.first->text), shortest(*number));
      if (p.bounds > 0)
        report_.evidence +=
            fmt::format("; {} such as \"{}\", read as the bound", counted(p.bounds, "value"), printable(p.first_bound));
    }
  }

  TextTable& table_;
  const TableOptions& options_;
  std::vector<ColumnProfile> profiles_;
  RawColumn* column_ = nullptr;
  ColumnProfile* profile_ = nullptr;
  ColumnReport report_;
  NumberRange range_;               // of the values of the column
  bool texts_are_refused_ = false;  // of the column: a problem says it
  std::vector<std::string> problems_;
  std::string needs_missing_;
  Task task_ = Task::regression;
};

bool holds_text(const std::vector<DistinctText>& texts, const std::string& word) {
  return std::ranges::find(texts, word, &DistinctText::text) != texts.end();
}

}  // namespace

/// For a category of a model: a word is missing unless it is one of its categories, whatever else the file
/// has.
static ColumnProfile known_profile(const ColumnTexts& texts, const RawColumn& column, const KnownFile& known,
                                   MissingValues missing) {
  const auto model = std::ranges::find(known.columns, column.name, &KnownColumn::name);
  for (const std::string& word : missing.words) {
    if (model != known.columns.end() && std::ranges::count(model->categories, word) == 0)
      missing.always.push_back(word);
  }
  return profile_of(texts, missing, false, column);
}

std::vector<ColumnProfile> profiles_of(const TextTable& table, const MissingValues& missing, const KnownFile* known) {
  std::vector<ColumnProfile> profiles;
  MissingValues of_file = missing;  // with the words that stand among numbers
  for (std::size_t j = 0; j < table.columns.size(); ++j) {
    profiles.push_back(profile_of(table.texts[j], missing, true, table.columns[j]));
    const ColumnProfile& p = profiles.back();
    if (2 * p.numbers.count <= p.values || table.columns[j].role == Role::dropped) continue;
    for (const DistinctText& text : p.missing_texts) {
      if (missing.is_word(text.text)) of_file.always.push_back(text.text);
    }
  }
  for (std::size_t j = 0; j < table.columns.size(); ++j) {
    const ColumnProfile& p = profiles[j];
    const auto is_word = [&](const std::string& word) { return holds_text(p.missing_texts, word); };
    const bool numbers = 2 * p.numbers.count > p.values;
    if (known != nullptr && table.columns[j].kind == Kind::category)
      profiles[j] = known_profile(table.texts[j], table.columns[j], *known, missing);
    else if (!numbers && std::ranges::any_of(missing.words, is_word))
      profiles[j] = profile_of(table.texts[j], of_file, false, table.columns[j]);
  }
  return profiles;
}

/// Refuses a row that repeats the names of the columns, as files have it that were put together of several.
/// Names that are numbers show nothing.
static void refuse_repeated_names(const TextTable& table) {
  std::set<std::size_t> lines;
  std::size_t names = 0;
  for (std::size_t j = 0; j < table.columns.size(); ++j) {
    const std::string& name = table.columns[j].name;
    if (table.texts[j].skipped() || parse_number(name)) continue;
    const auto found = std::ranges::find(table.texts[j].distinct(), name, &DistinctText::text);
    if (found == table.texts[j].distinct().end()) return;
    lines.insert(found->line);
    ++names;
  }
  if (names > 1 && lines.size() == 1)
    throw DataError(
        fmt::format("{}:{}: this line repeats the names of the columns; leave it out", table.origin, *lines.begin()));
}

RawTable decide_columns(TextTable& table, const TableOptions& options) {
  refuse_equal_names(table.columns, table.origin);
  if (table.rows == 0) throw DataError(table.origin + ": no data; expected at least one row");
  if (!options.known) refuse_repeated_names(table);
  return ColumnDecisions(table, options).decide();
}

/// The word in the name of a column that says that its values are classes; "" if there is none.
static std::string_view word_for_classes(std::string_view name) {
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

TaskGuess guess_task(const ColumnProfile& p, const std::string& name) {
  if (p.type == ColumnType::category || p.type == ColumnType::identifier || p.type == ColumnType::constant) {
    if (!p.all_numbers()) return {true, name + " has texts"};
  }
  if (!p.all_numbers()) return {false, name + " has numbers"};
  if (p.leading_zeros) return {true, name + " has numbers with leading zeros, as codes have"};
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

std::string name_in_config(const std::vector<RawColumn>& columns, std::size_t j) {
  const std::string& name = columns[j].name;
  const bool alone = std::ranges::count(columns, name, &RawColumn::name) == 1;
  return alone && is_utf8(name) ? name : std::to_string(j + 1);
}

}  // namespace elmx
