#pragma once

#include <memory>
#include <string>
#include <vector>

#include "results/predicate.hpp"
#include "results/run_description.hpp"

namespace elmx {

/// The results of one run, as every view takes them: tables, pivots, comparisons, diagrams, the page,
/// expectations and published tables are functions of a frame. It has the records, their rows
/// (group_records), what each trial has chosen among the points of grids and sweeps (with_selections), the
/// units of its errors, and the fields that tell all of it apart. Copies share the records.
class Frame {
 public:
  /// Records without a description come in natural order and have chosen nothing but what their algorithms
  /// say.
  Frame(std::vector<Record> records, RunDescription run = {});

  /// Every row: points of grids and sweeps, and the choices among them.
  const std::vector<RecordRow>& rows() const { return rows_; }

  /// The rows without the points that a row kBestOnTest stands for.
  std::vector<RecordRow> rows_without_grids() const { return without_grids(rows_); }

  /// What tells all rows of the run apart.
  const Dimensions& fields() const { return run_->fields; }
  const RunDescription& run() const { return run_->description; }

  const std::vector<Record>& all_records() const { return run_->records; }

  /// The records that the rows are of, under a predicate with the steps alone that these have.
  std::vector<Record> records() const;

  /// The trials that meet the predicate. Throws ConfigError: no such field or value, or no trial is left.
  Frame where(const Predicate& predicate) const;

  /// What the trials of this frame meet.
  const Predicate& predicate() const { return predicate_; }

  /// The rows of the run without any predicate: partners of speed-ups and ranges of axes need not meet it.
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
