#pragma once

#include "data/content/content.hpp"
#include "data/table/columns.hpp"
#include "data/table/table.hpp"

namespace elmx {

/// Weka's attribute-relation file format: dense rows; types numeric, real, integer, string and {a, b, ...}. Throws
/// DataError.
RawTable read_arff(const Content& content, const TableOptions& options);

}  // namespace elmx
