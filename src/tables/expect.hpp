#pragma once

#include <vector>

#include "experiment/config/expect_options.hpp"
#include "results/frame.hpp"
#include "table_formats/table.hpp"

namespace elmx {

struct ExpectationsFound {
  Table table;  ///< one row an expectation and row of records: bound, what was found, whether it is met
  std::size_t unmet = 0;
};

/// Judges every expectation on every row that it is about: of a grid the choices, or where `where` is about
/// none of them its points. One is not met where a row has no such metric, where a unit of the row has
/// failed, or where there is no such row.
ExpectationsFound check_expectations(const std::vector<Expectation>& expectations, const Frame& frame);

}  // namespace elmx
