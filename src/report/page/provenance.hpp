#pragma once

#include <ctime>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiment/records/record.hpp"
#include "report/formats/table.hpp"

namespace elmx {

using Entries = std::vector<std::pair<std::string, std::string>>;

/// Returns the number of trials (and the planned number, if experiment.json has it), failures, data sets,
/// algorithms, and the time from the start to the last record. Unknown values are "".
Entries summary_entries(const std::vector<Record>& records, const Json& experiment,
                        std::optional<std::time_t> last_record);

/// Returns one line per data set of an experiment.json, "yacht: 308 rows, 6 inputs, ...".
std::vector<std::string> data_lines(const Json& experiment);

/// Returns warnings such as "6 of 12 trials: the run is not finished." and "2 of 12 trials failed in whole or
/// in part."; "" if there is none.
std::string warning_of(const std::vector<Record>& records, const Json& experiment);

/// Returns the provenance of the results from an experiment.json; missing values are "".
Entries provenance_entries(const Json& experiment);

/// Returns the data sets of an experiment.json: samples, inputs, SHA-256 of their files, notes.
Table data_table(const Json& experiment);

/// Returns a table per data set of a data.json: how columns were read, omitted rows, warnings, notes.
std::vector<Table> reading_tables(const Json& reading);

/// Returns the trials that failed in whole or in part, with the known reasons.
Table failures_table(const std::vector<Record>& records);

}  // namespace elmx
