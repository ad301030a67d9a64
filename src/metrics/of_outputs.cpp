#include "metrics/of_outputs.hpp"

#include "metrics/registry.hpp"

namespace elmx {

void add_metrics(const Dataset& data, const Targets& targets, const arma::uvec& rows, const arma::mat& Z,
                 const std::string& prefix, Measurements& measured) {
  if (data.task == Task::classification)
    add_metrics_of_classes(data, targets, rows, targets.decode_labels(Z), prefix, measured);
  else if (targets.in_scaled_units())
    add_regression_metrics(targets.encode(rows), Z, prefix, measured);
  else
    add_metrics_of_values(data, targets, rows, targets.to_original(Z), prefix, measured);
}

void add_metrics_of_classes(const Dataset& data, const Targets& targets, const arma::uvec& rows,
                            const arma::uvec& classes, const std::string& prefix, Measurements& measured) {
  add_classification_metrics(data.labels(rows), classes, data.classes.size(), targets.positive(), prefix, measured);
}

void add_metrics_of_values(const Dataset& data, const Targets& targets, const arma::uvec& rows, const arma::mat& P,
                           const std::string& prefix, Measurements& measured) {
  if (!targets.in_scaled_units()) return add_regression_metrics(data.Y.rows(rows), P, prefix, measured);
  const arma::uvec all = arma::regspace<arma::uvec>(0, 1, P.n_rows - 1);
  add_regression_metrics(targets.encode(rows), targets.scaler().apply(P, all), prefix, measured);
}

}  // namespace elmx
