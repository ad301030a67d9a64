#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "data/table/dataset.hpp"
#include "statistics/calibration.hpp"

namespace elmx {

/// The network that a fold has trained, and the rows of its test part, which the network has not seen.
struct TestedNetwork {
  std::filesystem::path file;
  const Dataset* data;
  arma::uword repeat, fold;
  const arma::uvec* rows;
};

/// What the networks of the folds of one method predict for the n rows of all test parts.
struct TestOutputs {
  const Dataset* data;
  arma::uvec rows, repeats, folds;  ///< n each; rows of the data as read
  /// n x c: regression, in original units; classification, a score for each class
  arma::mat values;
  arma::uvec classes;  ///< n class indices; classification
};

/// Pre: networks of one task, at least one. Throws DataError where a file is damaged.
TestOutputs outputs_on_test_parts(const std::vector<TestedNetwork>& networks);

/// A calibration, or the reason why there is none.
struct FoundCalibration {
  std::optional<Calibration> calibration;
  std::string missing;
};

inline constexpr std::size_t kLeastOfClass = 5;

/// Fits a calibration to the scores of rows that the networks have not seen (as scikit-learn's
/// CalibratedClassifierCV with ensemble=False: the folds calibrate, the network on all rows predicts). There
/// is none where a class has fewer than kLeastOfClass different rows, or where larger scores do not go with
/// larger probabilities.
FoundCalibration calibrate_on_test_parts(const TestOutputs& outputs);

/// CSV with one line for each row of each test part: dataset, method, row (counted as in `elmx folds`),
/// repeat, fold; of a classification the names of the classes `actual` and `predicted`, of a regression
/// `actual_NAME` and `predicted_NAME` for each target.
std::string test_predictions_csv(const TestOutputs& outputs, const std::string& method);

/// The predictions of a regression for the rows of all test parts, as a results folder has them.
struct TestPredictions {
  std::string data_set, method;
  std::vector<std::string> targets;
  arma::mat actual, predicted;  ///< n x targets; NaN = not known
};

/// Reads the files of test_predictions_csv in a results folder, one for each data set. Classes, which the
/// records count, and files that someone else wrote are left out. Throws DataError where a file is damaged.
std::vector<TestPredictions> read_test_predictions(const std::filesystem::path& folder);

}  // namespace elmx
