#include "data/table/assemble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "base/machine/machine.hpp"
#include "base/printable.hpp"
#include "data/classes.hpp"
#include "data/table/text.hpp"

namespace elmx {
namespace {

std::size_t missing_in(const RawColumn& column) {
  return column.missing_on_disk +
         static_cast<std::size_t>(std::ranges::count_if(column.values, [](double value) { return std::isnan(value); }));
}

/// Leaves out every row with a missing value (targets apart where they need not be there); train_rows is adjusted.
/// incomplete: rows that miss an input which stays in a file, or empty. Returns the rows that stay.
arma::uvec drop_rows(RawTable& table, bool by_target, const std::vector<char>& incomplete, arma::uword& train_rows) {
  std::vector<char> keep(table.rows, 1);
  for (std::size_t i = 0; i < incomplete.size(); ++i) keep[i] = !incomplete[i];
  for (const RawColumn& column : table.columns) {
    if (column.role == Role::target && !by_target) continue;
    for (std::size_t i = 0; i < column.values.size(); ++i) keep[i] &= !std::isnan(column.values[i]);
  }
  for (RawColumn& column : table.columns) {
    std::size_t i = 0;
    std::erase_if(column.values, [&](double) { return !keep[i++]; });
  }
  train_rows = static_cast<arma::uword>(std::count(keep.begin(), keep.begin() + static_cast<long>(train_rows), 1));
  table.rows = static_cast<std::size_t>(std::ranges::count(keep, 1));
  arma::uvec kept(table.rows);
  arma::uword* next = kept.begin();
  for (std::size_t i = 0; i < keep.size(); ++i) {
    if (keep[i]) *next++ = i;
  }
  return kept;
}

void fill_with_category(RawColumn& column) {
  const auto missing = static_cast<double>(column.categories.size());
  std::ranges::replace_if(
      column.values, [](double value) { return std::isnan(value); }, missing);
  column.categories.emplace_back(kMissingCategory);
}

void drop_incomplete_rows(RawTable& table, bool by_target, const std::vector<char>& incomplete, arma::uword& train_rows,
                          Dataset& data) {
  const std::size_t before = table.rows;
  const arma::uvec kept = drop_rows(table, by_target, incomplete, train_rows);
  if (table.rows == 0) throw DataError(data.name + ": every row has a missing value; one complete row is expected");
  if (table.rows == before) return;
  data.notes.push_back(counted(before - table.rows, "row") + " with missing values dropped");
  data.kept_rows = kept;
}

/// Rows with missing values are left out; or those of a category become one, and those of a number stay NaN.
void treat_missing(RawTable& table, const TableOptions& options, const std::vector<char>& incomplete,
                   arma::uword& train_rows, Dataset& data) {
  if (options.missing == "drop_rows") return drop_incomplete_rows(table, true, incomplete, train_rows, data);
  for (RawColumn& column : table.columns) {
    const std::size_t missing = missing_in(column);
    if (missing == 0) continue;
    if (column.role == Role::split) {
      throw DataError(
          fmt::format("{}: column \"{}\": {}; none is allowed where it says how rows are divided "
                      "(\"missing\": \"drop_rows\" leaves such rows out)",
                      data.name, column.name, counted(missing, "missing value")));
    }
    if (column.role == Role::target) {
      throw DataError(
          fmt::format("{}: target \"{}\": {}; none is allowed (\"missing\": \"drop_rows\" leaves such rows out)",
                      data.name, column.name, counted(missing, "missing value")));
    }
    const bool number = column.kind == Kind::number;
    if (!number && std::ranges::count(column.categories, kMissingCategory) > 0) {
      throw DataError(
          fmt::format("{}: column \"{}\": {}, which would become the category \"{}\", but that is a category of its "
                      "own; allowed: \"missing_values\" with \"{}\" among them, or \"missing\": \"drop_rows\"",
                      data.name, column.name, counted(missing, "missing value"), kMissingCategory, kMissingCategory));
    }
    if (number && missing == table.rows) {
      throw DataError(
          fmt::format("{}: column \"{}\": every value is missing; a mean needs at least one", data.name, column.name));
    }
    if (!number) fill_with_category(column);
    data.notes.push_back(
        fmt::format("{} of {}{}", counted(missing, "missing value"), printable(column.name),
                    number ? " replaced by the mean of each training part" : " made a category of their own"));
  }
}

/// The order in which categories become columns: as declared, else alphabetical.
std::vector<std::size_t> category_order(const RawColumn& column) {
  std::vector<std::size_t> order(column.categories.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (!column.declared) std::ranges::sort(order, {}, [&](std::size_t k) { return column.categories[k]; });
  return order;
}

/// The number of each category, 0 for the first.
std::vector<double> codes_of(const RawColumn& column) {
  const std::vector<std::size_t> order = category_order(column);
  std::vector<double> code_of(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) code_of[order[k]] = static_cast<double>(k);
  return code_of;
}

/// Categories become numbers.
void encode(RawColumn& column) {
  const std::vector<double> code_of = codes_of(column);
  for (double& value : column.values) value = code_of[static_cast<std::size_t>(value)];
  column.kind = Kind::number;
}

KnownColumn known_column(const RawColumn& column) {
  KnownColumn known;
  known.name = column.name;
  known.role = column.role == Role::input ? "input" : column.role == Role::target ? "target" : "dropped";
  known.nominal = column.kind == Kind::category && column.role != Role::split;
  if (column.decimal != Decimal::plain && !known.nominal) known.decimal = to_string(column.decimal);
  if (column.role == Role::input) {
    for (const std::size_t k : category_order(column)) known.categories.push_back(column.categories[k]);
  }
  return known;
}

/// Names the inputs that a column becomes, behind those that are there.
PlacedColumn place_column(const RawColumn& column, bool codes, Dataset& data) {
  PlacedColumn placed{data.inputs.size()};
  if (column.kind == Kind::number || codes) {
    if (column.kind == Kind::category) placed.code_of = codes_of(column);
    data.inputs.push_back(column.name);
    return placed;
  }
  const std::vector<std::size_t> order = category_order(column);
  placed.place_of.resize(order.size());
  data.one_hot =
      arma::join_cols(data.one_hot, arma::regspace<arma::uvec>(placed.first, 1, placed.first + order.size() - 1));
  for (std::size_t k = 0; k < order.size(); ++k) {
    placed.place_of[order[k]] = placed.first + k;
    data.inputs.push_back(column.name + "=" + column.categories[order[k]]);
  }
  return placed;
}

void put_input(RawColumn& column, Dataset& data) {
  const PlacedColumn placed = place_column(column, false, data);
  if (column.kind == Kind::number) {
    std::ranges::copy(column.values, data.X.begin_col(placed.first));
  } else {
    for (std::size_t i = 0; i < column.values.size(); ++i) {
      data.X(i, placed.place_of[static_cast<std::size_t>(column.values[i])]) = 1;
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
  refuse_beyond_memory("/data", fmt::format("a column for each of {} inputs and categories", d),
                       8.0 * static_cast<double>(table.rows) * static_cast<double>(d));
  data.X.zeros(table.rows, d);
  for (RawColumn& column : table.columns) {
    if (column.role == Role::input) put_input(column, data);
  }
}

void place_inputs(const RawTable& table, bool codes, Dataset& data, std::vector<PlacedColumn>& placed) {
  for (const RawColumn& column : table.columns) {
    if (column.role != Role::input) continue;
    placed.push_back(place_column(column, codes, data));
    const PlacedColumn& last = placed.back();
    const arma::uword width_of_column = data.inputs.size() - last.first;
    data.missing_of.resize(data.inputs.size());
    data.missing_of.tail(width_of_column).zeros();
    if (column.kind == Kind::number) data.missing_of(last.first) = column.missing_on_disk;
  }
  if (placed.empty()) throw DataError(data.name + ": no input column; at least one is expected");
}

/// In the order of the file.
std::vector<const RawColumn*> targets_of(const RawTable& table) {
  std::vector<const RawColumn*> targets;
  for (const RawColumn& column : table.columns) {
    if (column.role == Role::target) targets.push_back(&column);
  }
  return targets;
}

void put_targets(const std::vector<const RawColumn*>& targets, const TableOptions& options, Dataset& data) {
  if (options.task == Task::classification) {
    set_classes(data, targets.front()->categories, targets.front()->values);
    return;
  }
  data.Y.set_size(targets.front()->values.size(), targets.size());
  for (arma::uword j = 0; j < targets.size(); ++j) std::ranges::copy(targets[j]->values, data.Y.begin_col(j));
}

/// The numbers of a category's columns or codes among those that the model knows, for each category of the file.
/// kept_rows: the rows of the file that the column has, empty for all.
std::vector<double> codes_of(const RawColumn& column, const KnownColumn& model, const KnownFile& known,
                             const arma::uvec& kept_rows) {
  std::vector<double> codes;
  for (const std::string& category : column.categories) {
    const auto found = std::ranges::find(model.categories, category);
    codes.push_back(found == model.categories.end() ? std::nan("")
                                                    : static_cast<double>(found - model.categories.begin()));
    const auto used = std::ranges::find(column.values, static_cast<double>(codes.size() - 1));
    if (found != model.categories.end() || used == column.values.end()) continue;
    const auto row = static_cast<arma::uword>(used - column.values.begin());
    throw DataError(fmt::format("{}: row {}, column \"{}\": \"{}\", a category that the model does not know{}",
                                known.origin, (kept_rows.is_empty() ? row : kept_rows(row)) + 1, column.name, category,
                                suggest_name(category, model.categories)));
  }
  return codes;
}

/// The columns of X that are of one column of the model.
void put_known(RawColumn& column, const KnownColumn& model, const KnownFile& known, bool codes, arma::uword first,
               Dataset& data) {
  if (!model.nominal) {
    std::ranges::copy(column.values, data.X.begin_col(first));
    return;
  }
  if (missing_in(column) > 0) fill_with_category(column);
  const std::vector<double> code = codes_of(column, model, known, data.kept_rows);
  for (std::size_t i = 0; i < column.values.size(); ++i) {
    const double k = code[static_cast<std::size_t>(column.values[i])];
    if (codes)
      data.X(i, first) = k;
    else
      data.X(i, first + static_cast<arma::uword>(k)) = 1;
  }
}

/// Targets in the order of the model. They may be lacking, in some rows or in all: NaN, or the number of classes for a
/// label.   match: of match_columns
void put_known_targets(const RawTable& table, const TableOptions& options, const std::vector<std::size_t>& match,
                       Dataset& data) {
  std::vector<const RawColumn*> targets = targets_of(table);
  if (targets.empty()) return;
  std::ranges::sort(targets, {}, [&](const RawColumn* column) {
    return match[static_cast<std::size_t>(column - table.columns.data())];
  });
  if (options.task == Task::regression) return put_targets(targets, options, data);
  const RawColumn* target = targets.front();
  std::vector<double> there;
  std::ranges::copy_if(target->values, std::back_inserter(there), [](double value) { return !std::isnan(value); });
  if (there.empty()) return;
  set_classes(data, target->categories, there);
  const arma::uvec labels = std::move(data.labels);
  data.labels.set_size(table.rows);
  arma::uword next = 0;
  for (std::size_t i = 0; i < table.rows; ++i)
    data.labels(i) = std::isnan(target->values[i]) ? data.classes.size() : labels(next++);
}

void note_others(const std::vector<std::string>& others, Dataset& data) {
  if (others.empty()) return;
  data.notes.push_back(fmt::format("{} that the model does not have, not used: {}", counted(others.size(), "column"),
                                   fmt::join(others, ", ")));
}

/// The targets of a new file whose inputs stay in it.
Dataset assemble_known_targets(RawTable table, const TableOptions& options, const std::vector<char>& incomplete,
                               Dataset data) {
  arma::uword no_split = 0;
  if (options.missing == "drop_rows") drop_incomplete_rows(table, false, incomplete, no_split, data);
  const std::vector<std::size_t> match = match_columns(table.columns, *options.known);
  put_known_targets(table, options, match, data);
  std::vector<std::string> others;
  for (std::size_t j = 0; j < match.size(); ++j) {
    if (match[j] == kNotOfModel) others.push_back(table.columns[j].name);
  }
  note_others(others, data);
  return data;
}

/// The table of a new file as the inputs of a model.
Dataset assemble_known(RawTable table, const TableOptions& options, Dataset data) {
  const KnownFile& known = *options.known;
  arma::uword no_split = 0;
  if (options.missing == "drop_rows") drop_incomplete_rows(table, false, {}, no_split, data);
  const std::vector<std::size_t> match = match_columns(table.columns, known);
  put_known_targets(table, options, match, data);
  std::vector<arma::uword> first;
  arma::uword d = 0;
  for (const KnownColumn& column : known.columns) {
    first.push_back(d);
    d += width_of(column, options.codes);
  }
  data.X.zeros(table.rows, d);
  std::vector<std::string> others;
  for (std::size_t j = 0; j < table.columns.size(); ++j) {
    RawColumn& column = table.columns[j];
    if (match[j] == kNotOfModel) others.push_back(column.name);
    if (column.role == Role::input)
      put_known(column, known.columns[match[j]], known, options.codes, first[match[j]], data);
    if (column.role == Role::input) column.values = {};
  }
  note_others(others, data);
  return data;
}

/// Where the inputs stay in a file `placed` is there, to be filled.
Dataset assembled(RawTable table, const TableOptions& options, arma::uword train_rows, const std::string& name,
                  const std::vector<char>& incomplete, std::vector<PlacedColumn>* placed) {
  Dataset data;
  data.task = options.task;
  data.name = name;
  data.missing = options.missing == "mean";
  for (const std::string& note : table.notes) data.notes.push_back(note);
  if (options.known && placed == nullptr) return assemble_known(std::move(table), options, std::move(data));
  if (options.known) return assemble_known_targets(std::move(table), options, incomplete, std::move(data));
  treat_missing(table, options, incomplete, train_rows, data);
  for (const RawColumn& column : table.columns) data.columns.push_back(known_column(column));
  data.sparse = table.sparse;
  data.published_train = train_rows;
  put_targets(targets_of(table), options, data);
  if (placed != nullptr) {
    place_inputs(table, options.codes, data, *placed);
  } else {
    for (RawColumn& column : table.columns) {
      if (options.codes && column.role == Role::input && column.kind == Kind::category) encode(column);
    }
    put_inputs(table, data);
  }
  const auto split = std::ranges::find(table.columns, Role::split, &RawColumn::role);
  if (split != table.columns.end()) data.split = std::move(*split);
  return data;
}

}  // namespace

Dataset assemble(RawTable table, const TableOptions& options, arma::uword train_rows, const std::string& name) {
  return assembled(std::move(table), options, train_rows, name, {}, nullptr);
}

Dataset assemble_without_inputs(RawTable table, const TableOptions& options, arma::uword train_rows,
                                const std::string& name, const std::vector<char>& incomplete,
                                std::vector<PlacedColumn>& placed) {
  return assembled(std::move(table), options, train_rows, name, incomplete, &placed);
}

}  // namespace elmx
