#include "cluster/process_grid.hpp"

#include "base/error.hpp"
#include "base/communicator.hpp"
#include "linalg/grid_layout.hpp"
#include "cluster/scalapack.hpp"

namespace elmx {

const ProcessGrid& ProcessGrid::all() {
  static const ProcessGrid grid;
  return grid;
}

ProcessGrid::ProcessGrid() {
  expects(ranks().present(), "ProcessGrid: MPI runs");
  const GridShape shape = grid_shape(ranks().count());
  rows_ = shape.rows;
  cols_ = shape.cols;
  Cblacs_get(-1, 0, &context_);
  Cblacs_gridinit(&context_, "Row", rows_, cols_);
  Cblacs_gridinfo(context_, &rows_, &cols_, &row_, &col_);
}

}  // namespace elmx
