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
#include "data/table/known_columns.hpp"
#include "data/table/problems.hpp"
#include "data/values/text.hpp"

namespace elmx {
namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kFewRows = 10;     // of two values in fewer rows nothing is known
constexpr double kMostClasses = 10;      // of numbers that may be classes
constexpr std::size_t kRowsOfClass = 5;  // on average, of numbers that may be classes
constexpr std::size_t kFewCodes = 20;
constexpr std::size_t kMostReplaced = 20;  // different texts, in the report
constexpr std::size_t kLongest = 40;

std::string shown(const std::string& text) { return '"' + printable(text, kLongest) + '"'; }

std::string shown(const DistinctText& text) {
  return text.text.empty() ? fmt::format("an empty field in line {}", text.line)
                           : fmt::format("{} in line {}", shown(text.text), text.line);
}

/// The value of each text of one column.
struct ValueOfText {
  std::vector<double> values;  ///< for each distinct text
  std::vector<DistinctText> replaced;
};

/// Decides one table column by column.
class ColumnDecisions {
 public:
  ColumnDecisions(TextTable& table, const TableOptions& options)
      : table_(table), options_(options), profiles_(profiles_of(table, options.missing_values)) {}

  RawTable decide() {
    task_ = options_.task;
    guess_target();
    guess_task_of_target();
    refuse_numbers_that_read_two_ways();
    state_marks();
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
        look_at_missing();
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

  /// States the decimal and the thousands mark for the next reading, if all numbers of the file can be read
  /// with one.
  void state_marks() {
    std::optional<Spelling> marks;
    for (std::size_t j = 0; j < profiles_.size(); ++j) {
      const Spelling& spelling = profiles_[j].spelling;
      if (!has_numbers(j) || (spelling.decimal == '.' && spelling.thousands == '\0')) continue;
      if (marks && marks->decimal != spelling.decimal) return;
      if (!marks || spelling.thousands == ' ' || spelling.thousands == '\'')
        marks = Spelling{spelling.decimal, spelling.thousands, "", ""};
    }
    if (!marks || table_.report.dialect.empty()) return;
    for (std::size_t j = 0; j < profiles_.size(); ++j) {
      if (!has_numbers(j)) continue;
      Spelling with_unit = profiles_[j].spelling;
      with_unit.decimal = marks->decimal;
      with_unit.thousands = marks->thousands;
      if (table_.texts[j].stores_numbers() && profiles_[j].spelling.decimal != marks->decimal) return;
      for (const DistinctText& text : table_.texts[j].distinct()) {
        if (number_of(text.text, profiles_[j].spelling) != number_of(text.text, with_unit)) return;
      }
    }
    table_.report.dialect["decimal"] = marks->decimal == ',' ? "comma" : "point";
    if (marks->thousands == ' ' || marks->thousands == '\'')
      table_.report.dialect["thousands"] = marks->thousands == ' ' ? "blank" : "apostrophe";
  }

  bool has_numbers(std::size_t j) const {
    const RawColumn& column = table_.columns[j];
    const bool category = column.kind_is_known && column.kind == Kind::category;
    return column.role != Role::dropped && !category && 2 * profiles_[j].numbers.count > profiles_[j].values;
  }

  /// Decimal marks of one file agree: "1.234" beside a column of "1,5" is 1234, or 1.234, and nobody can
  /// know.
  void refuse_numbers_that_read_two_ways() {
    const Spelling comma{',', '.', "", ""};
    const auto has_comma = [&](std::size_t j) {
      const ColumnProfile& p = profiles_[j];
      return table_.columns[j].role != Role::dropped && p.spelling.decimal == ',' && p.all_numbers() && !p.two_ways;
    };
    // A number such as "1.5" or "1,234.5" has a decimal point for certain.
    const auto has_point = [&](std::size_t j) {
      const ColumnProfile& p = profiles_[j];
      const ColumnTexts& texts = table_.texts[j];
      if (table_.columns[j].role == Role::dropped || p.spelling.decimal != '.' || !p.all_numbers() || p.two_ways)
        return false;
      if (texts.stores_numbers()) return !texts.stores_whole_only();
      return std::ranges::any_of(texts.distinct(), [&](const DistinctText& text) {
        return text.text.find('.') != std::string::npos && !finite_number(text.text, comma);
      });
    };
    std::optional<std::size_t> decided;
    bool decided_point = false;
    for (std::size_t j = 0; j < table_.columns.size(); ++j) {
      if (!decided && has_comma(j)) decided = j;
      decided_point = decided_point || has_point(j);
    }
    for (std::size_t j = 0; j < table_.columns.size(); ++j) {
      ColumnProfile& p = profiles_[j];
      RawColumn& column = table_.columns[j];
      column_ = &column;
      const bool category = column.kind_is_known && column.kind == Kind::category;
      if (column.role == Role::dropped || category || column.spelling || !p.all_numbers()) continue;
      if (p.two_ways && decided && !decided_point) p.spelling = comma;
      if (p.two_ways && decided.has_value() != decided_point) continue;
      if (p.two_ways) {
        problem(
            fmt::format("{} can be read as {} or as {}; set \"decimal\" to \"comma\" or \"point\" (elmx run: --set "
                        "data.decimal=point)",
                        shown(*p.two_ways), shortest(*parse_number(p.two_ways->text, comma)),
                        shortest(*parse_number(p.two_ways->text, Spelling{'.', ',', "", ""}))));
        continue;
      }
      const ColumnTexts& texts = table_.texts[j];
      if (!decided || !p.spelling.is_plain() || (texts.stores_numbers() && !texts.stores_whole_only())) continue;
      bool all = true;
      const DistinctText* differs = nullptr;
      for (const DistinctText& text : table_.texts[j].distinct()) {
        if (options_.missing_values.is_always(text.text) || options_.missing_values.is_word(text.text)) continue;
        const auto swapped = finite_number(text.text, comma);
        all = all && swapped;
        if (swapped && *swapped != *parse_number(text.text)) differs = &text;
      }
      if (!all) continue;
      if (differs == nullptr) {
        p.spelling = comma;
        continue;
      }
      problem(
          fmt::format("{} can be read in two ways, and column \"{}\" has decimal commas; set \"decimal\" to "
                      "\"comma\" or \"point\"",
                      shown(*differs), printable(table_.columns[*decided].name)));
    }
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
      column_->order = p.order;
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
    leave_out(p.type == ColumnType::identifier
                  ? fmt::format("identifier: {} different texts in {}", p.distinct, counted(p.values, "row"))
                  : fmt::format("{} different texts (\"nominal\" makes each an input)", p.distinct));
  }

  /// A column whose kind is known to be numbers has texts.
  void known_numbers() {
    const ColumnProfile& p = *profile_;
    if (p.values == 0 && is_target() && !options_.known) return problem("no value in any row");
    if (p.values == 0 && options_.infers() && !is_target()) return leave_out("no value in any row");
    if (p.others.empty()) return;
    const DistinctText& first = *std::ranges::min_element(p.others, {}, &DistinctText::line);
    const bool mostly_numbers = 2 * p.numbers.count > p.values;
    if (options_.known ? !options_.known->strict : options_.infers() && is_target() && mostly_numbers) return;
    const std::size_t count = p.values - p.numbers.count;
    texts_are_refused_ = true;
    problem(
        fmt::format("{} of {} {}, the first {}; expected numbers{}", count, counted(p.values, "value"),
                    count == 1 ? "is not a number" : "are not numbers", shown(first),
                    is_target() && options_.infers() ? " (\"task\": \"classification\" takes texts for classes)" : ""));
  }

  void look_at_missing() {
    const ColumnProfile& p = *profile_;
    const bool count_texts = column_->kind == Kind::number && !texts_are_refused_;
    const std::size_t texts = count_texts ? p.values - p.numbers.count : 0;
    const std::size_t missing = p.missing + texts;
    report_.missing = missing;
    if (missing == 0) return;
    const DistinctText* first = p.first_missing ? &*p.first_missing : &p.others.front();
    const bool refuses = options_.known ? options_.known->strict && !is_target() : options_.missing == "refuse";
    if (column_->role == Role::split && options_.missing != "drop_rows" && !options_.known)
      return problem(
          fmt::format("{} ({}), but the column says how rows are divided; \"missing\": \"drop_rows\" leaves "
                      "such rows out",
                      counted(missing, "missing value"), shown(*first)));
    if (!refuses) return;
    needs_missing_ = options_.known ? "" : "mean";
    problem(fmt::format("{} ({})", counted(missing, "missing value"), shown(*first)));
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
    column_->spelling = profile_->spelling;
    if (column_->kind == Kind::date) column_->order = profile_->order;
    column_->values = std::move(texts).values_of(value);
  }

  /// Warns of a row that sums up the others, which is not a sample.
  void warn_of_totals(const std::vector<DistinctText>& texts) {
    constexpr std::array<std::string_view, 8> words{"total", "totals", "sum",     "subtotal",
                                                    "summe", "gesamt", "average", "mean"};
    for (const DistinctText& text : texts) {
      const auto is_word = [&](std::string_view word) {
        return text.text.size() == word.size() && begins_with_word(text.text, word);
      };
      if (text.count == 1 && std::ranges::any_of(words, is_word))
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
    std::map<std::size_t, std::string> spelt;  // how the first text of a category is written
    for (std::size_t k = 0; k < distinct.size(); ++k) {
      if (is_missing(distinct[k])) continue;
      std::string_view text = distinct[k].text;
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
    } else if (p.numbers.count > 0) {
      report_.evidence =
          fmt::format("numbers from {} to {}", shortest(p.numbers.min + 0.0), shortest(p.numbers.max + 0.0));
      if (!p.spelling.is_plain() && p.first && !p.first->text.empty() && !parse_number(p.first->text))
        report_.evidence += fmt::format("; {} is {}", shown(p.first->text),
                                        shortest(number_of(p.first->text, p.spelling).value_or(kNoNumber)));
      if (p.bounds > 0)
        report_.evidence += fmt::format("; {} such as \"<0.05\", read as the bound", counted(p.bounds, "value"));
    }
  }

  TextTable& table_;
  const TableOptions& options_;
  std::vector<ColumnProfile> profiles_;
  RawColumn* column_ = nullptr;
  ColumnProfile* profile_ = nullptr;
  ColumnReport report_;
  bool texts_are_refused_ = false;  // of the column: a problem says it
  std::vector<std::string> problems_;
  std::string needs_missing_;
  Task task_ = Task::regression;
};

bool holds_text(const std::vector<DistinctText>& texts, const std::string& word) {
  return std::ranges::find(texts, word, &DistinctText::text) != texts.end();
}

}  // namespace

std::vector<ColumnProfile> profiles_of(const TextTable& table, const MissingValues& missing) {
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
    if (!numbers && std::ranges::any_of(missing.words, is_word))
      profiles[j] = profile_of(table.texts[j], of_file, false, table.columns[j]);
  }
  return profiles;
}

RawTable decide_columns(TextTable& table, const TableOptions& options) {
  refuse_equal_names(table.columns, table.origin);
  if (table.rows == 0) throw DataError(table.origin + ": no data; expected at least one row");
  return ColumnDecisions(table, options).decide();
}

/// Returns true if a column is called as one of classes is.
static bool names_classes(std::string_view name) {
  constexpr std::array<std::string_view, 13> words{"class",   "label",   "type",   "categor", "kind",
                                                   "species", "cluster", "group",  "code",    "status",
                                                   "diagnos", "outcome", "segment"};
  std::string lower(name);
  std::ranges::transform(lower, lower.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return std::ranges::any_of(words, [&](std::string_view word) { return lower.find(word) != std::string::npos; });
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
  const auto count = static_cast<double>(p.distinct);
  const bool from_start = p.numbers.min == 0 || p.numbers.min == 1;
  const bool classes = p.numbers.whole && from_start && p.numbers.max - p.numbers.min + 1 == count &&
                       count <= kMostClasses && p.values >= kRowsOfClass * p.distinct;
  const std::string range = fmt::format("the whole numbers {} to {}", shortest(p.numbers.min), shortest(p.numbers.max));
  if (classes && names_classes(name)) return {true, name + " has " + range};
  return {false, classes ? name + " has " + range : name + " has numbers"};
}

std::string name_in_config(const std::vector<RawColumn>& columns, std::size_t j) {
  const std::string& name = columns[j].name;
  const bool alone = std::ranges::count(columns, name, &RawColumn::name) == 1;
  return alone && is_utf8(name) ? name : std::to_string(j + 1);
}

}  // namespace elmx
