#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiment/config/options.hpp"
#include "report/formats/table.hpp"
#include "report/frame/frame.hpp"
#include "statistics/hypothesis_tests.hpp"

namespace elmx {

// The tables of a run: functions of its frame.

/// Throws ConfigError if a reference is named and no row of the frame has that algorithm.
void refuse_unknown_reference(const Frame& frame, const std::string& reference);

/// Returns the tables that `elmx run` prints, except those without a number:
///
///     errors           the diagnostics, means over repeats and folds
///     selection        estimates of the error on other samples from the training part, means
///     regression, classification
///                      metrics of test, unlabelled and train part, structure of the networks: mean +- sd
///     time             time_table
///     grid             all points of the grids, means (Table::only_in_file); other tables have the choices
///     confusion        test samples of each true class by predicted class (Table::only_in_file)
///     selected         the selection of each trial (Table::only_in_file)
///
/// The table "headline" (headline_table) needs the folder of the run and is not included. A failed trial is a
/// footnote at its row; the row is NA if none of its trials succeeded. Weights that may be inaccurate are
/// footnotes of the row, too. Notes of steps on a metric (why it is not available, a 0 / 0 taken as 0) are
/// footnotes at its cell. `reference`: the algorithm that speed-ups are over in all cases that have it;
/// "" = the baseline of the config. Throws ConfigError if the frame does not have it.
std::vector<Table> tables_of_records(const Frame& frame, const std::string& reference = "");

/// Returns the names of these tables and of "headline".
const std::vector<std::string>& standard_table_names();

struct ExpectationsFound {
  Table table;  ///< one row per expectation and row of records: bound, value found, whether it is met
  std::size_t unmet = 0;
};

/// Checks each expectation on all its rows: choices of a grid, or the points of the grid if `where` matches
/// no choice. An expectation is not met if a row lacks the metric, a unit of the row has failed, or there is
/// no such row.
ExpectationsFound check_expectations(const std::vector<Expectation>& expectations, const Frame& frame);

/// The best method of a run and its distance to the other methods.
struct RunSummary {
  std::vector<std::string> sentences;  ///< one or two on each data set, or on all of them together
  std::vector<Table> tables;           ///< test accuracy or error, the best marked
  std::vector<Table> further;          ///< every method against the best
};

/// Finds the best method on each data set, its difference to the next with the 95 % interval, and the
/// corrected t-test of that difference (Wilcoxon's test if the correction is unknown for the split). p is
/// corrected by Holm for all methods compared with the best. If all data sets have the same methods, adds
/// their mean ranks with Friedman's test and Nemenyi's critical difference, or for two methods Wilcoxon's
/// test over the data sets. The sentences name comparisons that cannot be tested.
RunSummary summary_of_methods(const Frame& frame);

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
///     compare_time       step and total time B / A with the 95 % interval of time_ratio
///
/// Rows kBestOnTest and selected rows, which copy other rows, are only compared if a condition or the field
/// asks for `chosen`. Throws ConfigError like find_quantities and pair_rows.
std::vector<Table> compare_records(const Frame& a, const Frame& b, const CompareOptions& options = {});

/// Does the same for the values of a field within one run, "algorithm=alg2,panel" or "algorithm": each value
/// against the first.
std::vector<Table> compare_by(const Frame& frame, const Condition& by, const CompareOptions& options = {});

/// The numbers among which --best-by marks the best: a row, or a column on one data set.
enum class BestBy { row, column };

/// The fields and statistics of a pivot.
///
/// Besides the fields of the records, rows and columns can have "metric" and "stat", for several metrics and
/// statistics, and "part" (test, train, unlabelled), which removes the part from the names in "metric".
/// Several metrics or statistics that are in neither become the innermost levels of columns.
struct PivotOptions {
  std::vector<std::string> rows;     ///< fields whose values head the rows
  std::vector<std::string> columns;  ///< fields whose values head the columns, outermost first
  std::vector<std::string> metrics;
  std::vector<std::string> statistics = {"mean_sd"};
  Predicate only = {};  ///< metrics shown only in cells under one of the values, such as "alg2"
  /// algorithms that speed-ups are over; none: the baseline of the config
  std::vector<std::string> references = {};
  std::vector<std::string> percent = {};  ///< metrics shown in percent
  std::optional<int> digits;              ///< overrides the digits of each metric
  std::optional<BestBy> best;
  Predicate where = {};  ///< the trials to show
};

/// Returns a statistic of metrics over all steps of the records that share the values of the fields: one row
/// and one column for each combination of values that occurs, in natural order (algorithms and cases in the
/// order of the run). A remark names the other fields in which steps of a cell differ. All points of a grid
/// count; choices among the points, which copy their steps, only count if `chosen` is requested. NA: no step
/// has the metric. Failed trials are footnotes. The best value and values that look the same are marked if
/// the better direction of the metric is known and the statistic is not a spread.
///
/// Throws ConfigError for an unknown field, metric, statistic or value, a field named twice, and several
/// choices that would count a step more than once.
Table pivot_table(const Frame& frame, const PivotOptions& options);

}  // namespace elmx
