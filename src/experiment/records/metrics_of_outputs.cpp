#include "experiment/records/metrics_of_outputs.hpp"

namespace elmx {
namespace {

std::vector<std::string> names_of_targets(const Dataset& data) { return target_names(data.columns, data.Y.n_cols); }

}  // namespace

void add_metrics(const Dataset& data, const Targets& targets, const arma::uvec& rows, const arma::mat& Z,
                 const std::string& prefix, Measurements& measured, const arma::mat& probabilities) {
  if (data.task == Task::classification) {
    add_metrics_of_classes(data, targets, rows, targets.decode_labels(Z), prefix, measured);
    add_score_metrics({data.labels(rows), targets.class_scores(Z), probabilities, targets.positive()}, prefix,
                      measured);
  } else if (targets.in_scaled_units()) {
    add_regression_metrics(targets.encode(rows), Z, prefix, measured, names_of_targets(data));
  } else {
    add_metrics_of_values(data, targets, rows, targets.to_original(Z), prefix, measured);
  }
}

void add_metrics_of_classes(const Dataset& data, const Targets& targets, const arma::uvec& rows,
                            const arma::uvec& classes, const std::string& prefix, Measurements& measured) {
  add_classification_metrics(data.labels(rows), classes, data.classes.size(), targets.positive(), prefix, measured);
}

void add_metrics_of_values(const Dataset& data, const Targets& targets, const arma::uvec& rows, const arma::mat& P,
                           const std::string& prefix, Measurements& measured) {
  const std::vector<std::string> names = names_of_targets(data);
  if (!targets.in_scaled_units()) return add_regression_metrics(data.Y.rows(rows), P, prefix, measured, names);
  const arma::uvec all = arma::regspace<arma::uvec>(0, 1, P.n_rows - 1);
  add_regression_metrics(targets.encode(rows), targets.scaler().apply(P, all), prefix, measured, names);
}

}  // namespace elmx
