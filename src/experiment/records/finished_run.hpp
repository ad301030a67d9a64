#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "experiment/records/stored_run.hpp"

namespace elmx {

/// A run without remaining work.
struct FinishedRun {
  StoredRun run;
  std::vector<Record> records;  ///< the records of all trials in plan order
};

/// Returns the run in the folder if it has finished everything that the config requests, including models,
/// with this build of the program and the same data files. Compares the checksums of the files and loads no
/// data set. Returns none if work is left, or if this cannot be decided because a file is missing or damaged.
std::optional<FinishedRun> find_finished_run(const std::filesystem::path& folder, const Json& config,
                                             const std::filesystem::path& data_dir);

}  // namespace elmx
