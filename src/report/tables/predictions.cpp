#include "report/tables/predictions.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "base/numbers.hpp"
#include "base/printable.hpp"
#include "experiment/records/metrics_of_outputs.hpp"
#include "experiment/saved/updates.hpp"

namespace elmx {
namespace {

using Columns = std::vector<NamedValues>;

/// Adds the columns of M as PREFIXname.
void add(Columns& columns, const std::string& prefix, const std::vector<std::string>& names, const arma::mat& M) {
  for (arma::uword j = 0; j < M.n_cols; ++j) columns.push_back({prefix + names.at(j), arma::vec(M.col(j))});
}

}  // namespace

std::vector<std::string> class_names(const Dataset& data, const arma::uvec& labels) {
  std::vector<std::string> names;
  for (const arma::uword k : labels) names.push_back(k < data.classes.size() ? data.classes[k] : "");
  return names;
}

std::vector<NamedValues> prediction_columns(const SavedModel& model, const NewSamples& samples, const arma::mat& Z,
                                            const PredictionOptions& options, const Intervals& intervals) {
  const bool probabilities = options.probabilities;
  const Dataset& data = samples.data;
  const bool known = !samples.with_targets().is_empty();
  if (probabilities && data.task == Task::regression)
    throw ConfigError("--probabilities", "the model is a regression; use a model of a classification");
  if (probabilities && !model.calibration)
    throw ConfigError("--probabilities",
                      "the model has no calibration: " +
                          model.trial.value(kNoCalibration, "only the model.h5 of a results folder has one"));
  Columns columns{{"row", arma::uvec(samples.numbers() + 1)}};
  for (const RawColumn& column : data.kept) {
    std::vector<std::string> texts;
    for (const arma::uword row : samples.rows) {
      const double category = column.values[row];
      texts.push_back(std::isnan(category) ? "" : column.categories[static_cast<std::size_t>(category)]);
    }
    columns.push_back({column.name, std::move(texts)});
  }
  if (options.imputed) {
    arma::uvec imputed(samples.rows.n_elem);
    for (arma::uword i = 0; i < imputed.n_elem; ++i)
      imputed(i) = data.imputed.empty() ? 0 : static_cast<arma::uword>(data.imputed[samples.rows(i)]);
    columns.push_back({"imputed", std::move(imputed)});
  }
  const Targets targets = targets_of(model, data);
  if (data.task == Task::classification) {
    columns.push_back({"class", class_names(data, targets.decode_labels(Z))});
    add(columns, Z.n_cols == 1 ? "" : "output_", Z.n_cols == 1 ? std::vector<std::string>{"output"} : data.classes, Z);
    if (probabilities)
      add(columns, "probability_", data.classes, model.calibration->probabilities(targets.class_scores(Z)));
    if (known) columns.push_back({"target", class_names(data, data.labels(samples.rows))});
  } else {
    const arma::mat values = targets.to_original(Z);
    if (!values.is_finite())
      throw DataError(data.name, "a prediction is too large for a double in the units of the target");
    const std::vector<std::string> names = target_names(model.data.columns, model.data.outputs);
    add(columns, "predicted_", names, values);
    if (options.interval) {
      const arma::mat lower = targets.to_original(intervals.lower), upper = targets.to_original(intervals.upper);
      for (arma::uword j = 0; j < names.size(); ++j) {
        columns.push_back({names[j] + "_lower", arma::vec(lower.col(j))});
        columns.push_back({names[j] + "_upper", arma::vec(upper.col(j))});
      }
    }
    if (known) add(columns, "target_", names, data.Y.rows(samples.rows));
  }
  for (const RawColumn& column : data.kept) {
    if (std::ranges::count(columns, column.name, &NamedValues::name) > 1)
      throw ConfigError("--keep", fmt::format("the output has a column \"{0}\" of its own; rename \"{0}\" in {1}",
                                              column.name, data.name));
  }
  return columns;
}

std::size_t contradicting_rows(const SavedModel& model, const Dataset& data, const arma::mat& Z) {
  if (!model.calibration) return 0;
  const Targets targets = targets_of(model, data);
  const arma::uvec most_probable = arma::index_max(model.calibration->probabilities(targets.class_scores(Z)), 1);
  return arma::accu(most_probable != targets.decode_labels(Z));
}

Table prediction_metrics(const SavedModel& model, const NewSamples& samples, const arma::mat& Z,
                         const std::string& prefix) {
  const arma::uvec places = samples.with_targets();
  Table table{"metrics", counted(places.n_elem, "sample") + " with targets"};
  table.columns = {{"metric", "metric"}, {"value", "value"}};
  if (places.is_empty()) return table;
  Measurements measured;
  const Targets targets = targets_of(model, samples.data);
  const arma::mat known = Z.rows(places);
  const bool softmax = model.config.value("/model/loss"_json_pointer, "") == "cross_entropy";
  add_metrics(samples.data, targets, samples.rows.elem(places), known, prefix, measured,
              model.calibration ? model.calibration->probabilities(targets.class_scores(known))
              : softmax         ? known
                                : arma::mat());
  if (prefix.empty() && are_training_rows(model, samples))
    table.remarks.push_back("Rows of these data were used for training: the metrics are optimistic.");
  if (targets.in_scaled_units())
    table.remarks.push_back("Errors are in the units of the scaled targets (preprocess.targets.units).");
  std::vector<std::string> of_what = {""};
  for (const std::string& target : target_names(samples.data.columns, samples.data.Y.n_cols))
    of_what.push_back("[" + target + "]");
  for (const std::string& target : of_what) {
    for (const Metric& metric : metrics()) {
      const std::string name = prefix + metric.name + target;
      const auto value = measured.values.find(name);
      const bool measures = value != measured.values.end();
      if (!measures && !measured.notes.contains(name)) continue;
      table.rows.push_back({text_cell(name), number_cell(measures ? value->second : nan)});
      table.rows.back()[1].note = footnote(table, measured.notes[name]);
    }
  }
  return table;
}

}  // namespace elmx
