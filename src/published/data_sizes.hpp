#pragma once

#include <vector>

#include "experiment/plan/plan.hpp"
#include "experiment/records/record.hpp"

namespace elmx {

/// The sizes of the data of each case as records that tables of data sets can be compared with, without a run: metrics
/// "features" (columns of X), "train_samples" and "test_samples" of "standard".
std::vector<Record> sizes_of_data(const Plan& plan);

}  // namespace elmx
