#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "data/table/dataset.hpp"
#include "models/calibration.hpp"

namespace elmx {

/// The network of a fold, and the rows of its test part, which the network has not seen.
struct TestedNetwork {
  std::filesystem::path file;
  const Dataset* data;
  arma::uword repeat, fold;
  const arma::uvec* rows;
};

/// The predictions of the folds' networks of one method for the n rows of all test parts.
struct TestOutputs {
  const Dataset* data;
  arma::uvec rows, repeats, folds;  ///< n each; rows of the data as read
  /// n x c: regression outputs in original units, or a score for each class.
  arma::mat values;
  arma::uvec classes;  ///< n class indices; classification
};

/// Computes the predictions of one or more networks of the same task. Throws DataError if a file is damaged.
TestOutputs outputs_on_test_parts(const std::vector<TestedNetwork>& networks);

/// A calibration, or the reason why there is none.
struct FoundCalibration {
  std::optional<Calibration> calibration;
  std::string missing;
};

inline constexpr std::size_t kLeastOfClass = 5;

/// Fits a calibration to the scores of rows that the networks have not seen (as scikit-learn's
/// CalibratedClassifierCV with ensemble=False: the folds calibrate, the network on all rows predicts).
/// Returns none if a class has fewer than kLeastOfClass different rows, or if larger scores do not mean
/// larger probabilities.
FoundCalibration calibrate_on_test_parts(const TestOutputs& outputs);

/// Returns a CSV text with one line for each row of each test part: dataset, method, row (numbered as in
/// `elmx folds`), repeat, fold; then the class names `actual` and `predicted` for a classification, or
/// `actual_NAME` and `predicted_NAME` of each target for a regression.
std::string test_predictions_csv(const TestOutputs& outputs, const std::string& method);

/// The predictions of a regression for the rows of all test parts, read from a results folder.
struct TestPredictions {
  std::string data_set, method;
  std::vector<std::string> targets;
  arma::mat actual, predicted;  ///< n x targets; NaN = not known
};

/// Reads the files of test_predictions_csv in a results folder, one for each data set. Skips classifications,
/// which the records already count, and files that elmx did not write. Throws DataError if a file is damaged.
std::vector<TestPredictions> read_test_predictions(const std::filesystem::path& folder);

}  // namespace elmx
