#include "data/table/roles.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "data/values/text.hpp"

namespace elmx {
namespace {

constexpr const char* kTarget = "/data/target";

/// Returns the column with this name or number. place: the option that names it, for errors.
RawColumn& find_column(std::vector<RawColumn>& columns, const std::string& wanted, const std::string& place) {
  const auto alike = std::ranges::count(columns, wanted, &RawColumn::name);
  if (alike == 1) return *std::ranges::find(columns, wanted, &RawColumn::name);
  if (alike > 1)
    throw ConfigError(place, fmt::format("{} columns are called \"{}\"; use the number of one", alike, wanted));
  const auto count = static_cast<long>(columns.size());
  long position = 0;
  const auto [end, error] = std::from_chars(wanted.data(), wanted.data() + wanted.size(), position);
  if (error != std::errc() || end != wanted.data() + wanted.size()) {
    std::vector<std::string> names;
    for (const RawColumn& column : columns) names.push_back(column.name);
    throw ConfigError(place, fmt::format("unknown column \"{}\"{}", wanted, suggest_name(wanted, names)));
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

}  // namespace

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

/// Names tell columns apart: a second column of the name of the target would be an input that is the target.
void refuse_equal_names(const std::vector<RawColumn>& columns, const std::string& origin) {
  std::map<std::string_view, std::size_t> first;
  for (std::size_t j = 0; j < columns.size(); ++j) {
    if (columns[j].role == Role::dropped) continue;
    const auto [known, is_new] = first.try_emplace(columns[j].name, j);
    if (is_new) continue;
    throw DataError(
        origin, fmt::format("columns {0} and {1} are both called \"{2}\"; rename one, or set data.drop to [\"{1}\"]",
                            known->second + 1, j + 1, columns[j].name));
  }
}

std::vector<RawColumn> unnamed_columns(std::size_t count) {
  std::vector<RawColumn> columns(count);
  for (std::size_t j = 0; j < count; ++j) columns[j].name = "column" + std::to_string(j + 1);
  return columns;
}

}  // namespace elmx
