#pragma once

#include <functional>
#include <string>
#include <vector>

#include "report/frame/dimensions.hpp"
#include "report/frame/quantities.hpp"

namespace elmx {

/// The remark below a table that has rows kBestOnTest.
inline constexpr const char* kOptimistic =
    "best on the test part: these parameters were chosen by their mean accuracy (balanced accuracy if the run "
    "chooses by loo_bac) or RMSE on the test part; the numbers are optimistic.";

/// Adds a remark to a table unless it is empty or already there.
void add_remark(Table& table, const std::string& text);

/// Joins two footnotes with ". "; empty footnotes are skipped.
std::string both_notes(const std::string& a, const std::string& b);

/// Returns "2 of 5 trials chose this; the numbers are of these alone"; "" if all trials did, or if `trials`
/// is 0 because nothing was chosen.
std::string choice_text(std::size_t chose, std::size_t trials);

/// Returns "2 of 5 trials failed (why); the numbers are of the others"; "" if none failed.
std::string failure_text(const RecordRow& row);

/// Returns the notes of the steps of a row on a quantity, "test PE: 2 of 5 trials: nothing is predicted ...",
/// or the note of its pooled value; "" if there is none.
std::string note_of(const RecordRow& row, const Quantity& quantity);

/// Returns "Errors of scal are in the units of its scaled (standard) targets."; "" if errors are in the units
/// of the data.
std::string units_text(const RecordRow& row);

/// Returns how the trials of a row chose (choice_text), how many failed, and if weights may be inaccurate.
std::string trial_notes(const RecordRow& row, const std::string& choice);

/// Counts the trials with a step whose weights may be inaccurate, for the end of a run.
std::size_t count_doubtful(const std::vector<Record>& records);

/// Returns the column of a field: varied fields are settings, all others name the row.
Column key_column(const Dimension& dimension);

/// The columns that identify a row: all dimensions of rows, but case, chosen and iterations only if some row
/// has them. For a row that has chosen, they show the values of its trials, "0.1 (7), 1 (3)". A missing value
/// is "-", and NA for the nodes of trials that failed before they reported any.
class RowKeys {
 public:
  explicit RowKeys(const std::vector<RecordRow>& rows);

  /// Returns the key columns. Those that tell the rows apart are names, which stay on a narrow terminal.
  const std::vector<Column>& columns() const { return columns_; }

  /// Returns the key cells of `row`.
  std::vector<Cell> cells(const RecordRow& row) const;

  /// Does the same, and adds a footnote at the algorithm if trials failed or their weights may be inaccurate,
  /// and a remark to the table if the row was chosen on the test part.
  std::vector<Cell> cells(const RecordRow& row, Table& table) const;

  /// Returns the `wanted` keys of a row as texts, "alg2", "nodes 100", without those that the row lacks.
  std::vector<std::string> texts(const RecordRow& row, const std::function<bool(const Column&)>& wanted) const;

 private:
  void name_rows(const std::vector<RecordRow>& rows);

  std::vector<Dimension> shown_;
  std::vector<Column> columns_;  // of `shown_`
};

}  // namespace elmx
