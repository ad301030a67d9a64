#pragma once

#include <string>
#include <vector>

#include "results/frame.hpp"
#include "statistics/paired_tests.hpp"
#include "table_formats/table.hpp"

namespace elmx {

struct CompareOptions {
  std::string test = paired_tests().front().name;
  double alpha = 0.05;
  /// empty: the registered metrics of the test part; "all": every one recorded
  std::vector<std::string> metrics;
  Predicate where;  ///< the trials that are compared
};

/// What two runs differ in, B against A, trial by trial of the rows that pair_rows pairs.
///
///     compare            per row and metric the mean of B - A over the pairs, its standard deviation and interval by
///                        t, p of the test, and the decision (Finding); NA where only one side has the metric
///     compare_data_sets, compare_ranks  over several data sets: see data_set_tables
///     compare_time       step and total time B / A with the 95 % interval of time_ratio
///
/// Rows kBestOnTest and those that a case selects, copies of others, are only compared where a condition or
/// the field asks for `chosen`. Throws ConfigError as find_quantities and pair_rows do.
std::vector<Table> compare_records(const Frame& a, const Frame& b, const CompareOptions& options = {});

/// The same of the values of a field within one run, "algorithm=alg2,panel" or "algorithm": each against the
/// first.
std::vector<Table> compare_by(const Frame& frame, const Condition& by, const CompareOptions& options = {});

}  // namespace elmx
