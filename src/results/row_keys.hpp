#pragma once

#include <string>
#include <vector>

#include "results/dimensions.hpp"
#include "results/quantities.hpp"

namespace elmx {

/// The remark of a table that has rows kBestOnTest.
inline constexpr const char* kOptimistic =
    "best on the test part: these parameters were chosen by their results on the test part; the numbers are "
    "optimistic.";

/// Adds a remark that the table does not have yet, unless the text is empty.
void add_remark(Table& table, const std::string& text);

/// Two footnotes in one: those that are not empty, with ". " between them.
std::string both_notes(const std::string& a, const std::string& b);

/// "2 of 5 trials chose this; the numbers are of these alone"; "" where all did, or `trials` is 0: nothing
/// was chosen.
std::string choice_text(std::size_t chose, std::size_t trials);

/// "2 of 5 trials failed (why); the numbers are of the others"; "" where none has.
std::string failure_text(const RecordRow& row);

/// What the steps of a row note of a quantity, "test PE: 2 of 5 trials: nothing is predicted ...", or what
/// its pooled value does; "" where there is nothing to say.
std::string note_of(const RecordRow& row, const Quantity& quantity);

/// The same of their solutions: "2 of 5 trials: condition times backward error ...".
std::string doubt_of(const RecordRow& row);

/// "Errors of scal are in the units of its scaled (standard) targets."; "" if they are in the units of the
/// data.
std::string units_text(const RecordRow& row);

/// How its trials were chosen (choice_text), how many have failed, and whether their weights may be far off.
std::string trial_notes(const RecordRow& row, const std::string& choice);

/// Trials with a step whose weights may be far off, for the end of a run.
std::size_t count_doubtful(const std::vector<Record>& records);

/// The column of a field: what was varied is a setting, all else names the row.
Column key_column(const Dimension& dimension);

/// The columns that say what a row is of: the dimensions of rows, of case, chosen and iterations those that
/// some row has. Of a row that has chosen they have the values of its trials, "0.1 (7), 1 (3)"; "-" where a
/// row has no such thing, NA for the nodes of trials that failed before they reported any.
class RowKeys {
 public:
  explicit RowKeys(const std::vector<RecordRow>& rows);

  std::vector<Column> columns() const;

  /// The key cells of `row`.
  std::vector<Cell> cells(const RecordRow& row) const;

  /// The same; where trials of it have failed, or their weights may be far off, a footnote at the algorithm
  /// says how many and why; where the row was chosen on the test part, a remark says so.
  std::vector<Cell> cells(const RecordRow& row, Table& table) const;

 private:
  std::vector<Dimension> shown_;
};

}  // namespace elmx
