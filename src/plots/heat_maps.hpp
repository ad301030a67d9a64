#pragma once

#include <string>
#include <vector>

#include "plots/plot.hpp"
#include "results/quantities.hpp"
#include "results/record_rows.hpp"

namespace elmx {

/// The mean of a quantity over repeats and folds at every swept ridge parameter and number of nodes: for each case and
/// data set a map for each algorithm and what else tells rows apart; maps that print alike are one, named after all
/// their algorithms. None where there are not two values of each.
std::vector<HeatMap> heat_maps(const std::vector<RecordRow>& rows, const Quantity& quantity);

}  // namespace elmx
