#include "report/tables_of_records.hpp"

#include <algorithm>
#include <set>

#include "metrics/registry.hpp"
#include "report/row_keys.hpp"
#include "report/time_table.hpp"

namespace elmx {
namespace {

/// A column of metrics: one quantity, as mean or as mean +- standard deviation.
struct Quantity {
  std::string name;
  std::string heading;
  Display display;
  bool spread;
};

/// What the tables of one kind can show, in the order of the registry; of regression and classification the parts one after
/// the other.
std::vector<Quantity> quantities_of(MetricKind kind) {
  std::vector<Quantity> quantities;
  if (kind == MetricKind::ledger || kind == MetricKind::selection) {
    const Display display = kind == MetricKind::ledger ? scientific(1) : significant(4);
    for (const Metric& metric : metrics()) {
      if (metric.kind == kind) quantities.push_back({metric.name, metric.heading, display, false});
    }
    return quantities;
  }
  const Display display = kind == MetricKind::regression ? significant(4) : fixed_point(4);
  for (const std::string split : {"test", "unlabelled", "train"}) {
    for (const Metric& metric : metrics()) {
      if (metric.kind != kind || (split == "train" && !metric.shown_of_training)) continue;
      quantities.push_back({split + "_" + metric.name, split + " " + metric.heading, display, true});
    }
  }
  return quantities;
}

std::vector<Quantity> structure() {
  std::vector<Quantity> quantities;
  for (const Metric& metric : metrics()) {
    if (metric.kind == MetricKind::structure) quantities.push_back({metric.name, metric.heading, fixed_point(1), true});
  }
  return quantities;
}

bool has(const RecordRow& row, const Quantity& quantity) {
  return summary_of(row, quantity.name).n > 0;
}

/// A row belongs to a table where its dataset has one of the quantities; a dataset that has none of any kind (all of
/// its units failed) belongs to every table, as NA.
std::vector<RecordRow> rows_with(const std::vector<RecordRow>& rows, const std::vector<Quantity>& quantities) {
  std::set<std::string> with;
  std::set<std::string> succeeded;
  for (const RecordRow& row : rows) {
    if (!row.steps.empty()) succeeded.insert(row.dataset);
    for (const Quantity& quantity : quantities) {
      if (has(row, quantity)) with.insert(row.dataset);
    }
  }
  std::vector<RecordRow> selected;
  if (with.empty()) return selected;
  for (const RecordRow& row : rows) {
    if (with.count(row.dataset) > 0 || succeeded.count(row.dataset) == 0) selected.push_back(row);
  }
  return selected;
}

/// The rows under their keys and those of the quantities that they have.
Table quantities_table(const std::string& name, const std::string& title, const std::vector<RecordRow>& rows,
                       std::vector<Quantity> quantities) {
  std::erase_if(quantities, [&](const Quantity& quantity) {
    return std::none_of(rows.begin(), rows.end(), [&](const RecordRow& row) { return has(row, quantity); });
  });
  const RowKeys keys(rows);
  Table table{name, title, keys.columns(), {}, {}, {}};
  for (const Quantity& quantity : quantities) {
    const bool key = std::any_of(table.columns.begin(), table.columns.end(), [&](const Column& c) { return c.name == quantity.name; });
    table.columns.push_back({(key ? "mean_" : "") + quantity.name, quantity.heading});
  }
  for (const RecordRow& row : rows) {
    std::vector<Cell> cells = keys.cells(row, table);
    for (const Quantity& quantity : quantities) {
      const Summary s = summary_of(row, quantity.name);
      cells.push_back(quantity.spread ? spread_cell(s.mean, s.sd, quantity.display)
                                      : number_cell(s.mean, quantity.display));
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

Table metrics_table(MetricKind kind, const std::string& name, const std::string& title, const std::vector<RecordRow>& all_rows) {
  std::vector<Quantity> quantities = quantities_of(kind);
  const std::vector<RecordRow> rows = rows_with(all_rows, quantities);
  if (kind == MetricKind::ledger || kind == MetricKind::selection) return quantities_table(name, title, rows, quantities);
  for (const Quantity& quantity : structure()) quantities.push_back(quantity);
  Table table = quantities_table(name, title, rows, quantities);
  table.joined = "algorithm";  // they differ in their errors, seldom in what they predict
  return table;
}

Table grid_table(std::vector<RecordRow> rows) {
  std::erase_if(rows, [](const RecordRow& row) { return !row.one_of_grid; });
  std::vector<Quantity> quantities = {{"test_acc", "test ACC", fixed_point(4), false},
                                      {"test_rmse", "test RMSE", significant(4), false},
                                      {"train_acc", "train ACC", fixed_point(4), false},
                                      {"train_rmse", "train RMSE", significant(4), false},
                                      {"nodes_kept", "nodes kept", fixed_point(1), false}};
  for (const Quantity& quantity : quantities_of(MetricKind::selection)) quantities.push_back(quantity);
  Table table = quantities_table("grid", "Every point of the grids (means)", rows, quantities);
  table.only_in_file = true;
  return table;
}

}  // namespace

std::vector<Table> tables_of_records(const std::vector<Record>& records, const RecordTableOptions& options) {
  const std::vector<RecordRow> all_rows = with_selections(group_records(records, options.order), options.select);
  const std::vector<RecordRow> rows = without_grids(all_rows);
  std::vector<Table> tables = {
      metrics_table(MetricKind::ledger, "errors", "How right the solutions are (means)", rows),
      metrics_table(MetricKind::selection, "selection", "What the training part says of other samples (means)", rows),
      metrics_table(MetricKind::regression, "regression", "Regression performance", rows),
      metrics_table(MetricKind::classification, "classification", "Classification performance", rows),
  };
  if (!rows.empty()) tables.push_back(time_table(rows, reference_algorithms(rows, options.reference)));
  tables.push_back(grid_table(all_rows));
  tables.push_back(selected_table(rows));
  std::erase_if(tables, [](const Table& table) { return table.rows.empty(); });

  const auto failed = std::count_if(records.begin(), records.end(), [](const Record& r) {
    return r.status != "ok" ||
           std::any_of(r.steps.begin(), r.steps.end(), [](auto& s) { return s.status != Status::ok; });
  });
  if (failed > 0) {
    const std::string remark = std::to_string(failed) + " of " + std::to_string(records.size()) +
                               " units failed in whole or in part; what they lack is NA or left out of the mean.";
    for (Table& table : tables) table.remarks.push_back(remark);
  }
  return tables;
}

}  // namespace elmx
