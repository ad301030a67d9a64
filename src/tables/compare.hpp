#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "experiment/records/record.hpp"
#include "results/record_rows.hpp"
#include "results/run_description.hpp"
#include "statistics/paired_tests.hpp"
#include "table_formats/table.hpp"

namespace elmx {

struct CompareOptions {
  std::string test = paired_tests().front().name;
  double alpha = 0.05;
  std::vector<std::string> metrics;  ///< empty: those of the registry of the test part; "all": every one recorded
  std::vector<std::string> where;    ///< "field=value,value": see select_rows
  RecordOrder order;
  /// Samples of the test over those of the training part at a row, for a test that needs them; may throw ConfigError.
  std::function<double(const RecordRow&)> test_over_train;
  /// Of the folders of A and B, of one folder twice the same: what their trials choose, how their samples were split.
  /// null: not known.
  std::array<const RunDescription*, 2> runs = {};
};

/// What two runs differ in, B against A, trial by trial: what pair_rows pairs.
///
///     compare            per row and metric the mean of B - A over the pairs, its standard deviation and interval by
///                        t, p of the test, and the decision (Finding); NA where only one side has the metric
///     compare_data_sets  where there are several data sets: see data_set_tables
///     compare_time       step and total time B / A with the 95 % interval of time_ratio
///
/// In which fields and options the sides differ stands in remarks. Steps without a partner are counted in one; failed
/// trials are footnotes. Rows kBestOnTest and those that a case selects, copies of others, are only compared where a
/// condition or the field asks for `chosen`. Throws ConfigError as select_rows, find_quantities and pair_rows do.
std::vector<Table> compare_records(const std::vector<Record>& a, const std::vector<Record>& b,
                                   const CompareOptions& options = {});

/// The same of the values of a field within one run, "algorithm=alg2,panel" or "algorithm": each against the first.
std::vector<Table> compare_by(const std::vector<Record>& records, const std::string& by,
                              const CompareOptions& options = {});

}  // namespace elmx
