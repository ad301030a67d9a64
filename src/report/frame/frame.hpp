#pragma once

#include <memory>
#include <string>
#include <vector>

#include "report/frame/predicate.hpp"
#include "report/frame/run_description.hpp"

namespace elmx {

/// The results of one run. All views (tables, pivots, comparisons, diagrams, the page, expectations and
/// published tables) are functions of a frame. A frame has the records, their rows (group_records), the
/// choices of each trial among the points of grids and sweeps (with_selections), the units of the errors, and
/// the fields that tell rows and trials apart. Copies share the records.
class Frame {
 public:
  /// Without a description, records are in natural order, and only algorithms make choices.
  Frame(std::vector<Record> records, RunDescription run = {});

  /// Returns all rows: points of grids and sweeps, and the choices among them.
  const std::vector<RecordRow>& rows() const { return rows_; }

  /// Returns the rows except for points that a row kBestOnTest summarises.
  std::vector<RecordRow> rows_without_grids() const { return without_grids(rows_); }

  /// Returns the fields that tell all rows of the run apart.
  const Dimensions& fields() const { return run_->fields; }
  const RunDescription& run() const { return run_->description; }

  const std::vector<Record>& all_records() const { return run_->records; }

  /// Returns the records of the rows; under a predicate, with only the steps that the rows have.
  std::vector<Record> records() const;

  /// Returns the trials that meet the predicate. Throws ConfigError if a field or value is unknown or no
  /// trial is left.
  Frame where(const Predicate& predicate) const;

  /// Returns the conditions that the trials of this frame meet.
  const Predicate& predicate() const { return predicate_; }

  /// Returns the rows of the run without any predicate, for baselines of speed-ups and ranges of axes.
  const std::vector<RecordRow>& all_rows() const { return run_->rows; }

 private:
  struct Run {
    std::vector<Record> records;
    RunDescription description;
    std::vector<RecordRow> rows;
    Dimensions fields;
  };
  std::shared_ptr<const Run> run_;
  std::vector<RecordRow> rows_;
  Predicate predicate_;
};

}  // namespace elmx
