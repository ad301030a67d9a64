#include "data/likely_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <fstream>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "data/content/text_in_utf8.hpp"
#include "data/formats/formats.hpp"
#include "data/load.hpp"
#include "data/source.hpp"
#include "data/table/text.hpp"

namespace elmx {
namespace {

constexpr std::size_t kFewRows = 10;  // of two values in fewer rows nothing is known
constexpr std::size_t kLongestText = 40;
constexpr double kMostClasses = 10;      // of numbers that may be classes
constexpr std::size_t kRowsOfClass = 5;  // in the mean, of numbers that may be classes

/// Whether so many values with so many different ones among them, whole numbers from `min` to `max`, number classes.
bool number_classes(std::size_t values, std::size_t distinct, double min, double max) {
  const double count = static_cast<double>(distinct);
  return (min == 0 || min == 1) && max - min + 1 == count && count <= kMostClasses && values >= kRowsOfClass * distinct;
}

void add_new(const std::vector<std::string>& more, std::vector<std::string>& list) {
  for (const std::string& one : more) {
    if (std::ranges::find(list, one) == list.end()) list.push_back(one);
  }
}

bool has_classes(const ColumnProfile& profile) {
  if (profile.type() == ColumnType::category) return true;
  if (profile.values() < kFewRows) return false;
  if (profile.distinct() == 2) return true;
  return profile.is_whole_number() &&
         number_classes(profile.values(), profile.distinct(), profile.min(Decimal::plain), profile.max(Decimal::plain));
}

bool has_classes(const arma::vec& y) {
  if (y.n_elem < kFewRows) return false;
  const arma::vec distinct = arma::unique(y);
  if (distinct.n_elem == 2) return true;
  return arma::all(distinct == arma::round(distinct)) &&
         number_classes(y.n_elem, distinct.n_elem, distinct.front(), distinct.back());
}

/// A column that can be the target.
std::size_t likely_target(const std::vector<ColumnProfile>& profiles) {
  for (std::size_t j = profiles.size(); j-- > 0;) {
    if (profiles[j].type() == ColumnType::number || profiles[j].type() == ColumnType::category) return j;
  }
  return profiles.size() - 1;
}

/// The only column that the options name as the target.
std::size_t named_target(std::vector<RawColumn> columns, TableOptions options) {
  options.task = Task::classification;  // takes numbers and texts
  assign_roles(columns, options);
  return static_cast<std::size_t>(std::ranges::find(columns, Role::target, &RawColumn::role) - columns.begin());
}

void set_target(const DelimitedColumns& file, TableOptions& table, LikelyData& likely) {
  likely.target_guessed = table.target.empty();
  if (!likely.target_guessed) return;
  table.target = {name_in_config(file.columns, likely_target(file.found.columns))};
  likely.data["target"] = table.target;
}

void set_task(const DelimitedColumns& file, TableOptions& table, LikelyData& likely) {
  likely.task_guessed = !likely.data.contains("task");
  if (!likely.task_guessed) return;
  const bool classes = table.target.size() == 1 && has_classes(file.found.columns[named_target(file.columns, table)]);
  table.task = classes ? Task::classification : Task::regression;
  likely.data["task"] = classes ? "classification" : "regression";
}

/// Of a column of numbers, given or guessed to be one.
bool holds_numbers(const RawColumn& column, bool told_classes) {
  if (column.role == Role::dropped || column.role == Role::split) return false;
  return column.kind == Kind::number || (column.role == Role::target && !told_classes);
}

/// Takes few texts among numbers for missing values. False: there are none, or the config says what missing values are.
bool take_placeholders(const DelimitedColumns& file, TableOptions& table, LikelyData& likely) {
  if (likely.data.contains("missing_values")) return false;
  TableOptions any_task = table;
  if (table.target.size() == 1) any_task.task = Task::classification;
  std::vector<RawColumn> columns = file.columns;
  assign_roles(columns, any_task);
  std::vector<std::string> spellings, names, texts;
  const bool told_classes = likely.data.contains("task") && table.task == Task::classification;
  for (std::size_t j = 0; j < columns.size(); ++j) {
    const ColumnProfile& profile = file.found.columns[j];
    add_new(profile.missing_spellings(), spellings);
    if (!holds_numbers(columns[j], told_classes)) continue;
    std::vector<std::string> found = profile.placeholders(columns[j].decimal);
    // A class of the target is no missing value: its rows would be left out.
    for (std::size_t t = 0; t < columns.size(); ++t) {
      const ColumnProfile& other = file.found.columns[t];
      if (t == j || columns[t].role != Role::target || other.type() == ColumnType::number) continue;
      std::erase_if(found, [&](const std::string& text) { return other.has(text); });
    }
    if (found.empty()) continue;
    add_new(found, texts);
    names.push_back(columns[j].name);
  }
  if (texts.empty()) return false;
  add_new(texts, spellings);
  table.missing_values = MissingValues(spellings);
  likely.data["missing_values"] = spellings;
  for (std::string& text : texts) text = '"' + printable(text, kLongestText) + '"';
  likely.notes.push_back(fmt::format("{}: {} among the numbers of {}: taken for missing values (\"missing_values\")",
                                     likely.name, fmt::join(texts, ", "), fmt::join(names, ", ")));
  return true;
}

/// What is left out or coded although it has numbers in it is said.
void note_texts_with_numbers(const RawColumn& column, const ColumnProfile& profile, bool dropped, LikelyData& likely) {
  const Decimal decimal = profile.best_decimal();
  const bool mixed = dropped && profile.type() == ColumnType::number && profile.numbers_as(decimal) < profile.values();
  if (column.role != Role::input || !(profile.has_units() || mixed)) return;
  const Example& text = profile.first_other(decimal);
  likely.notes.push_back(
      fmt::format("{}: column {} has {} (\"{}\" in line {}) and is {}; plain numbers would be one input", likely.name,
                  column.name, mixed ? "texts among its numbers" : "numbers with a sign or a unit",
                  printable(text.text, kLongestText), text.line, dropped ? "left out" : "taken for categories"));
}

LikelyData likely_delimited(const DataOptions& options, const Json& given) {
  const Source source = source_of(options);
  TableOptions table = source.table;
  LikelyData likely;
  likely.name = source.name;
  likely.data = given;
  Content content = read_verified(source.train, source);
  make_utf8(content);
  likely.file = inspect_delimited(content, table, source.delimited);
  if (likely.file->found.rows == 0)
    throw DataError(source.train.path.string() + ": no data; at least one row is expected");
  set_target(*likely.file, table, likely);
  if (take_placeholders(*likely.file, table, likely)) likely.file = inspect_delimited(content, table, source.delimited);
  const DelimitedColumns& file = *likely.file;
  set_task(file, table, likely);
  std::vector<RawColumn> columns = file.columns;
  assign_roles(columns, table);
  const SuggestedOptions suggested = suggest_options(columns, file.found, table);
  std::vector<std::string> drop = options.drop;
  drop.insert(drop.end(), suggested.drop.begin(), suggested.drop.end());
  for (std::size_t j = 0; j < columns.size(); ++j) {
    const ColumnProfile& profile = file.found.columns[j];
    const bool useless = profile.type() == ColumnType::identifier || profile.type() == ColumnType::constant;
    const bool is_input = columns[j].role == Role::input && columns[j].kind == Kind::number;
    const std::string name = name_in_config(columns, j);
    if (is_input && useless && std::ranges::count(drop, name) == 0) drop.push_back(name);
    note_texts_with_numbers(columns[j], profile, std::ranges::count(drop, name) > 0, likely);
  }
  std::vector<std::string> nominal = options.nominal;
  for (const std::string& name : suggested.nominal) {
    if (std::ranges::count(drop, name) == 0) nominal.push_back(name);
  }
  if (!drop.empty()) likely.data["drop"] = drop;
  if (!nominal.empty()) likely.data["nominal"] = nominal;
  if (!suggested.missing.empty()) likely.data["missing"] = suggested.missing;
  return likely;
}

/// As a regression, or, where that cannot be, as a classification.
Dataset load_as_any_task(DataOptions options) {
  try {
    return load_dataset(options, {}, "", 1);
  } catch (const UserError&) {
    const std::exception_ptr reason = std::current_exception();
    options.task = "classification";
    try {
      return load_dataset(options, {}, "", 1);
    } catch (const UserError&) {
      std::rethrow_exception(reason);
    }
  }
}

/// Of a format that says itself what its columns are.
LikelyData likely_described(DataOptions options, const Json& given) {
  LikelyData likely;
  likely.name = source_of(options).name;
  likely.data = given;
  const bool table = options.format == "arff" || options.format == "npy";
  likely.target_guessed = table && options.target.empty() && options.images.labels_path.empty();
  if (likely.target_guessed) likely.data["target"] = options.target = {"-1"};
  likely.task_guessed = !given.contains("task");
  const bool told = given.contains("missing");
  if (!told) options.missing = "mean";
  const Dataset data = likely.task_guessed ? load_as_any_task(options) : load_dataset(options, {}, "", 1);
  const bool classes = data.task == Task::classification || (data.Y.n_cols == 1 && has_classes(data.Y.col(0)));
  if (likely.task_guessed) likely.data["task"] = classes ? "classification" : "regression";
  const bool some_category = std::ranges::any_of(data.columns, [](const KnownColumn& column) {
    return column.role == "input" && std::ranges::count(column.categories, kMissingCategory) > 0;
  });
  if (!told && data.missing && (some_category || data.X.has_nonfinite())) likely.data["missing"] = "mean";
  return likely;
}

/// Whether the first line is a label and then nothing but INDEX:VALUE: the published sets have no ending.
bool looks_like_libsvm(const std::string& path) {
  std::string line;
  if (std::ifstream file(path, std::ios::binary); !std::filesystem::is_regular_file(path) || !std::getline(file, line))
    return false;
  Fields fields(' ');
  const auto& words = fields.split(trimmed(line));
  const auto is_entry = [](std::string_view word) {
    const std::size_t colon = word.find(':');
    return colon != std::string_view::npos && colon > 0 &&
           word.substr(0, colon).find_first_not_of("0123456789") == std::string_view::npos &&
           parse_number(word.substr(colon + 1));
  };
  return words.size() > 1 && parse_number(words.front()) && std::all_of(words.begin() + 1, words.end(), is_entry);
}

std::string likely_format(const std::string& path) {
  const std::string format = data_format_of(path).name;
  if (format == "delimited" && looks_like_libsvm(path)) return "libsvm";
  if (format != "keel") return format;
  Content content = read_content(path);
  make_utf8(content);
  const std::size_t begin = content.bytes.find_first_not_of("\xEF\xBB\xBF \t\r\n");
  return begin != std::string::npos && content.bytes[begin] == '@' ? format : "delimited";
}

}  // namespace

LikelyData likely_data(Json given) {
  DataOptions options;
  if (!given.contains("format")) {
    read_options(given, "/data", options);
    const std::string format = likely_format(options.path);
    if (format != options.format) given["format"] = format;
  }
  read_options(given, "/data", options);
  return options.format == "delimited" ? likely_delimited(options, given) : likely_described(options, given);
}

}  // namespace elmx
