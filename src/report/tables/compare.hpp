#pragma once

#include <string>
#include <vector>

#include "report/formats/table.hpp"
#include "report/frame/frame.hpp"
#include "statistics/hypothesis_tests.hpp"

namespace elmx {

struct CompareOptions {
  std::string test = paired_tests().front().name;
  double alpha = 0.05;
  /// empty: the registered metrics of the test part; "all": all recorded metrics
  std::vector<std::string> metrics;
  Predicate where;  ///< the trials to compare
};

/// Compares two runs, B against A, trial by trial of the rows that pair_rows pairs. The tables are
///
///     compare            per row and metric the mean of B - A over the pairs, its standard deviation, its
///                        t interval, p of the test, and the decision (Finding); NA if a side lacks it
///     compare_data_sets, compare_ranks  over several data sets: see data_set_tables
///     compare_time       step and total time B / A with the 95 % interval of time_ratio
///
/// Rows kBestOnTest and selected rows, which copy other rows, are only compared if a condition or the field
/// asks for `chosen`. Throws ConfigError like find_quantities and pair_rows.
std::vector<Table> compare_records(const Frame& a, const Frame& b, const CompareOptions& options = {});

/// Does the same for the values of a field within one run, "algorithm=alg2,panel" or "algorithm": each value
/// against the first.
std::vector<Table> compare_by(const Frame& frame, const Condition& by, const CompareOptions& options = {});

}  // namespace elmx
