#pragma once

#include <string>
#include <vector>

#include "results/dimensions.hpp"

namespace elmx {

/// The remark of a table that has rows kBestOnTest.
inline constexpr const char* kOptimistic =
    "best on the test part: these parameters were chosen by their results on the test part; the numbers are "
    "optimistic.";

/// Adds a remark that the table does not have yet, unless the text is empty.
void add_remark(Table& table, const std::string& text);

/// The column of a field: what was varied is a setting, all else names the row.
Column key_column(const Dimension& dimension);

/// "2 of 5 trials chose this; the numbers are of these alone"; "" where all did, or `trials` is 0: nothing
/// was chosen.
std::string choice_text(std::size_t chose, std::size_t trials);

/// "2 of 5 trials failed (why); the numbers are of the others"
std::string failure_text(const RecordRow& row);

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
