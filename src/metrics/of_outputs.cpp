#include "metrics/of_outputs.hpp"

#include "metrics/registry.hpp"

namespace elmx {

void add_metrics(const Dataset& data, const Targets& targets, const arma::uvec& rows, const arma::mat& Z, const std::string& prefix,
                 std::map<std::string, double>& metrics) {
  if (data.task == Task::classification) {
    metrics.merge(classification_metrics(data.labels(rows), targets.decode_labels(Z), data.classes.size(), targets.positive(), prefix));
  } else if (targets.in_scaled_units()) {
    metrics.merge(regression_metrics(targets.encode(rows), Z, prefix));
  } else {
    metrics.merge(regression_metrics(data.Y.rows(rows), targets.to_original(Z), prefix));
  }
}

}  // namespace elmx
