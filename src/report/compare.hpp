#pragma once

#include <vector>

#include "experiment/record.hpp"
#include "report/record_rows.hpp"
#include "report/table.hpp"

namespace elmx {

/// What two runs differ in, B against A, unit by unit: paired by case, dataset, sweep point, nodes, algorithm, iterations,
/// grid point, choice, repeat and fold. Two tables:
///
///     compare        per metric the mean of B - A over the pairs, its standard deviation and 95 % interval (paired t:
///                    mean +- t sd / sqrt(n)), and whether B is lower, higher, the same in every pair, or "cannot
///                    decide" (the interval has 0 in it, or there is one pair only); NA where only one side has the
///                    metric
///     compare_time   step and total time B / A with the 95 % interval of ratio_of_means
///
/// Steps without a partner are counted in a remark; failed units of A are footnotes.
std::vector<Table> compare_records(const std::vector<Record>& a, const std::vector<Record>& b,
                                   const RecordOrder& order = {});

}  // namespace elmx
