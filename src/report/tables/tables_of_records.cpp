#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "base/printable.hpp"
#include "report/frame/quantities.hpp"
#include "report/frame/row_keys.hpp"
#include "report/tables/speed_ups.hpp"
#include "report/tables/tables.hpp"

namespace elmx {
namespace {

/// The largest number of counts in the table of confusion matrices.
constexpr std::size_t kMostCounts = 100'000;

/// Returns the quantities of the tables of one kind; regression and classification by part. Some metrics are
/// not shown for the training part.
std::vector<Quantity> quantities_of(MetricKind kind) {
  const std::string train = "train_";
  std::vector<Quantity> quantities = known_quantities();
  std::erase_if(quantities, [&](const Quantity& one) {
    const bool hidden = one.name.starts_with(train) && !metric_named(one.name.substr(train.size())).shown_of_training;
    return one.kind != kind || hidden;
  });
  return quantities;
}

/// Returns true if the row has a number, or a note why there is none.
bool has(const RecordRow& row, const Quantity& quantity) {
  return summary_of(row, quantity.name).n > 0 || !note_of(row, quantity).empty();
}

/// Returns the rows of a table. A row belongs to a table if its dataset has one of the quantities. A dataset
/// that has no quantities of any kind (all its trials failed) belongs to every table, as NA.
std::vector<RecordRow> rows_with(std::vector<RecordRow> rows, const std::vector<Quantity>& quantities) {
  std::set<std::string> with, succeeded;
  for (const RecordRow& row : rows) {
    if (!row.steps.empty()) succeeded.insert(row.dataset);
    if (std::ranges::any_of(quantities, [&](const Quantity& quantity) { return has(row, quantity); }))
      with.insert(row.dataset);
  }
  std::erase_if(rows, [&](const RecordRow& row) {
    return with.empty() || (!with.contains(row.dataset) && succeeded.contains(row.dataset));
  });
  return rows;
}

/// Estimates for new samples, from the test part or the training part alone, are results. Metrics that are
/// not shown for the training part are details.
Worth worth_of(const Quantity& quantity) {
  const bool of_samples = quantity.kind == MetricKind::regression || quantity.kind == MetricKind::classification;
  const std::string test = "test_";
  if (of_samples && quantity.name.starts_with(test))
    return metric_named(quantity.name.substr(test.size())).shown_of_training ? Worth::result : Worth::detail;
  if (of_samples) return Worth::rest;
  return quantity.kind == MetricKind::structure ? Worth::rest : Worth::result;
}

/// Returns a table of rows under their keys with their quantities, as means or mean +- deviation.
Table quantities_table(const std::string& name, const std::string& title, const std::vector<RecordRow>& rows,
                       std::vector<Quantity> quantities, bool spread) {
  std::erase_if(quantities, [&](const Quantity& quantity) {
    return std::ranges::none_of(rows, [&](const RecordRow& row) { return has(row, quantity); });
  });
  const RowKeys keys(rows);
  Table table{name, title, keys.columns()};
  for (const Quantity& quantity : quantities) {
    const bool key = std::ranges::count(table.columns, quantity.name, &Column::name) > 0;
    table.columns.push_back({(key ? "mean_" : "") + quantity.name, quantity.heading, worth_of(quantity)});
  }
  for (const RecordRow& row : rows) {
    std::vector<Cell> cells = keys.cells(row, table);
    for (const Quantity& quantity : quantities) {
      const Summary s = summary_of(row, quantity.name);
      cells.push_back(spread ? spread_cell(s.mean, s.sd, quantity.display) : number_cell(s.mean, quantity.display));
      cells.back().note = footnote(table, note_of(row, quantity));
    }
    table.rows.push_back(std::move(cells));
    if (std::ranges::any_of(quantities, &Quantity::in_target_units)) add_remark(table, units_text(row));
  }
  add_remark(table, repeated_text(rows));
  return table;
}

/// Returns a remark that errors are over several targets together; "" if they are not.
std::string targets_text(const std::vector<RecordRow>& rows) {
  for (const RecordRow& row : rows) {
    const bool scaled = !row.units.empty();  // scaled to one range or variance
    const std::size_t targets = row.steps.empty() || scaled ? 0 : row.steps[0].record->test_part.targets.size();
    if (targets > 1)
      return fmt::format(
          "MSE, RMSE and MAE are over all {} targets of {} together, so that the targets of the largest numbers decide "
          "them; --metric \"test_rmse[{}]\" shows one target.",
          targets, row.dataset, row.steps[0].record->test_part.targets[0].name);
  }
  return "";
}

/// Returns a remark that names the positive class of two; "" for other problems.
std::string positive_text(const RecordRow& row, const ClassesOfSets& classes) {
  if (row.steps.empty() || row.steps[0].step->confusion.size() != 4) return "";
  const std::size_t positive = row.steps[0].record->test_part.positive;
  if (positive > 1) return "";  // of a damaged record
  return fmt::format("SN, PE and F1 of {} are of its class \"{}\".", row.dataset,
                     names_of_classes(classes, row.dataset, 2).at(positive));
}

Table metrics_table(MetricKind kind, const std::string& name, const std::string& title,
                    const std::vector<RecordRow>& all_rows) {
  std::vector<Quantity> quantities = quantities_of(kind);
  const std::vector<RecordRow> rows = rows_with(all_rows, quantities);
  if (kind != MetricKind::regression && kind != MetricKind::classification)
    return quantities_table(name, title, rows, quantities, false);
  for (const Quantity& quantity : quantities_of(MetricKind::structure)) quantities.push_back(quantity);
  for (const std::string& weight : quantities_in(rows)) {  // of the members of stacks
    if (weight.starts_with("weight[")) quantities.push_back(quantity_of(weight));
  }
  Table table = quantities_table(name, title, rows, quantities, true);
  add_remark(table, targets_text(rows));
  return table;
}

Table grid_table(std::vector<RecordRow> rows) {
  std::erase_if(rows, [](const RecordRow& row) { return !row.one_of_grid; });
  std::vector<Quantity> quantities;
  for (const char* name : {"test_acc", "test_rmse", "train_acc", "train_rmse", "nodes_kept"})
    quantities.push_back(quantity_of(name));
  for (const Quantity& quantity : quantities_of(MetricKind::selection)) quantities.push_back(quantity);
  Table table = quantities_table("grid", "Every point of the grids (means)", rows, quantities, false);
  table.only_in_file = true;
  return table;
}

/// Returns the table of confusion matrices: a line per row and true class, with counts by predicted class.
Table confusion_table(const std::vector<RecordRow>& rows, const ClassesOfSets& classes) {
  const RowKeys keys(rows);
  Table table{"confusion", "Confusion matrices: test samples (counts)", keys.columns()};
  table.only_in_file = true;
  table.columns.push_back({"true", "true class"});
  std::vector<std::string> predicted;
  std::vector<std::map<std::string, double>> counts;
  std::size_t left_out = 0;
  for (const RecordRow& row : rows) {
    const arma::mat C = pooled_confusion(row.steps).C;
    const std::vector<std::string> names = names_of_classes(classes, row.dataset, C.n_rows);
    if (!C.is_empty() && (counts.size() + names.size()) * std::max(predicted.size(), names.size()) > kMostCounts) {
      ++left_out;
      continue;
    }
    add_missing(predicted, names);
    for (arma::uword i = 0; i < C.n_rows; ++i) {
      table.rows.push_back(keys.cells(row, table));
      table.rows.back().push_back(text_cell(names[i]));
      counts.emplace_back();
      for (arma::uword j = 0; j < C.n_cols; ++j) counts.back()[names[j]] = C(i, j);
    }
  }
  for (const std::string& name : predicted) table.columns.push_back({"predicted_" + name, name, Worth::result});
  for (std::size_t i = 0; i < counts.size(); ++i) {
    for (const std::string& name : predicted)
      table.rows[i].push_back(counts[i].contains(name) ? number_cell(counts[i][name]) : text_cell("-"));
  }
  if (left_out > 0) add_remark(table, fmt::format("{} left out; --where chooses the rows.", counted(left_out, "row")));
  add_remark(table, repeated_text(rows));
  return table;
}

}  // namespace

void refuse_unknown_reference(const Frame& frame, const std::string& reference) {
  std::vector<std::string> names;
  for (const RecordRow& row : frame.rows()) add_missing(names, {row.algorithm});
  if (!reference.empty() && std::ranges::count(names, reference) == 0)
    throw ConfigError("reference algorithm \"" + reference + "\"",
                      std::string("not in the records") + (frame.predicate().empty() ? "" : " that --where keeps") +
                          suggest(reference, names));
}

std::vector<Table> tables_of_records(const Frame& frame, const std::string& reference) {
  refuse_unknown_reference(frame, reference);
  const std::vector<RecordRow> rows = without_grids(frame.rows());
  std::vector<Table> tables = {
      metrics_table(MetricKind::diagnostics, "errors", "Accuracy of the solutions (means)", rows),
      metrics_table(MetricKind::selection, "selection", "Error estimates from the training part (means)", rows),
      metrics_table(MetricKind::regression, "regression", "Regression performance", rows),
      metrics_table(MetricKind::classification, "classification", "Classification performance", rows),
  };
  for (const RecordRow& row : rows) add_remark(tables.back(), positive_text(row, frame.run().classes));
  if (!rows.empty()) {
    const SpeedUps speed_ups(frame.all_rows(), reference_algorithms(rows, reference, frame.run().baselines));
    tables.push_back(time_table(rows, speed_ups));
  }
  tables.push_back(grid_table(frame.rows()));
  tables.push_back(confusion_table(rows, frame.run().classes));
  tables.push_back(selected_table(rows));
  std::erase_if(tables, [](const Table& table) { return table.rows.empty(); });
  for (Table& table : tables) table.label = frame.run().label(table.name);

  std::vector<const RecordRow*> all;
  for (const RecordRow& row : frame.rows()) all.push_back(&row);
  if (const TrialCounts count = count_trials(all); count.failed > 0) {
    const std::string remark = std::to_string(count.failed) + " of " + counted(count.all, "trial") +
                               " failed in whole or in part; their missing numbers are NA or left out of the mean.";
    for (Table& table : tables) table.remarks.push_back(remark);
  }
  return tables;
}

const std::vector<std::string>& standard_table_names() {
  static const std::vector<std::string> names = {"errors", "selection", "regression", "classification", "time",
                                                 "grid",   "confusion", "selected",   "headline"};
  return names;
}

}  // namespace elmx
