#pragma once

#include <string>

#include "data/table/dataset.hpp"
#include "data/transforms/targets.hpp"
#include "metrics/registry.hpp"

namespace elmx {

/// Adds prefix + metric -> value for the outputs Z (n x c) of n rows of the data: metrics of the predicted
/// classes, or of the predictions in the units in which the targets are reported. probabilities:
/// n x (classes); empty if the outputs have none.
void add_metrics(const Dataset& data, const Targets& targets, const arma::uvec& rows, const arma::mat& Z,
                 const std::string& prefix, Measurements& measured, const arma::mat& probabilities = {});

/// Adds the same metrics for predicted classes (n class indices).
void add_metrics_of_classes(const Dataset& data, const Targets& targets, const arma::uvec& rows,
                            const arma::uvec& classes, const std::string& prefix, Measurements& measured);

/// Adds the same metrics for predictions P (n x c) in the units of the data.
void add_metrics_of_values(const Dataset& data, const Targets& targets, const arma::uvec& rows, const arma::mat& P,
                           const std::string& prefix, Measurements& measured);

}  // namespace elmx
