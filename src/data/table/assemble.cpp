#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "base/error.hpp"
#include "base/machine/machine.hpp"
#include "base/printable.hpp"
#include "data/table/dataset.hpp"
#include "data/values/text.hpp"

namespace elmx {
namespace {

constexpr std::size_t kMostNamed = 8;  // most columns named in a note

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

/// Returns the number of each row in the file, counting the rows that were left out.
arma::uvec numbers_in_file(const RawTable& table) {
  arma::uvec numbers(table.rows);
  std::size_t gaps = 0;
  for (std::size_t i = 0; i < table.rows; ++i) {
    while (gaps < table.gaps.size() && table.gaps[gaps] <= i) ++gaps;
    numbers(i) = i + gaps;
  }
  return numbers;
}

/// Leaves out the rows that miss a target or, where `drop` says so, any value that is used.
void leave_out_rows(RawTable& table, bool drop, const std::optional<std::vector<char>>& incomplete, Dataset& data) {
  std::vector<char> keep(table.rows, 1);
  for (std::size_t i = 0; drop && incomplete && i < incomplete->size(); ++i) keep[i] = !(*incomplete)[i];
  for (const RawColumn& column : table.columns) {
    if (column.role == Role::dropped || (column.role != Role::target && !drop)) continue;
    for (std::size_t i = 0; i < column.values.size(); ++i) keep[i] &= !std::isnan(column.values[i]);
  }
  const auto left = static_cast<std::size_t>(std::ranges::count(keep, 1));
  if (left == table.rows) return;
  const std::string reason = drop ? "a value is missing" : "the target is missing";
  if (left == 0) throw DataError(data.name, fmt::format("no row is left: in each row {}", reason));
  data.report.rows_left_out.push_back({reason, table.rows - left, 0});
  for (RawColumn& column : table.columns) {
    std::size_t i = 0;
    std::erase_if(column.values, [&](double) { return !keep[i++]; });
  }
  const arma::uvec kept = arma::find(arma::conv_to<arma::uvec>::from(keep));
  data.published_train = static_cast<arma::uword>(std::ranges::lower_bound(kept, data.published_train) - kept.begin());
  data.kept_rows = data.kept_rows.is_empty() ? kept : arma::uvec(data.kept_rows.elem(kept));
  table.rows = left;
}

std::size_t missing_in(const RawColumn& column) {
  return column.missing_on_disk +
         static_cast<std::size_t>(std::ranges::count_if(column.values, [](double value) { return std::isnan(value); }));
}

/// Missing categories of an input become a category; a number needs a value for its mean.
void treat_missing_input(RawColumn& column, std::size_t rows, const std::string& name) {
  const std::size_t missing = missing_in(column);
  if (missing == 0) return;
  if (column.kind != Kind::category) {
    if (missing < rows) return;
    throw DataError(name,
                    fmt::format("every value of column \"{}\" is missing; leave it out with data.drop", column.name));
  }
  if (std::ranges::count(column.categories, kMissingCategory) > 0)
    throw DataError(
        name, fmt::format("column \"{0}\" has {1}, which cannot become the category \"{2}\", since the column has this "
                          "category already; add \"{2}\" to data.missing_values, or set data.missing to \"drop_rows\"",
                          column.name, counted(missing, "missing value"), kMissingCategory));
  column.categories.emplace_back(kMissingCategory);
}

/// Targets in the order of the model. Those of a new file may be lacking, in some rows or in all.
void put_targets(const RawTable& table, Dataset& data) {
  std::vector<const RawColumn*> targets;
  for (const RawColumn& column : table.columns) {
    if (column.role == Role::target) targets.push_back(&column);
  }
  if (targets.empty()) return;
  if (data.task == Task::classification) return set_classes(data, targets.front()->categories, targets.front()->values);
  std::ranges::sort(targets, {}, &RawColumn::of_model);
  data.Y.set_size(table.rows, targets.size());
  for (arma::uword j = 0; j < targets.size(); ++j) std::ranges::copy(targets[j]->values, data.Y.begin_col(j));
}

/// Marks the rows of a new file in which the model does not know the value of an input, and adds to `items`
/// how many there are. Throws DataError if a value is missing and the file is to be read strictly.
void mark_imputed(const RawColumn& column, const KnownColumn& model, const std::vector<std::size_t>& places,
                  const KnownFile& known, std::vector<std::string>& items, Dataset& data) {
  std::size_t missing = column.missing_on_disk, unknown = 0;
  std::string example;
  for (std::size_t i = 0; i < column.values.size(); ++i) {
    const double value = column.values[i];
    const bool is_missing = std::isnan(value);
    const bool is_known =
        is_missing ? marks_rows(model) : !model.nominal || places[static_cast<std::size_t>(value)] != kNotOfModel;
    if (is_known) continue;
    data.imputed[i] = 1;
    if (is_missing)
      ++missing;
    else if (unknown++ == 0)
      example = column.categories[static_cast<std::size_t>(value)];
  }
  if (known.strict && missing > 0)
    throw DataError(known.origin, fmt::format("column \"{}\" has {}; leave out --strict to impute them", column.name,
                                              counted(missing, "missing value")));
  const std::string name = printable(column.name);
  if (missing > 0) items.push_back(fmt::format("{}: {} missing", name, missing));
  if (unknown > 0)
    items.push_back(
        fmt::format("{}: {} of an unknown category, such as \"{}\"", name, unknown, printable(example, 40)));
}

/// Marks the rows of a new file whose value of an input is a date outside the training data, or a number
/// outside by more than a tenth of their range, and adds to `items` how many there are.
void mark_beyond(const RawColumn& column, const KnownColumn& model, std::vector<char>& beyond,
                 std::vector<std::string>& items) {
  if (!model.range || column.kind == Kind::category) return;
  const double min = model.range->front(), max = model.range->back();
  const double margin = model.date_parts ? 0 : (max - min) / 10;
  std::size_t count = 0;
  KnownColumn outside;
  for (std::size_t i = 0; i < column.values.size(); ++i) {
    const double value = column.values[i];
    if (std::isnan(value) || std::max(min - value, value - max) <= margin) continue;
    beyond[i] = 1;
    ++count;
    extend_range(outside, {value});
  }
  if (count == 0) return;
  const auto has_part = [&](DatePart part) { return std::ranges::count(column.parts, part) > 0; };
  const auto text = [&](double value) {
    return model.date_parts ? moment_text(value, has_part(DatePart::days), has_part(DatePart::hour)) : shortest(value);
  };
  const auto range_text = [&](double low, double high) {
    return low == high ? text(low) : fmt::format("{} to {}", text(low), text(high));
  };
  items.push_back(fmt::format("{} in {}, {} (training: {})", printable(column.name), counted(count, "row"),
                              range_text(outside.range->front(), outside.range->back()), range_text(min, max)));
}

/// Fills the columns of X that an input becomes, from `first` on. places: of places_in_model.
void put_input(const RawColumn& column, const KnownColumn& model, const std::vector<std::size_t>& places, bool codes,
               arma::uword first, Dataset& data) {
  for (std::size_t p = 0; p < column.parts.size(); ++p)
    std::ranges::transform(column.values, data.X.begin_col(first + p),
                           [&](double days) { return part_of(days, column.parts[p]); });
  if (model.date_parts) return;
  if (!model.nominal) {
    std::ranges::copy(column.values, data.X.begin_col(first));
    return;
  }
  const std::size_t last = first + (codes ? 1 : model.categories.size()) - 1;
  if (!codes) data.one_hot = arma::join_cols(data.one_hot, arma::regspace<arma::uvec>(first, 1, last));
  for (std::size_t i = 0; i < column.values.size(); ++i) {
    const double value = column.values[i];
    const std::size_t place = std::isnan(value) ? places.back() : places[static_cast<std::size_t>(value)];
    const bool known = place != kNotOfModel;
    data.X(i, arma::span(first, last)).fill(known ? 0 : arma::datum::nan);
    if (known) data.X(i, codes ? first : first + place) = codes ? static_cast<double>(place) : 1;
  }
}

[[noreturn]] void refuse_without_inputs(const Dataset& data) {
  if (data.report.columns.size() == 1)
    throw DataError(data.name,
                    "expected an input beside the target, found one column; set data.separator if fields are not "
                    "separated by commas, semicolons, tabs, pipes or blanks");
  std::vector<std::string> left_out;
  for (const ColumnReport& column : data.report.columns) {
    if (!column.left_out.empty()) left_out.push_back(fmt::format("{} ({})", column.name, column.left_out));
  }
  throw DataError(data.name, fmt::format("no input column is left{}{}", left_out.empty() ? "" : ": ",
                                         first_few(left_out, kMostNamed)));
}

/// The inputs in the order of the model: their names, and their values if they are in the table.
void put_input_columns(RawTable& table, const TableOptions& options, bool in_memory, Dataset& data) {
  std::vector<arma::uword> first;  // of the inputs of each column of the model
  for (const KnownColumn& column : data.columns) {
    first.push_back(data.inputs.size());
    std::ranges::move(input_names(column, options.codes), std::back_inserter(data.inputs));
  }
  const std::size_t d = data.inputs.size();
  if (d == 0) refuse_without_inputs(data);
  if (in_memory) {
    refuse_beyond_memory("/data", fmt::format("a column for each of {} inputs and categories", d),
                         8.0 * static_cast<double>(table.rows) * static_cast<double>(d));
    data.X.set_size(table.rows, d);
    if (options.known && options.known->sparse) data.X.zeros();  // an input that the file does not have
  }
  std::vector<std::string> imputed, far;
  std::vector<char> beyond(table.rows, 0);
  for (RawColumn& column : table.columns) {
    if (column.role != Role::input) continue;
    KnownColumn& model = data.columns[column.of_model];
    const std::vector<std::size_t> places = places_in_model(column.categories, model);
    if (options.known) {
      mark_imputed(column, model, places, *options.known, imputed, data);
      mark_beyond(column, model, beyond, far);
      if (model.range) extend_range(model, column.values);
    }
    if (in_memory) put_input(column, model, places, options.codes, first[column.of_model], data);
    column.values = std::vector<double>();
  }
  if (const auto rows = std::ranges::count(data.imputed, 1); rows > 0)
    data.report.notes.push_back(fmt::format("{} of {} with imputed values ({})", rows,
                                            counted(data.imputed.size(), "row"), first_few(imputed, kMostNamed, "; ")));
  if (const auto rows = std::ranges::count(beyond, 1); rows > 0)
    data.report.notes.push_back(fmt::format("{} of {} outside the range of the training data: {}", rows,
                                            counted(beyond.size(), "row"), first_few(far, kMostNamed, "; ")));
}

void note_others(const RawTable& table, Dataset& data) {
  std::vector<std::string> others;
  for (const RawColumn& column : table.columns) {
    if (column.of_model == kNotOfModel) others.push_back(printable(column.name, 40));
  }
  if (!others.empty())
    data.report.notes.push_back(fmt::format("{} that the model does not have: {}", counted(others.size(), "column"),
                                            first_few(others, kMostNamed)));
}

}  // namespace

void RawTable::append(RawTable other, const std::string& place) {
  if (sparse) {
    pad(*this, other.columns);
    pad(other, columns);
  }
  if (other.columns.size() != columns.size()) {
    throw DataError(place, fmt::format("expected {} as in the first file of the set, found {}",
                                       counted(columns.size(), "column"), other.columns.size()));
  }
  for (std::size_t j = 0; j < columns.size(); ++j) {
    RawColumn& into = columns[j];
    RawColumn& from = other.columns[j];
    if (into.name != from.name)
      throw DataError(
          place, fmt::format("column {}: expected the name \"{}\" as in the first file of the set, found \"{}\"", j + 1,
                             into.name, from.name));
    if (into.kind != from.kind && into.role != Role::dropped)
      throw DataError(
          place, fmt::format("column \"{}\": expected the type {} as in the first file, found {}", from.name,
                             kKinds[static_cast<std::size_t>(into.kind)], kKinds[static_cast<std::size_t>(from.kind)]));
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

Dataset assemble(RawTable table, const TableOptions& options, arma::uword train_rows, const std::string& name,
                 const std::optional<std::vector<char>>& incomplete) {
  Dataset data;
  data.task = table.task;
  data.name = name;
  data.missing = options.missing == "mean" || options.known;
  data.report = std::move(table.report);
  if (!options.known) {
    if (!table.gaps.empty()) data.kept_rows = numbers_in_file(table);
    data.sparse = table.sparse;
    data.published_train = train_rows;
    leave_out_rows(table, options.missing == "drop_rows", incomplete, data);
    data.report.rows = table.rows;
  }
  for (std::size_t j = 0; j < table.columns.size(); ++j) {
    RawColumn& column = table.columns[j];
    if (column.role != Role::input) continue;
    if (j < data.report.columns.size()) data.report.columns[j].missing = missing_in(column);
    if (!options.known) treat_missing_input(column, table.rows, name);
  }
  if (options.known) {
    data.columns = options.known->columns;
    data.imputed.assign(table.rows, 0);
    if (incomplete && !incomplete->empty()) data.imputed = *incomplete;
    note_others(table, data);
  } else {
    data.columns.reserve(table.columns.size());
    for (RawColumn& column : table.columns) {
      column.of_model = data.columns.size();
      data.columns.push_back(known_column(column));
      const bool is_number = column.role == Role::input && column.kind != Kind::category;
      if (is_number && !table.sparse) extend_range(data.columns.back(), column.values);
    }
  }
  put_targets(table, data);
  put_input_columns(table, options, !incomplete, data);
  for (RawColumn& column : table.columns) {
    if (column.role != Role::split) continue;
    if (options.known)
      data.kept.push_back(std::move(column));
    else
      data.split = std::move(column);
  }
  return data;
}

}  // namespace elmx
