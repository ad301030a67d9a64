#pragma once

#include <vector>

#include "experiment/config/expect_options.hpp"
#include "report/formats/table.hpp"
#include "report/frame/frame.hpp"

namespace elmx {

struct ExpectationsFound {
  Table table;  ///< one row per expectation and row of records: bound, value found, whether it is met
  std::size_t unmet = 0;
};

/// Checks each expectation on all its rows: choices of a grid, or the points of the grid if `where` matches
/// no choice. An expectation is not met if a row lacks the metric, a unit of the row has failed, or there is
/// no such row.
ExpectationsFound check_expectations(const std::vector<Expectation>& expectations, const Frame& frame);

}  // namespace elmx
