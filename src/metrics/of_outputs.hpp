#pragma once

#include <armadillo>
#include <string>

#include "data/table/dataset.hpp"
#include "metrics/measurements.hpp"
#include "preprocess/targets.hpp"

namespace elmx {

/// Adds prefix + metric -> value of the outputs Z (n x c) of n rows of the data: of the classes they name, or
/// of the predictions in the units that the targets are reported in. probabilities: n x (classes), where the
/// outputs have some.
void add_metrics(const Dataset& data, const Targets& targets, const arma::uvec& rows, const arma::mat& Z,
                 const std::string& prefix, Measurements& measured, const arma::mat& probabilities = {});

/// The same of predicted classes: n class indices.
void add_metrics_of_classes(const Dataset& data, const Targets& targets, const arma::uvec& rows,
                            const arma::uvec& classes, const std::string& prefix, Measurements& measured);

/// The same of predictions P (n x c) in the units of the data.
void add_metrics_of_values(const Dataset& data, const Targets& targets, const arma::uvec& rows, const arma::mat& P,
                           const std::string& prefix, Measurements& measured);

}  // namespace elmx
