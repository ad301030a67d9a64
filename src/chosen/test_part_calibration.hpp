#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "data/dataset.hpp"
#include "statistics/calibration.hpp"

namespace elmx {

/// A saved network, and rows of its data that it was not trained on.
struct TestedNetwork {
  std::filesystem::path file;
  const arma::uvec* test_rows;
};

/// Fitted to the scores that the networks give the rows which they have not seen (as scikit-learn's
/// CalibratedClassifierCV with ensemble=False: the folds calibrate, the network on all rows predicts). None without
/// such rows.
std::optional<Calibration> calibrate_on_test_parts(const Dataset& data, const std::vector<TestedNetwork>& networks);

}  // namespace elmx
