#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "experiment/records/stored_run.hpp"

namespace elmx {

/// A run that has nothing left to do.
struct FinishedRun {
  StoredRun run;
  std::vector<Record> records;  ///< of all its trials, in the order of the plan
};

/// The run in the folder where it has finished what the config asks for, models included, with this build of
/// the program, and the data files are still the same. The files are judged by their checksums: no data set
/// is loaded. None where something is left to be done, or where this cannot be told: a file is not there or
/// damaged.
std::optional<FinishedRun> find_finished_run(const std::filesystem::path& folder, const Json& config,
                                             const std::filesystem::path& data_dir);

}  // namespace elmx
