#include "linalg/distributed/process_grid.hpp"

#include "base/error.hpp"
#include "base/ranks/ranks.hpp"
#include "linalg/distributed/scalapack.hpp"

namespace elmx {

const ProcessGrid& ProcessGrid::all() {
  static const ProcessGrid grid;
  return grid;
}

ProcessGrid::ProcessGrid() {
  expects(ranks().present(), "ProcessGrid: MPI runs");
  const int count = ranks().count();
  for (int rows = 1; rows * rows <= count; ++rows) {
    if (count % rows == 0) rows_ = rows;
  }
  cols_ = count / rows_;
  Cblacs_get(-1, 0, &context_);
  Cblacs_gridinit(&context_, "Row", rows_, cols_);
  Cblacs_gridinfo(context_, &rows_, &cols_, &row_, &col_);
}

}  // namespace elmx
