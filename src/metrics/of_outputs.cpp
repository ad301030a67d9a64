#include "metrics/of_outputs.hpp"

#include "metrics/registry.hpp"

namespace elmx {

void add_metrics(const Dataset& data, const Targets& targets, const arma::uvec& rows, const arma::mat& Z,
                 const std::string& prefix, Measurements& measured) {
  if (data.task == Task::classification) {
    add_classification_metrics(data.labels(rows), targets.decode_labels(Z), data.classes.size(), targets.positive(),
                               prefix, measured);
  } else if (targets.in_scaled_units()) {
    add_regression_metrics(targets.encode(rows), Z, prefix, measured);
  } else {
    add_regression_metrics(data.Y.rows(rows), targets.to_original(Z), prefix, measured);
  }
}

}  // namespace elmx
