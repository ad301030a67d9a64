#pragma once

#include <string>
#include <vector>

#include "report/record_rows.hpp"
#include "report/table.hpp"

namespace elmx {

/// The columns that say what a row is of: case (where there are cases), dataset, one column a swept place headed by its
/// last component (the whole place where two share it), nodes, algorithm, iterations (where an algorithm iterates; "-"
/// at the others).
class RowKeys {
 public:
  explicit RowKeys(const std::vector<RecordRow>& rows);

  std::vector<Column> columns() const;

  /// The key cells of `row`; where units of it have failed, a footnote at the algorithm says how many and why.
  std::vector<Cell> cells(const RecordRow& row, Table& table) const;

 private:
  bool cases_ = false;
  bool iterations_ = false;
  std::vector<std::string> places_;
};

}  // namespace elmx
