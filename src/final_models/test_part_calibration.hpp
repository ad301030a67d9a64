#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "data/table/dataset.hpp"
#include "statistics/calibration.hpp"

namespace elmx {

/// A saved network, the data that it was trained on, and rows of these that it has not seen.
struct TestedNetwork {
  std::filesystem::path file;
  const Dataset* data;
  const arma::uvec* test_rows;
};

/// A calibration, or the reason why there is none.
struct FoundCalibration {
  std::optional<Calibration> calibration;
  std::string missing;
};

/// Fits a calibration to the scores that the networks give the rows which they have not seen (as
/// scikit-learn's CalibratedClassifierCV with ensemble=False: the folds calibrate, the network on all rows
/// predicts). The data may have different inputs, but the same classes. There is none where a class has fewer
/// than kLeastOfClass different rows among them, or where larger scores do not go with larger probabilities.
FoundCalibration calibrate_on_test_parts(const std::vector<TestedNetwork>& networks);

inline constexpr std::size_t kLeastOfClass = 5;

}  // namespace elmx
