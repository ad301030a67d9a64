#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tables/matched_rows.hpp"

namespace elmx {

/// The rows of several sides that are comparable, and what must be said of them.
struct Pairing {
  std::vector<MatchedRows> rows;     ///< one a side, null where a side has none
  std::vector<std::string> remarks;  ///< in what the sides differ, data sets that make no pairs and why
};

/// Says in which options the splits of two rows differ; "" = that is not known. `side`: the second row's.
using SplitDifference = std::function<std::string(const RecordRow& first, const RecordRow& second, std::size_t side)>;

/// Rows of the sides make a pair where their data sets have the same content (SampleDigests::data, or the same name
/// where a side did not record it) and they agree in every field, but `by`, that has several values on a side. A field
/// with one value a side is no hindrance: where these differ, a remark names them. The order is that of the first side,
/// then of those that it lacks.
///
/// Throws ConfigError where the first side and another one have no pair of trials (matched_steps): its line names the
/// data sets, the splits or the fields that keep them apart. `choice`: a value of `chosen` that --where could ask for,
/// or "".
Pairing pair_rows(std::vector<ComparedSide>& sides, const Dimensions& fields, const std::string& by,
                  const std::string& choice, const SplitDifference& difference);

}  // namespace elmx
