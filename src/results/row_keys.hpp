#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "results/record_rows.hpp"
#include "table_formats/table.hpp"

namespace elmx {

/// The remark of a table that has rows kBestOnTest.
inline constexpr const char* kOptimistic =
    "best on the test part: these parameters were chosen by their results on the test part; the numbers are "
    "optimistic.";

/// Adds a remark that the table does not have yet.
void add_remark(Table& table, const std::string& text);

/// "2 of 5 trials failed (why); the numbers are of the others"
std::string failure_text(const RecordRow& row);

/// What a swept place is called: its last component, or the whole place where another place or one of `taken` is called
/// so.
std::map<std::string, std::string> place_headings(const std::set<std::string>& places,
                                                  std::multiset<std::string> taken = {});

/// The value of `place` in `point`, "-" where it has none.
Cell point_cell(const std::map<std::string, Json>& point, const std::string& place);

/// The columns that say what a row is of: case (where there are cases), dataset, one column a swept place headed by its
/// last component (the whole place where two share it; of a row that has chosen: the values, "0.1 (7), 1 (3)"), nodes,
/// algorithm, chosen (where something was chosen), one column a parameter of the algorithms' grids, iterations (where
/// an algorithm iterates); "-" at rows that have no such thing.
class RowKeys {
 public:
  explicit RowKeys(const std::vector<RecordRow>& rows);

  std::vector<Column> columns() const;

  /// The key cells of `row`.
  std::vector<Cell> cells(const RecordRow& row) const;

  /// The same; where trials of it have failed, or their weights may be far off, a footnote at the algorithm says how
  /// many and why; where the row was chosen on the test part, a remark says so.
  std::vector<Cell> cells(const RecordRow& row, Table& table) const;

 private:
  bool cases_ = false;
  bool chosen_ = false;
  bool iterations_ = false;
  std::size_t algorithm_ = 0;  ///< its column
  std::vector<std::string> places_;
  std::vector<std::string> parameters_;
};

}  // namespace elmx
