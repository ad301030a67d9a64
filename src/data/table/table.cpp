#include "data/table/table.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "base/machine/machine.hpp"
#include "base/printable.hpp"
#include "data/table/text.hpp"
namespace elmx {
namespace {

constexpr std::size_t kChecked = 1u << 16;  // rows from which on it is asked whether there is memory for as many again
constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

std::string quoted(std::string_view text) { return '"' + std::string(text) + '"'; }

/// Columns that only one of two sparse files has: zeros in the other.
void pad(RawTable& table, const std::vector<RawColumn>& columns) {
  for (std::size_t j = table.columns.size(); j < columns.size(); ++j) {
    table.columns.push_back(columns[j]);
    table.columns.back().values.assign(table.rows, 0.0);
  }
}

/// The numbers under which the categories of `from` are known in `into`, which learns those that are new to it.
std::vector<double> translation(const RawColumn& from, RawColumn& into) {
  std::vector<double> number;
  for (const std::string& category : from.categories) {
    const auto found = std::ranges::find(into.categories, category);
    number.push_back(static_cast<double>(found - into.categories.begin()));
    if (found == into.categories.end()) into.categories.push_back(category);
  }
  return number;
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
                    origin, known->second + 1, number, elmx::quoted(columns[j].name), number, number));
  }
}

}  // namespace

std::string place(const std::string& origin, std::size_t line) { return fmt::format("{}: line {}: ", origin, line); }

std::string place(const std::string& origin, std::size_t line, std::size_t column) {
  return fmt::format("{}: line {}, column {}: ", origin, line, column);
}

void RawTable::append(RawTable other, const std::string& origin) {
  if (sparse) {
    pad(*this, other.columns);
    pad(other, columns);
  }
  if (other.columns.size() != columns.size()) {
    throw DataError(fmt::format("{}: {}; the first file of the set has {}", origin,
                                counted(other.columns.size(), "column"), columns.size()));
  }
  for (std::size_t j = 0; j < columns.size(); ++j) {
    RawColumn& into = columns[j];
    RawColumn& from = other.columns[j];
    if (into.name != from.name) {
      throw DataError(fmt::format("{}: column {} is named {}; in the first file of the set it is {}", origin, j + 1,
                                  elmx::quoted(from.name), elmx::quoted(into.name)));
    }
    if (into.kind != from.kind && into.role != Role::dropped) {
      const auto said = [](Kind kind) { return kind == Kind::number ? "numbers" : "categories"; };
      throw DataError(fmt::format("{}: column {} has {}; in the first file of the set it has {}", origin,
                                  elmx::quoted(from.name), said(from.kind), said(into.kind)));
    }
    const std::vector<double> number = translation(from, into);
    const auto translated = [&](double value) {
      return into.kind == Kind::number || std::isnan(value) ? value : number[static_cast<std::size_t>(value)];
    };
    into.values.reserve(into.values.size() + from.values.size());
    std::ranges::transform(from.values, std::back_inserter(into.values), translated);
    from.values = {};
  }
  rows += other.rows;
  for (std::string& note : other.notes) {
    if (std::ranges::count(notes, note) == 0) notes.push_back(std::move(note));
  }
}

TableBuilder::TableBuilder(std::string origin, std::vector<RawColumn> columns, Missing missing, std::string label_strip,
                           MissingValues missing_values)
    : origin_(std::move(origin)),
      missing_(missing),
      label_strip_(std::move(label_strip)),
      missing_values_(std::move(missing_values)),
      index_(columns.size()) {
  refuse_equal_names(columns, origin_);
  table_.columns = std::move(columns);
  for (std::size_t j = 0; j < table_.columns.size(); ++j) {
    for (const std::string& category : table_.columns[j].categories) index_[j].emplace(category, index_[j].size());
  }
}

void TableBuilder::add_row(const std::vector<std::string_view>& fields, std::size_t line) {
  const std::size_t expected = table_.columns.size();
  const bool closed = fields.size() == expected + 1 && fields.back().empty();
  if (fields.size() != expected && !closed) {
    throw DataError(fmt::format("{}{}; {} expected", place(origin_, line), counted(fields.size(), "column"), expected));
  }
  for (std::size_t j = 0; j < expected; ++j) {
    RawColumn& column = table_.columns[j];
    if (column.role != Role::dropped) column.values.push_back(value_of(j, fields[j], line));
  }
  ++table_.rows;
  const bool columns_grow = std::has_single_bit(table_.rows) && table_.rows >= kChecked;
  if (columns_grow)
    refuse_beyond_memory(origin_, "its table", 8.0 * static_cast<double>(table_.rows) * static_cast<double>(expected));
}

double TableBuilder::value_of(std::size_t j, std::string_view field, std::size_t line) {
  const RawColumn& column = table_.columns[j];
  if (missing_values_.has(field)) {
    if (missing_ == Missing::keep || (missing_ == Missing::keep_targets && column.role == Role::target))
      return kMissing;
    throw DataError(fmt::format("{}{}; a value is expected (\"missing\": \"drop_rows\" or \"mean\" allows such fields)",
                                place(origin_, line, j + 1), field.empty() ? "an empty field" : quoted(field)));
  }
  if (column.kind == Kind::category) return category_of(j, field, line);
  const auto number = parse_number(field, column.decimal);
  if (number && std::isfinite(*number)) return *number;
  throw DataError(
      fmt::format("{}{}; a finite number is expected{}", place(origin_, line, j + 1), quoted(field),
                  number || column.role == Role::target ? "" : " (categories: list the column under \"nominal\")"));
}

double TableBuilder::category_of(std::size_t j, std::string_view field, std::size_t line) {
  RawColumn& column = table_.columns[j];
  if (column.role == Role::target && field.ends_with(label_strip_)) field.remove_suffix(label_strip_.size());
  auto found = index_[j].find(field);
  if (found == index_[j].end()) {
    if (column.declared) {
      throw DataError(place(origin_, line, j + 1) + quoted(field) + suggest_name(field, column.categories));
    }
    found = index_[j].emplace(std::string(field), column.categories.size()).first;
    column.categories.emplace_back(field);
  }
  return static_cast<double>(found->second);
}

RawTable TableBuilder::finish() {
  if (table_.rows == 0) throw DataError(origin_ + ": no data; at least one row is expected");
  return std::move(table_);
}

}  // namespace elmx
