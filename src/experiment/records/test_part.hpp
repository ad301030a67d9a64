#pragma once

#include <armadillo>
#include <string>
#include <vector>

#include "base/config/json.hpp"
#include "preprocess/targets.hpp"

namespace elmx {

/// What a record says of its test part, beside the metrics, so that several test parts can be pooled.
struct TestPart {
  struct Target {
    std::string name;
    double mean = 0;
    double squares = 0;  ///< sum of (t - mean)^2
  };
  arma::uword samples = 0;   ///< 0 = not recorded (an earlier elmx)
  arma::uword positive = 1;  ///< classification: index of the positive class of two
  /// regression: in the units of the metrics; empty for more than kMostInDetail
  std::vector<Target> targets = {};
};

/// Describes n rows of the data as a test part.
TestPart test_part_of(const Dataset& data, const Targets& targets, const arma::uvec& rows);

/// Confusion matrix of predicted classes, row by row; empty for more than kMostInDetail classes.
std::vector<arma::uword> confusion_of(const Dataset& data, const arma::uvec& rows, const arma::uvec& predicted);

Json to_json(const TestPart& part);
TestPart test_part_from_json(const Json& json);

}  // namespace elmx
