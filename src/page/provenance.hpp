#pragma once

#include <ctime>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiment/records/record.hpp"
#include "table_formats/table.hpp"

namespace elmx {

using Entries = std::vector<std::pair<std::string, std::string>>;

/// Trials (of how many, where experiment.json says it), failures, data sets, algorithms, time from the
/// beginning to the last record. What is not known is "".
Entries summary_entries(const std::vector<Record>& records, const Json& experiment,
                        std::optional<std::time_t> last_record);

/// One line a data set of an experiment.json, "yacht: 308 rows, 6 inputs, ...".
std::vector<std::string> data_lines(const Json& experiment);

/// "6 of 12 trials: the run is not finished.", "2 of 12 trials failed in whole or in part."; "" where all
/// went well.
std::string warning_of(const std::vector<Record>& records, const Json& experiment);

/// What made the results, of an experiment.json; what it lacks is "".
Entries provenance_entries(const Json& experiment);

/// The data sets of an experiment.json: samples, inputs, SHA-256 of their files, notes.
Table data_table(const Json& experiment);

/// For each data set of a data.json: what became of its columns; rows that are left out, warnings and notes
/// below.
std::vector<Table> reading_tables(const Json& reading);

/// The trials that failed in whole or in part, with what is known of why.
Table failures_table(const std::vector<Record>& records);

}  // namespace elmx
