#include "data/table/table.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <sstream>
#include <string_view>
#include <unordered_map>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "data/values/text.hpp"

namespace elmx {
namespace {

constexpr const char* kTarget = "/data/target";

/// Returns how to write several columns, if commas separate names or numbers of columns in a text; else "".
std::string about_commas(const std::vector<RawColumn>& columns, const std::string& wanted, const std::string& place) {
  std::vector<std::string> names;
  std::istringstream parts(wanted);
  for (std::string part; std::getline(parts, part, ',');) {
    names.emplace_back(trimmed(part));
    if (std::ranges::count(columns, names.back(), &RawColumn::name) == 0 && !parse_number(names.back())) return "";
  }
  if (names.size() < 2) return "";
  std::string options;
  for (const std::string& name : names) options += " --target " + shell_word(name);
  return fmt::format("; several columns are a list, {}{}",
                     Json(names).dump(-1, ' ', false, Json::error_handler_t::replace),
                     place == kTarget ? " (or options:" + options + ")" : "");
}

/// Returns the column with this name or number. A dropped column is found by a name that no other column has.
/// place: the option that names it, for errors.
RawColumn& find_column(std::vector<RawColumn>& columns, const std::string& wanted, const std::string& place) {
  const auto is_used = [&](const RawColumn& column) { return column.name == wanted && column.role != Role::dropped; };
  const auto alike = std::ranges::count_if(columns, is_used);
  if (alike == 1) return *std::ranges::find_if(columns, is_used);
  if (const auto dropped = std::ranges::find(columns, wanted, &RawColumn::name); alike == 0 && dropped != columns.end())
    return *dropped;
  if (alike > 1)
    throw ConfigError(place, fmt::format("{} columns are called \"{}\"; use the number of one", alike, wanted));
  const auto count = static_cast<long>(columns.size());
  long position = 0;
  const auto [end, error] = std::from_chars(wanted.data(), wanted.data() + wanted.size(), position);
  if (error != std::errc() || end != wanted.data() + wanted.size()) {
    const std::string several = about_commas(columns, wanted, place);
    throw ConfigError(place, fmt::format("unknown column \"{}\"{}", wanted,
                                         several.empty() ? suggest_name(wanted, names_of(columns)) : several));
  }
  if (position == 0 || position > count || position < -count)
    throw ConfigError(
        place,
        fmt::format("expected a column from 1 to {0}, or from -1 to -{0} for the last ones, found {1}", count, wanted));
  return columns[static_cast<std::size_t>(position > 0 ? position - 1 : count + position)];
}

void assign_target(RawColumn& column, const TableOptions& options) {
  if (column.role == Role::dropped)
    throw ConfigError(kTarget,
                      fmt::format("column \"{}\" is also in data.drop; remove it from one of them", column.name));
  column.role = Role::target;
  if (options.guess_task) return;
  if (options.task == Task::regression && column.kind == Kind::category)
    throw ConfigError(kTarget, fmt::format("a regression needs numbers, but column \"{}\" is nominal", column.name));
  column.set_known_kind(options.task == Task::classification ? Kind::category : column.kind);
}

void assign_as_in(const std::vector<RawColumn>& first, std::vector<RawColumn>& columns) {
  for (std::size_t j = 0; j < columns.size(); ++j) {
    columns[j].role = first[j].role;
    columns[j].set_known_kind(first[j].kind);
    columns[j].spelling = first[j].spelling;
    columns[j].order = first[j].order;
    columns[j].parts = first[j].parts;
  }
}

bool are_unnamed(const std::vector<std::string>& names) { return names == names_of(unnamed_columns(names.size())); }

/// Names the columns of a file without a header after the model's columns, with or without the targets.
void name_by_place(std::vector<RawColumn>& columns, const KnownFile& known) {
  std::vector<std::string> names = names_of(known.columns), inputs;
  for (const KnownColumn& column : known.columns) {
    if (column.role != "target") inputs.push_back(column.name);
  }
  if (!are_unnamed(names) && !are_unnamed(inputs))  // targets in a file of their own have names
    throw DataError(known.origin,
                    fmt::format("expected a header with the names of the model's columns ({}, ...)", names.front()));
  if (columns.size() != names.size() && columns.size() != inputs.size())
    throw DataError(known.origin, fmt::format("expected {}, or {} without the target, found {}",
                                              counted(names.size(), "column"), inputs.size(), columns.size()));
  if (columns.size() != names.size()) names = inputs;
  for (std::size_t j = 0; j < columns.size(); ++j) columns[j].name = names[j];
}

/// Sets `of_model` of each column.
void find_in_model(std::vector<RawColumn>& columns, const KnownFile& known) {
  if (are_unnamed(names_of(columns))) name_by_place(columns, known);
  const std::vector<std::string> wanted = names_of(known.columns), names = names_of(columns);
  std::unordered_map<std::string_view, std::size_t> places, times;
  for (std::size_t k = 0; k < wanted.size(); ++k) places.try_emplace(wanted[k], k);
  for (const std::string& name : names) ++times[name];
  std::vector<bool> found(wanted.size());
  std::vector<std::string> others;
  const bool same = names == wanted;
  for (std::size_t j = 0; j < names.size(); ++j) {
    const auto place = places.find(names[j]);
    if (place == places.end()) {
      if (known.sparse)
        throw DataError(known.origin,
                        fmt::format("the model has no column \"{}\"{}", names[j], suggest_name(names[j], wanted)));
      others.push_back(names[j]);
      continue;
    }
    if (!same && times[names[j]] > 1)
      throw DataError(known.origin, fmt::format("duplicate column \"{}\" of the model", names[j]));
    columns[j].of_model = same ? j : place->second;
    found[columns[j].of_model] = true;
  }
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    if (known.sparse || known.columns[k].role != "input" || found[k]) continue;
    const bool misspelt = !nearest(wanted[k], others).empty();  // other names would not help
    throw DataError(known.origin, fmt::format("missing column \"{}\", an input of the model{}", wanted[k],
                                              misspelt ? suggest_name(wanted[k], others) : ""));
  }
}

Spelling known_spelling(const KnownColumn& column) {
  if (!column.decimal) return {};
  const bool comma = column.decimal == "comma";
  Spelling spelling{comma ? ',' : '.', comma ? '.' : ',', "", ""};
  if (column.thousands) spelling.thousands = column.thousands->empty() ? '\0' : column.thousands->front();
  if (column.unit && column.unit->size() == 2) {
    spelling.before = column.unit->front();
    spelling.behind = column.unit->back();
    spelling.optional_unit = true;
  }
  return spelling;
}

void set_spelling(KnownColumn& column, const Spelling& spelling) {
  if (spelling.is_plain()) return;
  const bool comma = spelling.decimal == ',';
  column.decimal = comma ? "comma" : "point";
  const bool other_mark = spelling.thousands == (comma ? '.' : ',');
  if (!other_mark) column.thousands = spelling.thousands == '\0' ? "" : std::string(1, spelling.thousands);
  if (!spelling.before.empty() || !spelling.behind.empty()) column.unit = {spelling.before, spelling.behind};
}

void assign_known_roles(std::vector<RawColumn>& columns, const KnownFile& known) {
  find_in_model(columns, known);
  for (const std::string& name : known.keep) {
    if (std::ranges::count(columns, name, &RawColumn::name) == 0)
      throw ConfigError("--keep", fmt::format("{} has no column \"{}\"{}", known.origin, name,
                                              suggest_name(name, names_of(columns))));
  }
  for (RawColumn& column : columns) {
    const KnownColumn* model = column.of_model == kNotOfModel ? nullptr : &known.columns[column.of_model];
    column.role = Role::dropped;
    if (model != nullptr && model->role == "input") column.role = Role::input;
    if (model != nullptr && model->role == "target" && known.targets) column.role = Role::target;
    if (std::ranges::count(known.keep, column.name) > 0) {
      column.kept = column.role != Role::dropped;
      if (!column.kept) {
        column.role = Role::split;
        column.set_known_kind(Kind::category);
      }
    }
    if (column.role == Role::dropped || column.role == Role::split) continue;
    if (column.role == Role::input && column.kind == Kind::category && !model->nominal)
      throw DataError(known.origin,
                      fmt::format("column \"{}\" has categories, but the model was trained on numbers", column.name));
    column.set_known_kind(model->nominal ? Kind::category : model->date_parts ? Kind::date : Kind::number);
    column.spelling = known_spelling(*model);
    column.spelling_is_known = known.same_file;
    if (!model->date_parts) continue;
    if (model->date_order)
      column.order = model->date_order == "month_first" ? DateOrder::month_first : DateOrder::day_first;
    for (const std::string& part : *model->date_parts)
      column.parts.push_back(static_cast<DatePart>(std::ranges::find(kDateParts, part) - kDateParts.begin()));
  }
}

}  // namespace

void KnownColumn::fields(FieldVisitor& field) {
  field("name", name, "name of the column");
  field("role", role, "role of the column", one_of({"input", "target", "dropped"}));
  field("nominal", nominal, "true: the values are categories");
  field("categories", categories, "categories of an input, in the order of their columns or numbers");
  field("decimal", decimal, "the decimal mark of its numbers, where some have thousands separators or commas",
        one_of({"point", "comma"}));
  field("thousands", thousands,
        "the thousands mark of its numbers, if it is not the other one of point and comma; empty: none");
  field("unit", unit, "the texts before and behind each number");
  field("date_parts", date_parts, "the inputs that a date becomes");
  field("date_order", date_order, "order of day and month in dates such as 3/4/2024",
        one_of({"day_first", "month_first"}));
  field("range", range, "the least and the largest value of an input of numbers or dates");
}

void extend_range(KnownColumn& column, const std::vector<double>& values) {
  for (const double value : values) {
    if (std::isnan(value)) continue;
    if (!column.range) column.range = {value, value};
    column.range->front() = std::min(column.range->front(), value);
    column.range->back() = std::max(column.range->back(), value);
  }
}

bool marks_rows(const KnownColumn& column) {
  return column.categories.size() == 2 && std::ranges::count(column.categories, kMissingCategory) == 1;
}

std::vector<std::size_t> places_in_model(const std::vector<std::string>& categories, const KnownColumn& model) {
  std::unordered_map<std::string, std::size_t> known;
  for (std::size_t k = 0; k < model.categories.size(); ++k) known.emplace(model.categories[k], k);
  for (std::size_t k = 0; k < model.categories.size(); ++k) known.emplace(canonical_label(model.categories[k]), k);
  std::vector<std::size_t> places;
  const auto add = [&](const std::string& category) {
    const auto found = known.find(category);
    places.push_back(found == known.end() ? kNotOfModel : found->second);
  };
  std::ranges::for_each(categories, add);
  add(kMissingCategory);
  return places;
}

KnownColumn known_column(const RawColumn& column) {
  KnownColumn known;
  known.name = column.name;
  known.role = kRoles[static_cast<std::size_t>(column.role == Role::split ? Role::dropped : column.role)];
  known.nominal = column.kind == Kind::category && column.role != Role::split;
  if (column.kind == Kind::number && column.spelling) set_spelling(known, *column.spelling);
  if (column.role == Role::input) {
    known.categories = column.categories;
    if (!column.declared) std::ranges::sort(known.categories);
  }
  if (column.kind != Kind::date || column.role != Role::input) return known;
  known.date_parts.emplace();
  for (const DatePart part : column.parts) known.date_parts->emplace_back(kDateParts[static_cast<std::size_t>(part)]);
  if (column.order) known.date_order = column.order == DateOrder::month_first ? "month_first" : "day_first";
  return known;
}

std::vector<std::string> input_names(const KnownColumn& column, bool codes) {
  std::vector<std::string> names;
  if (column.role != "input") return names;
  if (column.date_parts) {
    for (const std::string& part : *column.date_parts) names.push_back(column.name + ':' + part);
  } else if (column.nominal && !codes) {
    for (const std::string& category : column.categories) names.push_back(column.name + '=' + category);
  } else {
    names.push_back(column.name);
  }
  return names;
}

std::vector<std::string> target_names(const std::vector<KnownColumn>& columns, std::size_t outputs) {
  std::vector<std::string> names;
  for (const KnownColumn& column : columns) {
    if (column.role == "target") names.push_back(column.name);
  }
  if (names.size() == outputs) return names;
  names.clear();
  for (std::size_t j = 1; j <= outputs; ++j) names.push_back(outputs == 1 ? "y" : "y" + std::to_string(j));
  return names;
}

void assign_roles(std::vector<RawColumn>& columns, const TableOptions& options,
                  const std::vector<std::string>& default_target) {
  if (options.known) return assign_known_roles(columns, *options.known);
  if (options.first_file && std::ranges::equal(columns, *options.first_file, {}, &RawColumn::name, &RawColumn::name))
    return assign_as_in(*options.first_file, columns);
  const std::vector<std::string>& target = options.target.empty() ? default_target : options.target;
  if (target.empty() && !options.guess_target)
    throw ConfigError(kTarget, "missing; give the names or numbers of the target columns");
  if (options.task == Task::classification && !options.guess_task && target.size() > 1)
    throw ConfigError(kTarget, fmt::format("expected one column for a classification, found {}", target.size()));
  for (const std::string& wanted : options.drop) find_column(columns, wanted, "/data/drop").role = Role::dropped;
  for (const std::string& wanted : options.nominal)
    find_column(columns, wanted, "/data/nominal").set_known_kind(Kind::category);
  for (const std::string& wanted : target) assign_target(find_column(columns, wanted, kTarget), options);
  for (const std::string& wanted : options.other_targets) {
    RawColumn& column = find_column(columns, wanted, kTarget);
    if (column.role == Role::input) column.role = Role::dropped;
  }
  if (options.split.name.empty()) return;
  RawColumn& split = find_column(columns, options.split.name, options.split.place);
  if (split.role == Role::target)
    throw ConfigError(options.split.place, fmt::format("column \"{}\" is the target; use another column", split.name));
  split.role = Role::split;
  split.set_known_kind(Kind::category);
}

void refuse_equal_names(const RawTable& table) {
  std::unordered_map<std::string_view, std::size_t> first;
  for (std::size_t j = 0; j < table.columns.size(); ++j) {
    const RawColumn& column = table.columns[j];
    if (column.role == Role::dropped) continue;
    const auto [known, is_new] = first.try_emplace(column.name, j);
    if (is_new) continue;
    throw DataError(table.origin, fmt::format("columns {0} and {1} are both called \"{2}\"; rename one, or set "
                                              "data.drop to [\"{1}\"]",
                                              known->second + 1, j + 1, column.name));
  }
}

void refuse_repeated_names(const RawTable& table) {
  std::set<std::size_t> lines;
  std::size_t names = 0;
  for (std::size_t j = 0; j < table.columns.size(); ++j) {
    const std::string& name = table.columns[j].name;
    if (table.texts[j].skipped() || parse_number(name)) continue;
    const std::vector<DistinctText>& texts = table.texts[j].distinct();
    const auto found = std::ranges::find(texts, name, &DistinctText::text);
    if (found == texts.end()) return;
    lines.insert(found->line);
    ++names;
  }
  if (names > 1 && lines.size() == 1)
    throw DataError(fmt::format("{}:{}", table.origin, *lines.begin()),
                    "the line repeats the names of the columns; remove it");
}

std::string name_in_config(const std::vector<std::string>& names, std::size_t j) {
  if (std::ranges::count(names, names[j]) == 1 && is_utf8(names[j])) return names[j];
  const std::string place = std::to_string(j + 1);  // counted from the end where another column is called so
  return std::ranges::count(names, place) == 0 ? place : "-" + std::to_string(names.size() - j);
}

std::vector<RawColumn> unnamed_columns(std::size_t count) {
  std::vector<RawColumn> columns(count);
  for (std::size_t j = 0; j < count; ++j) columns[j].name = "column" + std::to_string(j + 1);
  return columns;
}

}  // namespace elmx
