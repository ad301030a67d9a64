#include "data/table/known_columns.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>
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

std::string in_quotes(const std::string& name) { return "\"" + name + "\""; }

std::vector<std::string> names_of_inputs(const KnownFile& known) {
  std::vector<std::string> names;
  for (const KnownColumn& column : known.columns) {
    if (column.role != "target") names.push_back(column.name);
  }
  return names;
}

/// Names the columns of a file without a header: those of the model, or all but its targets.
void name_by_place(std::vector<RawColumn>& columns, const KnownFile& known) {
  const std::vector<std::string> all = names_of(known.columns), inputs = names_of_inputs(known);
  if (columns.size() != all.size() && columns.size() != inputs.size()) {
    throw DataError(fmt::format("{}: {}; {} are expected, or {} without the target", known.origin,
                                counted(columns.size(), "column"), all.size(), inputs.size()));
  }
  const std::vector<std::string>& names = columns.size() == all.size() ? all : inputs;
  for (std::size_t j = 0; j < columns.size(); ++j) columns[j].name = names[j];
}

}  // namespace

std::vector<std::size_t> category_order(const RawColumn& column) {
  std::vector<std::size_t> order(column.categories.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (!column.declared) std::ranges::sort(order, {}, [&](std::size_t k) { return column.categories[k]; });
  return order;
}

KnownColumn known_column(const RawColumn& column) {
  KnownColumn known;
  known.name = column.name;
  known.role = column.role == Role::input ? "input" : column.role == Role::target ? "target" : "dropped";
  known.nominal = column.kind == Kind::category && column.role != Role::split;
  if (column.kind == Kind::number && column.spelling) known.set_spelling(*column.spelling);
  if (column.role == Role::input) {
    for (const std::size_t k : category_order(column)) known.categories.push_back(column.categories[k]);
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

std::vector<std::size_t> match_columns(std::vector<RawColumn>& columns, const KnownFile& known) {
  const std::vector<std::string> wanted = names_of(known.columns);
  if (are_unnamed(names_of(columns))) {
    if (!are_unnamed(wanted) && !are_unnamed(names_of_inputs(known))) {  // targets in a file of their own have names
      throw DataError(
          fmt::format("{}: no header; the names of the columns are expected: {}, ...", known.origin, wanted.front()));
    }
    name_by_place(columns, known);
  }
  const std::vector<std::string> names = names_of(columns);
  std::unordered_map<std::string_view, std::size_t> places, times;
  for (std::size_t k = 0; k < wanted.size(); ++k) places.try_emplace(wanted[k], k);
  for (const std::string& name : names) ++times[name];
  std::vector<std::size_t> match(columns.size());
  std::vector<bool> found(wanted.size());
  const bool same = names == wanted;
  for (std::size_t j = 0; j < names.size(); ++j) {
    const auto place = places.find(names[j]);
    if (place == places.end() && !known.sparse) {
      match[j] = kNotOfModel;
      continue;
    }
    if (place == places.end()) {
      throw DataError(fmt::format("{}: column {} is none of the model's{}", known.origin, in_quotes(names[j]),
                                  suggest_name(names[j], wanted)));
    }
    match[j] = same ? j : place->second;
    found[match[j]] = true;
    if (!same && times[names[j]] > 1) {
      throw DataError(fmt::format("{}: column {} stands twice; allowed: once", known.origin, in_quotes(names[j])));
    }
  }
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    if (known.sparse || known.columns[k].role != "input" || found[k]) continue;
    std::vector<std::string> others;
    for (std::size_t j = 0; j < names.size(); ++j) {
      if (match[j] == kNotOfModel) others.push_back(names[j]);
    }
    const bool misspelt = !nearest(wanted[k], others).empty();  // what else is there is no help
    throw DataError(fmt::format("{}: no column {}; the model has it as an input{}", known.origin, in_quotes(wanted[k]),
                                misspelt ? suggest_name(wanted[k], others) : ""));
  }
  return match;
}

void assign_known_roles(std::vector<RawColumn>& columns, const KnownFile& known) {
  const std::vector<std::size_t> match = match_columns(columns, known);
  for (const std::string& name : known.keep) {
    if (std::ranges::count(columns, name, &RawColumn::name) == 0)
      throw ConfigError(fmt::format("--keep: {} has no column {}{}", known.origin, in_quotes(name),
                                    suggest_name(name, names_of(columns))));
  }
  for (std::size_t j = 0; j < columns.size(); ++j) {
    RawColumn& column = columns[j];
    const bool unused = match[j] == kNotOfModel || known.columns[match[j]].role == "dropped";
    if (std::ranges::count(known.keep, column.name) > 0) {
      if (!unused)
        throw ConfigError(fmt::format("--keep: {} is an input or the target of the model; keep another column",
                                      in_quotes(column.name)));
      column.role = Role::split;
      column.kind = Kind::category;
      column.kind_is_known = true;
      continue;
    }
    if (match[j] == kNotOfModel) {
      column.role = Role::dropped;
      continue;
    }
    const KnownColumn& model = known.columns[match[j]];
    const bool target = model.role == "target";
    column.role = model.role == "input" ? Role::input : target && known.targets ? Role::target : Role::dropped;
    if (column.role == Role::input && column.kind == Kind::category && !model.nominal) {
      throw DataError(fmt::format("{}: column {} has categories; the model was trained on numbers", known.origin,
                                  in_quotes(column.name)));
    }
    column.kind = model.nominal ? Kind::category : model.date_parts ? Kind::date : Kind::number;
    column.kind_is_known = true;
    column.spelling = model.spelling();
    column.spelling_is_known = known.same_file;
    if (!model.date_parts) continue;
    if (model.date_order)
      column.order = model.date_order == "month_first" ? DateOrder::month_first : DateOrder::day_first;
    for (const std::string& part : *model.date_parts)
      column.parts.push_back(static_cast<DatePart>(std::ranges::find(kDateParts, part) - kDateParts.begin()));
  }
}

std::size_t width_of(const KnownColumn& column, bool codes) {
  if (column.role != "input") return 0;
  if (column.date_parts) return column.date_parts->size();
  return column.nominal && !codes ? column.categories.size() : 1;
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
