#include "data/table/table.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/printable.hpp"

namespace elmx {
namespace {

/// Columns that only one of two sparse files has: zeros in the other.
void pad(RawTable& table, const std::vector<RawColumn>& columns) {
  for (std::size_t j = table.columns.size(); j < columns.size(); ++j) {
    table.columns.push_back(columns[j]);
    table.columns.back().values.assign(table.rows, 0.0);
  }
}

/// Returns the numbers of the categories of `from` in `into`, and adds new categories to `into`.
std::vector<double> translation(const RawColumn& from, RawColumn& into) {
  std::vector<double> number;
  for (const std::string& category : from.categories) {
    const auto found = std::ranges::find(into.categories, category);
    number.push_back(static_cast<double>(found - into.categories.begin()));
    if (found == into.categories.end()) into.categories.push_back(category);
  }
  return number;
}

}  // namespace

void RawTable::append(RawTable other, const std::string& origin) {
  if (sparse) {
    pad(*this, other.columns);
    pad(other, columns);
  }
  if (other.columns.size() != columns.size()) {
    throw DataError(origin, fmt::format("expected {} as in the first file of the set, found {}",
                                        counted(columns.size(), "column"), other.columns.size()));
  }
  for (std::size_t j = 0; j < columns.size(); ++j) {
    RawColumn& into = columns[j];
    RawColumn& from = other.columns[j];
    if (into.name != from.name)
      throw DataError(origin,
                      fmt::format("column {}: expected the name \"{}\" as in the first file of the set, found \"{}\"",
                                  j + 1, into.name, from.name));
    if (into.kind != from.kind && into.role != Role::dropped) {
      const auto shown_kind = [](Kind kind) {
        return kind == Kind::number ? "numbers" : kind == Kind::date ? "dates" : "categories";
      };
      throw DataError(origin, fmt::format("column \"{}\": expected {} as in the first file of the set, found {}",
                                          from.name, shown_kind(into.kind), shown_kind(from.kind)));
    }
    const std::vector<double> number = translation(from, into);
    const auto translated = [&](double value) {
      return into.kind != Kind::category || std::isnan(value) ? value : number[static_cast<std::size_t>(value)];
    };
    into.values.reserve(into.values.size() + from.values.size());
    std::ranges::transform(from.values, std::back_inserter(into.values), translated);
    from.values = std::vector<double>();
  }
  for (const std::size_t gap : other.gaps) gaps.push_back(rows + gap);
  rows += other.rows;
  report.append(std::move(other.report));
}

}  // namespace elmx
