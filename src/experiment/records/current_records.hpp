#pragma once

#include <filesystem>
#include <vector>

#include "experiment/records/record.hpp"

namespace elmx {

/// The records of a results folder that are of its experiment, as everything that shows results sees them: for each case and sweep point of
/// experiment.json the last record of each of its units, in that order and under the names that they have there. Records of other units stay
/// in the file where a run has gone on with another config or other data; they are left out. A unit that several cases have in common is
/// a record of each.
///
/// Where experiment.json is not there, or does not list units (as that of an older elmx), it is the last record of each unit, in file order.
/// Throws DataError or ConfigError.
std::vector<Record> current_records(const std::filesystem::path& folder);

/// How many of them there are when the run is finished; 0 where experiment.json does not list units. Throws likewise.
std::size_t planned_units(const std::filesystem::path& folder);

}  // namespace elmx
