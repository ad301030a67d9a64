#include "data/inspect/settle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/printable.hpp"
#include "data/inspect/problems.hpp"
#include "data/table/text.hpp"

namespace elmx {
namespace {

constexpr const char* kSaysDecimal =
    "\"decimal\": \"comma\" or \"point\" says which holds (elmx run: --set data.decimal=comma)";

std::string shown(const Example& example) {
  return example.text.empty() ? fmt::format("an empty field in line {}", example.line)
                              : fmt::format("\"{}\" in line {}", printable(example.text, 60), example.line);
}

void add_missing(std::vector<std::string>& list, const std::vector<std::string>& more) {
  for (const std::string& one : more) {
    if (std::ranges::find(list, one) == list.end()) list.push_back(one);
  }
}

class Settlement {
 public:
  Settlement(const Inspection& found, const TableOptions& options)
      : found_(found), options_(options), free_(!options.known && !options.first_file) {}

  void look_at_rows() {
    if (found_.ragged == 0) return;
    problems_.push_back(fmt::format(
        "line {}: {}; {} expected{}", found_.ragged_line, counted(found_.ragged_fields, "column"),
        found_.columns.size(), found_.ragged > 1 ? fmt::format(" (and {} more such rows)", found_.ragged - 1) : ""));
  }

  void look_at(std::vector<RawColumn>& columns, std::size_t j) {
    RawColumn& column = columns[j];
    const ColumnProfile& profile = found_.columns[j];
    if (column.role == Role::dropped || found_.rows == 0) return;
    column_ = &column;
    profile_ = &profile;
    name_ = name_in_config(columns, j);
    const bool empty = profile.type() == ColumnType::empty;
    if (empty && column.role != Role::split && !options_.known) return none_there();
    const bool stays = empty || column.kind == Kind::category || is_number() || is_category();
    if (stays && column.role != Role::dropped) look_at_missing();
  }

  /// Plain numbers beside columns of decimal commas: those such as 1.234 read two ways; others are of the same mark, so
  /// that it holds for 1.234 in another file.
  void look_at_plain(RawColumn& column, const ColumnProfile& profile, const std::vector<RawColumn>& columns) {
    if (column.role == Role::dropped || column.kind != Kind::number || column.decimal != Decimal::plain) return;
    const auto comma = std::ranges::find(columns, Decimal::comma, &RawColumn::decimal);
    if (comma == columns.end()) return;
    if (!profile.is_number_as(Decimal::plain) || !profile.is_number_as(Decimal::comma)) return;
    if (!profile.reads_two_ways()) {
      column.decimal = Decimal::comma;
      return;
    }
    column_ = &column;
    problem(fmt::format("{} reads two ways, and \"{}\" has decimal commas; {}", shown(profile.ambiguous()),
                        printable(comma->name), kSaysDecimal));
  }

  const std::vector<std::string>& problems() const { return problems_; }

  std::string config() const {
    std::vector<std::string> parts;
    const auto add = [&](const char* key, std::vector<std::string> list, const std::vector<std::string>& more) {
      add_missing(list, more);
      if (!more.empty()) parts.push_back(in_config(key, list));
    };
    add("drop", options_.drop, drop_);
    add("nominal", options_.nominal, nominal_);
    if (!placeholders_.empty()) parts.push_back(in_config("missing_values", missing_values()));
    if (missing_) parts.push_back(fmt::format("\"missing\": \"{}\"", missing()));
    return fmt::format("{}", fmt::join(parts, ", "));
  }

  SuggestedOptions suggested() const { return {drop_, nominal_, missing_values(), missing_ ? missing() : ""}; }

  std::vector<std::string> notes() const {
    std::vector<std::string> notes;
    const auto add = [&](const std::vector<std::string>& list, const std::string& before, const std::string& behind) {
      if (!list.empty()) notes.push_back(fmt::format("{}: {} ({})", before, fmt::join(list, ", "), behind));
    };
    add(as_comma_, "read with decimal commas", "\"decimal\": \"point\" says otherwise");
    add(as_point_, "read with commas between thousands", "\"decimal\": \"comma\" says otherwise");
    add(as_text_, "texts taken for categories", "\"nominal\" in the config says so, \"drop\" leaves a column out");
    add(constant_, "left out, the same text in all rows", "\"nominal\" keeps a column");
    return notes;
  }

 private:
  void problem(const std::string& text) {
    const bool target = column_->role == Role::target;
    problems_.push_back(fmt::format("{} \"{}\": {}", target ? "target" : "column", printable(column_->name), text));
  }

  std::string missing() const { return target_missing_ ? "drop_rows" : "mean"; }
  std::string drops() const { return in_config("drop", {name_}); }
  std::string makes_nominal() const { return in_config("nominal", {name_}); }

  void none_there() {
    if (column_->role == Role::target) return problem("no value in any row");
    problem(fmt::format("no value in any row; {} leaves the column out", drops()));
    drop_.push_back(name_);
  }

  void look_at_missing() {
    if (profile_->missing() == 0) return;
    const bool target = column_->role == Role::target;
    const std::string what =
        fmt::format("{} ({})", counted(profile_->missing(), "missing value"), shown(profile_->first_missing()));
    if (options_.known) {
      if (target || options_.missing != "refuse") return;
      return problem(what + "; a value is expected, as in the data of the model");
    }
    if (target || column_->role == Role::split) {
      if (options_.missing == "drop_rows") return;
      missing_ = target_missing_ = true;
      return problem(what + "; \"missing\": \"drop_rows\" leaves such rows out");
    }
    if (options_.missing != "refuse") return;
    missing_ = true;
    problem(what + "; a value is expected (\"missing\": \"drop_rows\" or \"mean\" allows such fields)");
  }

  /// Settles the spelling of a column of numbers. False: it is none.
  bool is_number() {
    if (column_->kind == Kind::category) return false;
    if (column_->decimal != Decimal::plain) return profile_->is_number_as(column_->decimal);
    if (profile_->is_number_as(Decimal::plain)) return true;
    const bool point = profile_->is_number_as(Decimal::point), comma = profile_->is_number_as(Decimal::comma);
    if (point && comma && profile_->reads_two_ways()) {
      problem(fmt::format("{} reads two ways: {} or {}; {}", shown(profile_->ambiguous()),
                          shortest(*parse_number(profile_->ambiguous().text, Decimal::comma)),
                          shortest(*parse_number(profile_->ambiguous().text, Decimal::point)), kSaysDecimal));
      return true;
    }
    if (!point && !comma) return false;
    column_->decimal = point ? Decimal::point : Decimal::comma;
    (point ? as_point_ : as_comma_).push_back(named_with_example());
    return true;
  }

  std::string named_with_example() const {
    const Example& example = profile_->first_other(Decimal::plain);
    return fmt::format("{} (\"{}\" is {})", printable(column_->name), printable(example.text, 40),
                       shortest(parse_number(example.text, column_->decimal).value_or(0)));
  }

  /// Whether a column of texts is, or becomes, one of categories; else what is wrong with it is said.
  bool is_category() {
    if (column_->kind == Kind::category) return true;
    if (column_->role == Role::target) return texts_for_targets();
    if (!free_) return other_than_the_first();
    const ColumnType type = profile_->type();
    if (type == ColumnType::constant && profile_->missing() == 0) {
      column_->role = Role::dropped;
      constant_.push_back(fmt::format("{} (\"{}\")", printable(column_->name), printable(profile_->first().text, 40)));
      return true;
    }
    const bool texts = type == ColumnType::category || type == ColumnType::constant;
    if (texts && profile_->numbers() == 0 && profile_->distinct() <= kMostTextCategories) {
      column_->kind = Kind::category;
      as_text_.push_back(fmt::format("{} ({})", printable(column_->name), profile_->distinct()));
      return true;
    }
    if (type == ColumnType::number || (texts && profile_->numbers() > 0)) return texts_among_numbers();
    return no_input(type);
  }

  bool texts_for_targets() {
    if (are_placeholders()) return false;
    problem(
        fmt::format("{}; a finite number is expected in a regression (\"task\": \"classification\" takes texts for "
                    "classes)",
                    no_numbers()));
    return false;
  }

  bool other_than_the_first() {
    problem(fmt::format("{}; a finite number is expected, as in {}", no_numbers(),
                        options_.known ? "the data of the model" : "the first file of the set"));
    return false;
  }

  /// Texts among numbers that seem to stand for missing values: so the config may say.
  bool are_placeholders() {
    const std::vector<std::string> found =
        free_ ? profile_->placeholders(column_->decimal) : std::vector<std::string>();
    if (found.empty()) return false;
    add_missing(placeholders_, found);
    missing_ = missing_ || options_.missing == "refuse";
    target_missing_ = target_missing_ || column_->role == Role::target;
    problem(fmt::format("{}; a finite number is expected ({} takes such texts for missing values{})", no_numbers(),
                        in_config("missing_values", with_known_missing(found)),
                        column_->role == Role::target ? "" : ", " + makes_nominal() + " the column for categories"));
    return true;
  }

  bool texts_among_numbers() {
    if (are_placeholders()) return false;
    problem(fmt::format(
        "{}; a finite number is expected ({} takes such texts for missing values, {} the column for "
        "categories)",
        no_numbers(), in_config("missing_values", with_known_missing(profile_->others(spelling()))), makes_nominal()));
    (profile_->distinct() <= kMostTextCategories ? nominal_ : drop_).push_back(name_);
    return false;
  }

  /// The spellings of missing values that the file has, and `more`: what "missing_values" says, it says alone.
  std::vector<std::string> with_known_missing(const std::vector<std::string>& more) const {
    std::vector<std::string> spellings;
    for (const ColumnProfile& profile : found_.columns) add_missing(spellings, profile.missing_spellings());
    add_missing(spellings, more);
    return spellings;
  }

  std::vector<std::string> missing_values() const {
    return placeholders_.empty() ? placeholders_ : with_known_missing(placeholders_);
  }

  bool no_input(ColumnType type) {
    const std::string distinct =
        (profile_->all_distinct_counted() ? "" : "at least ") + std::to_string(profile_->distinct());
    const std::string what = type == ColumnType::date         ? "dates or times"
                             : type == ColumnType::identifier ? "texts as of an identifier, " + distinct + " in " +
                                                                    counted(profile_->values(), "row")
                                                              : distinct + " categories";
    problem(fmt::format("{} ({}); {} leaves the column out, {} makes each text an input", what,
                        shown(profile_->first()), drops(), makes_nominal()));
    drop_.push_back(name_);
    return false;
  }

  /// Of most numbers of the column, where nothing says it.
  Decimal spelling() const { return column_->decimal == Decimal::plain ? profile_->best_decimal() : column_->decimal; }

  /// "2 of 731 values are no numbers, the first "five" in line 3".
  std::string no_numbers() const {
    const std::size_t count = profile_->values() - profile_->numbers_as(spelling());
    const Example& other = profile_->first_other(spelling());
    return fmt::format("{} of {} {}, the first {}", count, counted(profile_->values(), "value"),
                       count == 1 ? "is no number" : "are no numbers",
                       shown(other.line > 0 ? other : profile_->first()));
  }

  const Inspection& found_;
  const TableOptions& options_;
  bool free_;  // the file decides what its columns are, where the config does not
  RawColumn* column_ = nullptr;
  std::string name_;  // of the column, in the config
  const ColumnProfile* profile_ = nullptr;
  std::vector<std::string> problems_, drop_, nominal_, placeholders_, as_comma_, as_point_, as_text_, constant_;
  bool missing_ = false, target_missing_ = false;
};

Settlement settled(std::vector<RawColumn>& columns, const Inspection& found, const TableOptions& options) {
  Settlement settlement(found, options);
  settlement.look_at_rows();
  for (std::size_t j = 0; j < columns.size(); ++j) settlement.look_at(columns, j);
  for (std::size_t j = 0; j < columns.size(); ++j) settlement.look_at_plain(columns[j], found.columns[j], columns);
  return settlement;
}

}  // namespace

std::vector<std::string> settle(std::vector<RawColumn>& columns, const Inspection& found, const TableOptions& options,
                                const std::string& origin) {
  const Settlement settlement = settled(columns, found, options);
  if (!settlement.problems().empty()) throw TableProblems(origin, settlement.problems(), settlement.config());
  return settlement.notes();
}

std::string name_in_config(const std::vector<RawColumn>& columns, std::size_t j) {
  const std::string& name = columns[j].name;
  const bool alone = std::ranges::count(columns, name, &RawColumn::name) == 1;
  return alone && is_utf8(name) ? name : std::to_string(j + 1);
}

SuggestedOptions suggest_options(std::vector<RawColumn> columns, const Inspection& found, const TableOptions& options) {
  const std::vector<RawColumn> before = columns;
  SuggestedOptions suggested = settled(columns, found, options).suggested();
  for (std::size_t j = 0; j < columns.size(); ++j) {
    if (columns[j].role != before[j].role) suggested.drop.push_back(name_in_config(columns, j));
    if (columns[j].kind != before[j].kind) suggested.nominal.push_back(name_in_config(columns, j));
  }
  return suggested;
}

}  // namespace elmx
