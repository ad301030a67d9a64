#include "tables/predictions.hpp"

#include <cmath>

#include "metrics/of_outputs.hpp"
#include "metrics/registry.hpp"
#include "table_formats/csv.hpp"

namespace elmx {
namespace {

Targets targets_of(const SavedModel& model, const Dataset& data) {
  return Targets(data, model.options.preprocess.targets, model.preprocessing.targets);
}

using Fields = std::vector<std::string>;

void add_row(const arma::mat& M, arma::uword i, Fields& fields) {
  for (arma::uword j = 0; j < M.n_cols; ++j) fields.push_back(std::isnan(M(i, j)) ? "" : show(M(i, j)));
}

}  // namespace

std::vector<std::string> target_names(const std::vector<KnownColumn>& columns, arma::uword outputs) {
  std::vector<std::string> names;
  for (const KnownColumn& column : columns) {
    if (column.role == "target") names.push_back(column.name);
  }
  if (names.size() == outputs) return names;
  names.clear();
  for (arma::uword j = 1; j <= outputs; ++j) names.push_back(outputs == 1 ? "y" : "y" + std::to_string(j));
  return names;
}

std::string predictions_csv(const SavedModel& model, const NewSamples& samples, const arma::mat& Z) {
  const Dataset& data = samples.data;
  const Targets targets = targets_of(model, data);
  const bool classes = data.task == Task::classification, known = !samples.with_targets().is_empty();
  const arma::uvec numbers = samples.numbers(), labels = classes ? targets.decode_labels(Z) : arma::uvec();
  const arma::mat values = classes ? Z : targets.to_original(Z);
  if (!values.is_finite()) throw DataError(data.name + ": a prediction overflows in the units of the target");

  Fields fields{"row"};
  if (classes) {
    fields.push_back("class");
    if (Z.n_cols == 1) fields.push_back("output");
    for (const std::string& name : Z.n_cols > 1 ? data.classes : Fields()) fields.push_back("output_" + name);
    if (known) fields.push_back("target");
  } else {
    const Fields names = target_names(model.data.columns, model.data.outputs);
    for (const std::string& name : names) fields.push_back("predicted_" + name);
    for (const std::string& name : known ? names : Fields()) fields.push_back("target_" + name);
  }
  std::string csv = csv_line(fields);
  for (arma::uword i = 0; i < Z.n_rows; ++i) {
    fields = {std::to_string(numbers(i) + 1)};
    if (classes) fields.push_back(data.classes[labels(i)]);
    add_row(values, i, fields);
    const arma::uword row = samples.rows(i);
    if (known && classes)
      fields.push_back(data.labels(row) < data.classes.size() ? data.classes[data.labels(row)] : "");
    if (known && !classes) add_row(data.Y, row, fields);
    csv += csv_line(fields);
  }
  return csv;
}

Table prediction_metrics(const SavedModel& model, const NewSamples& samples, const arma::mat& Z,
                         const std::string& prefix) {
  Table table;
  table.name = "metrics";
  table.title = std::to_string(samples.with_targets().n_elem) + " samples with targets";
  table.columns = {{"metric", "metric"}, {"value", "value"}};
  const arma::uvec places = samples.with_targets();
  if (places.is_empty()) return table;
  Measurements measured;
  add_metrics(samples.data, targets_of(model, samples.data), samples.rows.elem(places), Z.rows(places), prefix,
              measured);
  for (const Metric& metric : metrics()) {
    const std::string name = prefix + metric.name;
    const auto value = measured.values.find(name);
    const auto note = measured.notes.find(name);
    if (value == measured.values.end() && note == measured.notes.end()) continue;
    table.rows.push_back({text_cell(name), number_cell(value == measured.values.end() ? std::nan("") : value->second)});
    if (note != measured.notes.end()) table.rows.back()[1].note = footnote(table, note->second);
  }
  return table;
}

}  // namespace elmx
