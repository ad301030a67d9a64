#include "data/table/known_columns.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "data/table/roles.hpp"
#include "data/values/text.hpp"

namespace elmx {
namespace {

template <class Columns>
std::vector<std::string> names_of(const Columns& columns) {
  std::vector<std::string> names;
  for (const auto& column : columns) names.push_back(column.name);
  return names;
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
    const bool misspelt = !nearest(wanted[k], others).empty();  // what else is there is no help
    throw DataError(known.origin, fmt::format("missing column \"{}\", an input of the model{}", wanted[k],
                                              misspelt ? suggest_name(wanted[k], others) : ""));
  }
}

}  // namespace

void KnownColumn::fields(FieldVisitor& field) {
  field("name", name, "of the column");
  field("role", role, "what it is", one_of({"input", "target", "dropped"}));
  field("nominal", nominal, "its values are categories");
  field("categories", categories, "of an input, in the order of their columns or numbers");
  field("mean", mean, "what takes the place of a missing value, in models of format 1");
  field("decimal", decimal, "the decimal mark of its numbers, where some have thousands separators or commas",
        one_of({"point", "comma"}));
  field("thousands", thousands, "the thousands mark of its numbers, if it is no point or comma");
  field("unit", unit, "what stands before and behind each number");
  field("date_parts", date_parts, "the inputs that a date becomes");
  field("date_order", date_order, "of day and month in dates such as 3/4/2024", one_of({"day_first", "month_first"}));
}

KnownColumn known_column(const RawColumn& column) {
  KnownColumn known;
  known.name = column.name;
  known.role = kRoles[static_cast<std::size_t>(column.role == Role::split ? Role::dropped : column.role)];
  known.nominal = column.kind == Kind::category && column.role != Role::split;
  if (column.kind == Kind::number && column.spelling) known.set_spelling(*column.spelling);
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

void KnownColumn::set_spelling(const Spelling& spelling) {
  if (spelling.is_plain()) return;
  decimal = spelling.decimal == ',' ? "comma" : "point";
  const bool other_mark = spelling.thousands == (spelling.decimal == ',' ? '.' : ',');
  if (!other_mark) thousands = spelling.thousands == '\0' ? "" : std::string(1, spelling.thousands);
  if (!spelling.before.empty() || !spelling.behind.empty()) unit = {spelling.before, spelling.behind};
}

Spelling KnownColumn::spelling() const {
  if (!decimal) return {};
  Spelling spelling{*decimal == "comma" ? ',' : '.', *decimal == "comma" ? '.' : ',', "", ""};
  if (thousands) spelling.thousands = thousands->empty() ? '\0' : thousands->front();
  if (unit && unit->size() == 2) {
    spelling.before = unit->front();
    spelling.behind = unit->back();
    spelling.optional_unit = true;
  }
  return spelling;
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
    if (std::ranges::count(known.keep, column.name) > 0) {
      if (model != nullptr && model->role != "dropped")
        throw ConfigError(
            "--keep", fmt::format("\"{}\" is an input or the target of the model; keep another column", column.name));
      column.role = Role::split;
      column.set_known_kind(Kind::category);
      continue;
    }
    if (model == nullptr) continue;
    if (model->role == "input") column.role = Role::input;
    if (model->role == "target" && known.targets) column.role = Role::target;
    if (column.role == Role::input && column.kind == Kind::category && !model->nominal)
      throw DataError(known.origin,
                      fmt::format("column \"{}\" has categories, but the model was trained on numbers", column.name));
    column.set_known_kind(model->nominal ? Kind::category : model->date_parts ? Kind::date : Kind::number);
    column.spelling = model->spelling();
    column.spelling_is_known = known.same_file;
    if (!model->date_parts) continue;
    if (model->date_order)
      column.order = model->date_order == "month_first" ? DateOrder::month_first : DateOrder::day_first;
    for (const std::string& part : *model->date_parts)
      column.parts.push_back(static_cast<DatePart>(std::ranges::find(kDateParts, part) - kDateParts.begin()));
  }
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

}  // namespace elmx
