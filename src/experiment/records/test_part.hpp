#pragma once

#include <armadillo>
#include <string>
#include <vector>

#include "base/config/json.hpp"
#include "data/transforms/targets.hpp"

namespace elmx {

/// The facts about a test part, besides the metrics, that are needed to pool several test parts.
struct TestPart {
  struct Target {
    std::string name;
    double mean = 0;
    double squares = 0;  ///< sum of (t - mean)^2
  };
  std::size_t samples = 0;   ///< 0 = not recorded (an earlier elmx)
  std::size_t positive = 1;  ///< classification with two classes: index of the positive class
  /// Regression: targets in the units of the metrics; empty for more than kMostInDetail.
  std::vector<Target> targets = {};
};

/// Describes n rows of the data as a test part.
TestPart test_part_of(const Dataset& data, const Targets& targets, const arma::uvec& rows);

/// Returns the confusion matrix of predicted classes, row by row; empty for more than kMostInDetail classes.
std::vector<std::size_t> confusion_of(const Dataset& data, const arma::uvec& rows, const arma::uvec& predicted);

Json to_json(const TestPart& part);
TestPart test_part_from_json(const Json& json);

}  // namespace elmx
