#include "data/table/roles.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "data/values/text.hpp"

namespace elmx {
namespace {

constexpr const char* kTarget = "/data/target";

std::optional<long> parse_position(const std::string& text) {
  long position = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), position);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return position;
}

/// The column that is meant by a name or a number; `place` of the option begins the message.
RawColumn& find_column(std::vector<RawColumn>& columns, const std::string& wanted, const std::string& place) {
  if (const auto named = std::ranges::find(columns, wanted, &RawColumn::name); named != columns.end()) {
    const auto alike = std::ranges::count(columns, wanted, &RawColumn::name);
    if (alike == 1) return *named;
    throw ConfigError(fmt::format("{}: {} columns are called \"{}\"; allowed: the number of the one that is meant",
                                  place, alike, wanted));
  }

  const auto count = static_cast<long>(columns.size());
  const auto position = parse_position(wanted);
  if (!position) {
    std::vector<std::string> names;
    for (const RawColumn& column : columns) names.push_back(column.name);
    throw ConfigError(fmt::format("{}: no column \"{}\"{}", place, wanted, suggest_name(wanted, names)));
  }
  if (*position == 0 || *position > count || *position < -count) {
    throw ConfigError(
        fmt::format("{}: no column {}; allowed: 1 to {}, or -1 to -{} from the end", place, wanted, count, count));
  }
  return columns[static_cast<std::size_t>(*position > 0 ? *position - 1 : count + *position)];
}

void assign_target(RawColumn& column, const TableOptions& options) {
  const Task task = options.task;
  if (column.role == Role::dropped) {
    throw ConfigError("/data/target: column \"" + column.name + "\" is also dropped; allowed: one or the other");
  }
  if (options.guess_task) {
    column.role = Role::target;
    return;
  }
  if (task == Task::regression && column.kind == Kind::category) {
    throw ConfigError("/data/target: column \"" + column.name + "\" is nominal; a regression needs numbers");
  }
  column.role = Role::target;
  if (task == Task::classification) column.kind = Kind::category;
  column.kind_is_known = true;
}

void assign_as_in(const std::vector<RawColumn>& first, std::vector<RawColumn>& columns) {
  for (std::size_t j = 0; j < columns.size(); ++j) {
    columns[j].role = first[j].role;
    columns[j].kind = first[j].kind;
    columns[j].spelling = first[j].spelling;
    columns[j].order = first[j].order;
    columns[j].parts = first[j].parts;
    columns[j].kind_is_known = true;
  }
}

void assign_split(RawColumn& column, const TableOptions& options) {
  if (column.role == Role::target) {
    throw ConfigError(
        fmt::format("{}: column \"{}\" is the target; allowed: another column", options.split.place, column.name));
  }
  column.role = Role::split;
  column.kind = Kind::category;
  column.kind_is_known = true;
}

}  // namespace

void assign_roles(std::vector<RawColumn>& columns, const TableOptions& options,
                  const std::vector<std::string>& default_target) {
  if (options.known) return assign_known_roles(columns, *options.known);
  if (options.first_file && std::ranges::equal(columns, *options.first_file, {}, &RawColumn::name, &RawColumn::name))
    return assign_as_in(*options.first_file, columns);
  const std::vector<std::string>& target = options.target.empty() ? default_target : options.target;
  if (target.empty() && !options.guess_target)
    throw ConfigError("/data/target: missing; name the target column(s), or give their numbers");
  if (options.task == Task::classification && !options.guess_task && target.size() > 1) {
    throw ConfigError(fmt::format("/data/target: {} columns; a classification has one", target.size()));
  }
  for (const std::string& wanted : options.drop) find_column(columns, wanted, "/data/drop").role = Role::dropped;
  for (const std::string& wanted : options.nominal) {
    RawColumn& column = find_column(columns, wanted, "/data/nominal");
    column.kind = Kind::category;
    column.kind_is_known = true;
  }
  for (const std::string& wanted : target) assign_target(find_column(columns, wanted, kTarget), options);
  for (const std::string& wanted : options.other_targets) {
    RawColumn& column = find_column(columns, wanted, kTarget);
    if (column.role == Role::input) column.role = Role::dropped;
  }
  if (!options.split.name.empty()) assign_split(find_column(columns, options.split.name, options.split.place), options);
}

/// Names tell columns apart: a second column of the name of the target would be an input that is the target.
void refuse_equal_names(const std::vector<RawColumn>& columns, const std::string& origin) {
  std::map<std::string_view, std::size_t> first;
  for (std::size_t j = 0; j < columns.size(); ++j) {
    if (columns[j].role == Role::dropped) continue;
    const auto [known, is_new] = first.try_emplace(columns[j].name, j);
    if (is_new) continue;
    const std::string number = std::to_string(j + 1);
    throw DataError(
        fmt::format("{}: columns {} and {} are both called {}; names that differ are expected (\"drop\": [\"{}\"] "
                    "leaves column {} out)",
                    origin, known->second + 1, number, '"' + columns[j].name + '"', number, number));
  }
}

std::vector<RawColumn> unnamed_columns(std::size_t count) {
  std::vector<RawColumn> columns(count);
  for (std::size_t j = 0; j < count; ++j) columns[j].name = "column" + std::to_string(j + 1);
  return columns;
}

}  // namespace elmx
