#include "data/assemble.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "base/machine.hpp"
#include "base/printable.hpp"
#include "data/classes.hpp"

namespace elmx {
namespace {

constexpr const char* kMissingCategory = "?";

std::size_t missing_in(const RawColumn& column) {
  return static_cast<std::size_t>(std::ranges::count_if(column.values, [](double value) { return std::isnan(value); }));
}

/// Leaves out every row with a missing value; train_rows is adjusted. Returns how many were left out.
std::size_t drop_rows(RawTable& table, arma::uword& train_rows) {
  std::vector<char> keep(table.rows, 1);
  for (const RawColumn& column : table.columns) {
    for (std::size_t i = 0; i < column.values.size(); ++i) keep[i] &= !std::isnan(column.values[i]);
  }
  for (RawColumn& column : table.columns) {
    std::size_t i = 0;
    std::erase_if(column.values, [&](double) { return !keep[i++]; });
  }
  const std::size_t before = table.rows;
  train_rows = static_cast<arma::uword>(std::count(keep.begin(), keep.begin() + static_cast<long>(train_rows), 1));
  table.rows = static_cast<std::size_t>(std::ranges::count(keep, 1));
  return before - table.rows;
}

void fill_with_mean(RawColumn& column, arma::uword fitted_rows, const std::string& origin) {
  double sum = 0;
  std::size_t count = 0;
  for (std::size_t i = 0; i < fitted_rows; ++i) {
    if (std::isnan(column.values[i])) continue;
    sum += column.values[i];
    ++count;
  }
  if (count == 0) {
    throw DataError(origin + ": column \"" + column.name + "\": every value is missing; a mean needs at least one");
  }
  std::ranges::replace_if(
      column.values, [](double value) { return std::isnan(value); }, sum / static_cast<double>(count));
}

void fill_with_category(RawColumn& column) {
  const auto number = static_cast<double>(column.categories.size());
  column.categories.emplace_back(kMissingCategory);
  std::ranges::replace_if(
      column.values, [](double value) { return std::isnan(value); }, number);
}

void treat_missing(RawTable& table, const TableOptions& options, arma::uword& train_rows, Dataset& data) {
  if (options.missing == "drop_rows") {
    const std::size_t dropped = drop_rows(table, train_rows);
    if (dropped > 0) data.notes.push_back(counted(dropped, "row") + " with missing values dropped");
    if (table.rows == 0) throw DataError(data.name + ": every row has a missing value; one complete row is expected");
    return;
  }
  for (RawColumn& column : table.columns) {
    const std::size_t missing = missing_in(column);
    if (missing == 0) continue;
    if (column.role == Role::target) {
      throw DataError(data.name + ": target \"" + column.name + "\": " + counted(missing, "missing value") +
                      "; none is allowed (\"missing\": \"drop_rows\" leaves such rows out)");
    }
    const bool number = column.kind == Kind::number;
    if (number) fill_with_mean(column, train_rows > 0 ? train_rows : table.rows, data.name);
    if (!number) fill_with_category(column);
    data.notes.push_back(counted(missing, "missing value") + " of " + printable(column.name) +
                         (number ? " replaced by the mean" : " made a category of their own"));
  }
}

/// The order in which categories become columns: as declared, else alphabetical.
std::vector<std::size_t> category_order(const RawColumn& column) {
  std::vector<std::size_t> order(column.categories.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (!column.declared) std::ranges::sort(order, {}, [&](std::size_t k) { return column.categories[k]; });
  return order;
}

/// Categories become numbers, 0 for the first.
void encode(RawColumn& column) {
  const std::vector<std::size_t> order = category_order(column);
  std::vector<double> code_of(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) code_of[order[k]] = static_cast<double>(k);
  for (double& value : column.values) value = code_of[static_cast<std::size_t>(value)];
  column.kind = Kind::number;
}

void put_input(RawColumn& column, arma::uword first, Dataset& data) {
  if (column.kind == Kind::number) {
    std::ranges::copy(column.values, data.X.begin_col(first));
    data.inputs.push_back(column.name);
  } else {
    const std::vector<std::size_t> order = category_order(column);
    std::vector<arma::uword> place_of(order.size());
    for (std::size_t k = 0; k < order.size(); ++k) {
      place_of[order[k]] = first + k;
      data.inputs.push_back(column.name + "=" + column.categories[order[k]]);
    }
    for (std::size_t i = 0; i < column.values.size(); ++i) {
      data.X(i, place_of[static_cast<std::size_t>(column.values[i])]) = 1;
    }
  }
  column.values = {};
}

arma::uword width(const RawColumn& column) {
  if (column.role != Role::input) return 0;
  return column.kind == Kind::number ? 1 : column.categories.size();
}

void put_inputs(RawTable& table, Dataset& data) {
  arma::uword d = 0;
  for (const RawColumn& column : table.columns) d += width(column);
  if (d == 0) throw DataError(data.name + ": no input column; at least one is expected");
  refuse_beyond_memory("/data/nominal", "a column for each of " + std::to_string(d) + " inputs and categories",
                       8.0 * static_cast<double>(table.rows) * static_cast<double>(d));
  data.X.zeros(table.rows, d);
  for (RawColumn& column : table.columns) {
    if (column.role == Role::input) put_input(column, data.inputs.size(), data);
  }
}

void put_targets(const RawTable& table, const TableOptions& options, Dataset& data) {
  std::vector<const RawColumn*> targets;
  for (const RawColumn& column : table.columns) {
    if (column.role == Role::target) targets.push_back(&column);
  }
  if (options.task == Task::classification) {
    set_classes(data, targets.front()->categories, targets.front()->values);
    return;
  }
  data.Y.set_size(table.rows, targets.size());
  for (arma::uword j = 0; j < targets.size(); ++j) std::ranges::copy(targets[j]->values, data.Y.begin_col(j));
}

}  // namespace

Dataset assemble(RawTable table, const TableOptions& options, arma::uword train_rows, const std::string& name) {
  Dataset data;
  data.task = options.task;
  data.name = name;
  treat_missing(table, options, train_rows, data);
  data.published_train = train_rows;
  put_targets(table, options, data);
  for (RawColumn& column : table.columns) {
    if (options.codes && column.role == Role::input && column.kind == Kind::category) encode(column);
  }
  put_inputs(table, data);
  return data;
}

}  // namespace elmx
