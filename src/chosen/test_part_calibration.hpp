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

/// Fitted to the scores that the networks give the rows which they have not seen (as scikit-learn's
/// CalibratedClassifierCV with ensemble=False: the folds calibrate, the network on all rows predicts). The
/// data may have different inputs, but the same classes. None without such rows.
std::optional<Calibration> calibrate_on_test_parts(const std::vector<TestedNetwork>& networks);

}  // namespace elmx
