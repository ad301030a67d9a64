#pragma once

#include <string>
#include <vector>

#include "data/content/content.hpp"
#include "data/table/columns.hpp"
#include "data/table/table.hpp"

namespace elmx {

/// The header that ARFF and KEEL files share: @attribute lines, then @data.
struct Relation {
  std::vector<RawColumn> columns;
  std::vector<std::string> inputs;   ///< KEEL: @inputs
  std::vector<std::string> outputs;  ///< KEEL: @outputs
  std::size_t data_line = 0;         ///< the line of "@data"
};

/// Attribute types: numeric, real, integer (ranges behind them are passed over), string, {a, b, ...}.
/// Throws DataError: another type, a line that is no declaration, no attribute, no @data.
Relation read_relation(const Content& content);

/// The rows behind @data: separated by commas, commas and blanks, or blanks. Throws DataError.
RawTable read_relation_rows(const Content& content, Relation relation, const TableOptions& options);

}  // namespace elmx
