#include "data/table/assemble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "base/machine/machine.hpp"
#include "base/printable.hpp"
#include "data/table/classes.hpp"
#include "data/values/text.hpp"

namespace elmx {
namespace {

constexpr std::size_t kMostNamed = 8;  // columns, in a note

/// Leaves out the rows that are not kept, and notes how many are for that reason.
void keep_rows(RawTable& table, const std::vector<char>& keep, const std::string& reason, arma::uword& train_rows,
               Dataset& data) {
  const auto left = static_cast<std::size_t>(std::ranges::count(keep, 1));
  if (left == table.rows) return;
  if (left == 0)
    throw DataError(fmt::format("{}: every row is left out ({}); expected at least one", data.name, reason));
  data.report.rows_left_out.push_back({reason, table.rows - left, 0});
  for (RawColumn& column : table.columns) {
    std::size_t i = 0;
    std::erase_if(column.values, [&](double) { return !keep[i++]; });
  }
  train_rows = static_cast<arma::uword>(std::count(keep.begin(), keep.begin() + static_cast<long>(train_rows), 1));
  arma::uvec kept(left);
  arma::uword* next = kept.begin();
  for (std::size_t i = 0; i < keep.size(); ++i) {
    if (keep[i]) *next++ = data.kept_rows.is_empty() ? i : data.kept_rows(i);
  }
  data.kept_rows = std::move(kept);
  table.rows = left;
}

/// The rows in which no column of this role is missing; `incomplete`: rows that miss an input in a file, or
/// empty.
std::vector<char> complete_rows(const RawTable& table, bool (*counts)(Role), const std::vector<char>& incomplete) {
  std::vector<char> keep(table.rows, 1);
  for (std::size_t i = 0; i < incomplete.size(); ++i) keep[i] = !incomplete[i];
  for (const RawColumn& column : table.columns) {
    if (!counts(column.role)) continue;
    for (std::size_t i = 0; i < column.values.size(); ++i) keep[i] &= !std::isnan(column.values[i]);
  }
  return keep;
}

/// The number of each row among those of the file, gaps included.
arma::uvec numbers_in_file(const RawTable& table) {
  arma::uvec numbers(table.rows);
  std::size_t gaps = 0;
  for (std::size_t i = 0; i < table.rows; ++i) {
    while (gaps < table.gaps.size() && table.gaps[gaps] <= i) ++gaps;
    numbers(i) = i + gaps;
  }
  return numbers;
}

std::size_t missing_in(const RawColumn& column) {
  return column.missing_on_disk +
         static_cast<std::size_t>(std::ranges::count_if(column.values, [](double value) { return std::isnan(value); }));
}

void fill_with_category(RawColumn& column) {
  const auto missing = static_cast<double>(column.categories.size());
  std::ranges::replace_if(
      column.values, [](double value) { return std::isnan(value); }, missing);
  column.categories.emplace_back(kMissingCategory);
}

/// Missing categories of an input become a category; a number needs a value for its mean.
void treat_missing_inputs(RawTable& table, Dataset& data) {
  for (RawColumn& column : table.columns) {
    const std::size_t missing = column.role == Role::input ? missing_in(column) : 0;
    if (missing == 0) continue;
    if (column.kind != Kind::category) {
      if (missing < table.rows) continue;
      throw DataError(fmt::format("{}: column \"{}\": every value is missing", data.name, column.name));
    }
    if (std::ranges::count(column.categories, kMissingCategory) > 0)
      throw DataError(
          fmt::format("{}: column \"{}\": {}, which would become the category \"{}\", but that is a category of its "
                      "own; add it to \"missing_values\", or set \"missing\" to \"drop_rows\"",
                      data.name, column.name, counted(missing, "missing value"), kMissingCategory));
    fill_with_category(column);
  }
}

void put_dates(const RawColumn& column, arma::uword first, Dataset& data) {
  for (std::size_t p = 0; p < column.parts.size(); ++p) {
    double* to = data.X.colptr(first + p);
    for (std::size_t i = 0; i < column.values.size(); ++i) to[i] = part_of(column.values[i], column.parts[p]);
  }
}

/// place_of: the column of X, or the code, that each category has; beyond the width: unknown.
void put_categories(const RawColumn& column, const std::vector<std::size_t>& place_of, bool codes, arma::uword first,
                    Dataset& data) {
  for (std::size_t i = 0; i < column.values.size(); ++i) {
    const std::size_t place =
        std::isnan(column.values[i]) ? kNotOfModel : place_of[static_cast<std::size_t>(column.values[i])];
    if (codes)
      data.X(i, first) = place == kNotOfModel ? arma::datum::nan : static_cast<double>(place);
    else if (place != kNotOfModel)
      data.X(i, first + place) = 1;
  }
}

void put_input(RawColumn& column, bool codes, Dataset& data) {
  const arma::uword first = data.inputs.size();
  const std::vector<std::string> names = input_names(known_column(column), codes);
  data.inputs.insert(data.inputs.end(), names.begin(), names.end());
  if (column.kind == Kind::number) {
    std::ranges::copy(column.values, data.X.begin_col(first));
  } else if (column.kind == Kind::date) {
    put_dates(column, first, data);
  } else {
    const std::vector<std::size_t> order = category_order(column);
    std::vector<std::size_t> place_of(order.size());
    for (std::size_t k = 0; k < order.size(); ++k) place_of[order[k]] = k;
    if (!codes) {
      data.one_hot = arma::join_cols(data.one_hot, arma::regspace<arma::uvec>(first, 1, first + order.size() - 1));
      data.X.cols(first, first + order.size() - 1).zeros();
    }
    put_categories(column, place_of, codes, first, data);
  }
  column.values = std::vector<double>();
}

/// Lists the columns that were left out with the reasons, for messages: ": a (identifier: ...), b (...)".
std::string why_left_out(const ReadReport& report) {
  std::string text;
  for (const ColumnReport& column : report.columns) {
    if (!column.left_out.empty() && text.size() < 300)
      text += fmt::format("{}{} ({})", text.empty() ? ": " : ", ", column.name, column.left_out);
  }
  return text;
}

void put_inputs(RawTable& table, bool codes, Dataset& data) {
  arma::uword d = 0;
  for (const RawColumn& column : table.columns) d += width_of(known_column(column), codes);
  if (d == 0 && data.report.columns.size() == 1)
    throw DataError(data.name +
                    ": one column, and no input beside the target; fields are separated by commas, "
                    "semicolons, tabs, pipes or blanks (\"separator\")");
  if (d == 0) throw DataError(data.name + ": no input column is left" + why_left_out(data.report));
  refuse_beyond_memory("/data", fmt::format("a column for each of {} inputs and categories", d),
                       8.0 * static_cast<double>(table.rows) * static_cast<double>(d));
  data.X.set_size(table.rows, d);
  for (RawColumn& column : table.columns) {
    if (column.role == Role::input) put_input(column, codes, data);
  }
}

/// Names the inputs, all of them numbers, that stay in a file.
void name_inputs(const RawTable& table, Dataset& data) {
  std::vector<arma::uword> missing;
  for (const RawColumn& column : table.columns) {
    if (column.role != Role::input) continue;
    data.inputs.push_back(column.name);
    missing.push_back(column.missing_on_disk);
  }
  if (missing.empty()) throw DataError(data.name + ": no input column; expected at least one");
  data.missing_of = arma::uvec(missing);
}

/// Returns the targets in the order of the file.
std::vector<const RawColumn*> targets_of(const RawTable& table) {
  std::vector<const RawColumn*> targets;
  for (const RawColumn& column : table.columns) {
    if (column.role == Role::target) targets.push_back(&column);
  }
  return targets;
}

void put_targets(const std::vector<const RawColumn*>& targets, Dataset& data) {
  if (data.task == Task::classification) {
    set_classes(data, targets.front()->categories, targets.front()->values);
    return;
  }
  data.Y.set_size(targets.front()->values.size(), targets.size());
  for (arma::uword j = 0; j < targets.size(); ++j) std::ranges::copy(targets[j]->values, data.Y.begin_col(j));
}

/// The values of a new file that were imputed.
struct Imputed {
  std::vector<std::string> items;  // "width: 3 missing"
};

/// Returns the place of each category of a new file among the categories of the model, and counts the rows with
/// an unknown category.
std::vector<std::size_t> places_in_model(const RawColumn& column, const KnownColumn& model, const KnownFile& known,
                                         Imputed& imputed) {
  std::vector<std::size_t> places, rows(column.categories.size(), 0);
  for (const double value : column.values) {
    if (!std::isnan(value)) ++rows[static_cast<std::size_t>(value)];
  }
  std::size_t unknown = 0;
  std::string example;
  for (std::size_t k = 0; k < column.categories.size(); ++k) {
    const std::string& category = column.categories[k];
    const auto same = [&](const std::string& other) { return other == category || canonical_label(other) == category; };
    const auto found = std::ranges::find_if(model.categories, same);
    const bool is_known = found != model.categories.end();
    places.push_back(is_known ? static_cast<std::size_t>(found - model.categories.begin()) : kNotOfModel);
    if (is_known || rows[k] == 0) continue;
    if (known.strict)
      throw DataError(fmt::format("{}: column \"{}\": \"{}\", a category that the model does not know{}", known.origin,
                                  column.name, category, suggest_name(category, model.categories)));
    unknown += rows[k];
    if (example.empty()) example = printable(category, 40);
  }
  if (unknown > 0)
    imputed.items.push_back(
        fmt::format("{}: {} of an unknown category, as \"{}\"", printable(column.name), unknown, example));
  return places;
}

[[noreturn]] void refuse_missing(const KnownFile& known, const std::string& column, std::size_t missing) {
  throw DataError(fmt::format("{}: column \"{}\": {}; without --strict they are imputed", known.origin, column,
                              counted(missing, "missing value")));
}

/// The columns of X for one column of the model.
void put_known(RawColumn& column, const KnownColumn& model, const KnownFile& known, bool codes, arma::uword first,
               Dataset& data, Imputed& imputed) {
  const std::size_t missing = missing_in(column);
  if (missing > 0 && known.strict) refuse_missing(known, column.name, missing);
  if (missing > 0) imputed.items.push_back(fmt::format("{}: {} missing", printable(column.name), missing));
  for (std::size_t i = 0; i < column.values.size(); ++i) data.imputed[i] |= std::isnan(column.values[i]);
  if (model.date_parts) return put_dates(column, first, data);
  if (!model.nominal) {
    std::ranges::copy(column.values, data.X.begin_col(first));
    return;
  }
  if (std::ranges::count(model.categories, kMissingCategory) > 0 && missing > 0) fill_with_category(column);
  const std::vector<std::size_t> places = places_in_model(column, model, known, imputed);
  for (std::size_t i = 0; i < column.values.size(); ++i)
    data.imputed[i] |=
        !std::isnan(column.values[i]) && places[static_cast<std::size_t>(column.values[i])] == kNotOfModel;
  put_categories(column, places, codes, first, data);
}

/// Targets in the order of the model. They may be lacking, in some rows or in all: NaN, or the number of
/// classes for a label. match: of match_columns.
void put_known_targets(const RawTable& table, const std::vector<std::size_t>& match, Dataset& data) {
  std::vector<const RawColumn*> targets = targets_of(table);
  if (targets.empty()) return;
  std::ranges::sort(targets, {}, [&](const RawColumn* column) {
    return match[static_cast<std::size_t>(column - table.columns.data())];
  });
  if (data.task == Task::regression) return put_targets(targets, data);
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

void note_others(const RawTable& table, const std::vector<std::size_t>& match, Dataset& data) {
  std::vector<std::string> others;
  for (std::size_t j = 0; j < match.size(); ++j) {
    if (match[j] == kNotOfModel) others.push_back(printable(table.columns[j].name, 40));
  }
  if (others.empty()) return;
  const std::size_t count = others.size();
  others.resize(std::min(count, kMostNamed));
  data.report.notes.push_back(fmt::format("{} that the model does not have: {}{}", counted(count, "column"),
                                          fmt::join(others, ", "), count > others.size() ? ", ..." : ""));
}

/// Notes how many rows have a value that was imputed, and of which columns.
void note_imputed(const Imputed& imputed, Dataset& data) {
  const auto rows = std::ranges::count(data.imputed, 1);
  if (rows == 0) return;
  const std::size_t shown = std::min(imputed.items.size(), kMostNamed);
  data.report.notes.push_back(
      fmt::format("{} of {} with imputed values ({}{})", rows, counted(data.imputed.size(), "row"),
                  fmt::join(imputed.items.begin(), imputed.items.begin() + static_cast<long>(shown), "; "),
                  shown < imputed.items.size() ? fmt::format("; and {} more", imputed.items.size() - shown) : ""));
}

/// Assembles a new file for a model. inputs: their values are in the table; else `incomplete` are the rows
/// that miss one in the file.
Dataset assemble_known(RawTable table, const TableOptions& options, bool inputs, const std::vector<char>& incomplete,
                       Dataset data) {
  const KnownFile& known = *options.known;
  const std::vector<std::size_t> match = match_columns(table.columns, known);
  put_known_targets(table, match, data);
  note_others(table, match, data);
  data.imputed.assign(table.rows, 0);
  Imputed imputed;
  if (!inputs) {
    for (const RawColumn& column : table.columns) {
      if (column.missing_on_disk == 0) continue;
      if (known.strict) refuse_missing(known, column.name, column.missing_on_disk);
      imputed.items.push_back(fmt::format("{}: {} missing", printable(column.name), column.missing_on_disk));
    }
    std::ranges::copy(incomplete, data.imputed.begin());
    note_imputed(imputed, data);
    return data;
  }
  std::vector<arma::uword> first;
  arma::uword d = 0;
  for (const KnownColumn& column : known.columns) {
    first.push_back(d);
    d += width_of(column, options.codes);
  }
  data.X.zeros(table.rows, d);
  for (std::size_t j = 0; j < table.columns.size(); ++j) {
    RawColumn& column = table.columns[j];
    if (column.role == Role::split) data.kept.push_back(std::move(column));
    if (column.role != Role::input) continue;
    put_known(column, known.columns[match[j]], known, options.codes, first[match[j]], data, imputed);
    column.values = std::vector<double>();
  }
  note_imputed(imputed, data);
  return data;
}

Dataset assembled(RawTable table, const TableOptions& options, arma::uword train_rows, const std::string& name,
                  bool inputs, const std::vector<char>& incomplete) {
  Dataset data;
  data.task = table.task;
  data.name = name;
  data.missing = options.missing == "mean" || options.known;
  data.report = std::move(table.report);
  if (options.known) return assemble_known(std::move(table), options, inputs, incomplete, std::move(data));
  if (!table.gaps.empty()) data.kept_rows = numbers_in_file(table);
  if (options.missing == "drop_rows")
    keep_rows(table,
              complete_rows(
                  table, [](Role role) { return role != Role::dropped; }, incomplete),
              "a value is missing", train_rows, data);
  else
    keep_rows(table, complete_rows(table, [](Role role) { return role == Role::target; }, {}), "the target is missing",
              train_rows, data);
  for (std::size_t j = 0; j < data.report.columns.size() && inputs; ++j) {
    if (table.columns[j].role == Role::input) data.report.columns[j].missing = missing_in(table.columns[j]);
  }
  treat_missing_inputs(table, data);
  for (const RawColumn& column : table.columns) data.columns.push_back(known_column(column));
  data.sparse = table.sparse;
  data.published_train = train_rows;
  data.report.rows = table.rows;
  put_targets(targets_of(table), data);
  if (inputs)
    put_inputs(table, options.codes, data);
  else
    name_inputs(table, data);
  const auto split = std::ranges::find(table.columns, Role::split, &RawColumn::role);
  if (split != table.columns.end()) data.split = std::move(*split);
  return data;
}

}  // namespace

Dataset assemble(RawTable table, const TableOptions& options, arma::uword train_rows, const std::string& name) {
  return assembled(std::move(table), options, train_rows, name, true, {});
}

Dataset assemble_without_inputs(RawTable table, const TableOptions& options, arma::uword train_rows,
                                const std::string& name, const std::vector<char>& incomplete) {
  return assembled(std::move(table), options, train_rows, name, false, incomplete);
}

}  // namespace elmx
