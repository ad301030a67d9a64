#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "experiment/record.hpp"
#include "metrics/statistics.hpp"

namespace elmx {

/// What comes first in tables. What is not named follows in natural order ("alg2" before "alg10").
struct RecordOrder {
  std::vector<std::string> cases;
  std::vector<std::string> algorithms;
};

/// Appends the names that `all` lacks.
void add_missing(std::vector<std::string>& all, const std::vector<std::string>& names);

/// One repeat and fold at one network size and number of iterations.
struct RecordedStep {
  arma::uword repeat = 0;
  arma::uword fold = 0;
  const StepRecord* step = nullptr;  ///< points into the records
};

/// All repeats and folds of one (case, dataset, sweep point, nodes, algorithm, iterations): a row of a table.
struct RecordRow {
  std::string experiment_case;
  std::string dataset;
  std::map<std::string, Json> point;
  std::optional<arma::uword> nodes;  ///< none: every unit failed before its first report
  std::string algorithm;
  arma::uword iterations = 0;                   ///< 0: the algorithm does not iterate
  std::vector<RecordedStep> steps;              ///< those that succeeded, by repeat and fold
  std::map<std::string, arma::uword> failures;  ///< why -> number of units that failed here

  arma::uword failed() const;
  arma::uword units() const { return steps.size() + failed(); }
};

/// Rows sorted by case, dataset, sweep point, nodes, algorithm and iterations; nothing depends on the order of the
/// records. A unit that failed counts as failed at every network size that another unit of its case, dataset and point
/// has reported and it has not, at every number of iterations that its algorithm reports there, or anywhere if none of
/// its units got there. The rows point into `records`.
std::vector<RecordRow> group_records(const std::vector<Record>& records, const RecordOrder& order = {});
std::vector<RecordRow> group_records(std::vector<Record>&& records, const RecordOrder& order = {}) = delete;

/// Whether both are of the same case, dataset, sweep point and nodes.
bool same_block(const RecordRow& a, const RecordRow& b);

/// One quantity over the steps of a row: a metric by its name in the records, "step_seconds" (all measurements pooled)
/// or "total_seconds". n = 0 where no step has it.
Summary summary_of(const RecordRow& row, const std::string& quantity);

/// One quantity of one step, "step_seconds" as the mean of its measurements; none where the step lacks it.
std::optional<double> value_of(const StepRecord& step, const std::string& quantity);

}  // namespace elmx
