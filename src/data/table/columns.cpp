#include "data/table/columns.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/error.hpp"

namespace elmx {
namespace {

std::optional<long> parse_position(const std::string& text) {
  long position = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), position);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return position;
}

/// The column that is meant by a name or a number; `option` begins the message.
RawColumn& find_column(std::vector<RawColumn>& columns, const std::string& wanted, const std::string& option) {
  if (const auto named = std::ranges::find(columns, wanted, &RawColumn::name); named != columns.end()) {
    const auto alike = std::ranges::count(columns, wanted, &RawColumn::name);
    if (alike == 1) return *named;
    throw ConfigError(fmt::format(
        "/data/{}: {} columns are called \"{}\"; allowed: the number of the one that is meant", option, alike, wanted));
  }

  const auto count = static_cast<long>(columns.size());
  const auto position = parse_position(wanted);
  if (!position) {
    std::vector<std::string> names;
    for (const RawColumn& column : columns) names.push_back(column.name);
    throw ConfigError(fmt::format("/data/{}: no column \"{}\"{}", option, wanted, suggest(wanted, names)));
  }
  if (*position == 0 || *position > count || *position < -count) {
    throw ConfigError(fmt::format("/data/{}: no column {}; allowed: 1 to {}, or -1 to -{} from the end", option, wanted,
                                  count, count));
  }
  return columns[static_cast<std::size_t>(*position > 0 ? *position - 1 : count + *position)];
}

void assign_target(RawColumn& column, Task task) {
  if (column.role == Role::dropped) {
    throw ConfigError("/data/target: column \"" + column.name + "\" is also dropped; allowed: one or the other");
  }
  if (task == Task::regression && column.kind == Kind::category) {
    throw ConfigError("/data/target: column \"" + column.name + "\" is nominal; a regression needs numbers");
  }
  column.role = Role::target;
  if (task == Task::classification) column.kind = Kind::category;
}

}  // namespace

void assign_roles(std::vector<RawColumn>& columns, const TableOptions& options,
                  const std::vector<std::string>& default_target) {
  if (options.known) return assign_known_roles(columns, *options.known);
  const std::vector<std::string>& target = options.target.empty() ? default_target : options.target;
  if (target.empty()) throw ConfigError("/data/target: missing; name the target column(s), or give their numbers");
  if (options.task == Task::classification && target.size() > 1) {
    throw ConfigError(fmt::format("/data/target: {} columns; a classification has one", target.size()));
  }
  for (const std::string& wanted : options.drop) find_column(columns, wanted, "drop").role = Role::dropped;
  for (const std::string& wanted : options.nominal) find_column(columns, wanted, "nominal").kind = Kind::category;
  for (const std::string& wanted : target) assign_target(find_column(columns, wanted, "target"), options.task);
  for (const std::string& wanted : options.other_targets) {
    RawColumn& column = find_column(columns, wanted, "target");
    if (column.role == Role::input) column.role = Role::dropped;
  }
}

std::vector<RawColumn> unnamed_columns(std::size_t count) {
  std::vector<RawColumn> columns(count);
  for (std::size_t j = 0; j < count; ++j) columns[j].name = "column" + std::to_string(j + 1);
  return columns;
}

}  // namespace elmx
