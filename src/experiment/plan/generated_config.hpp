#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "experiment/config/layered_config.hpp"
#include "experiment/config/spec.hpp"
#include "experiment/plan/plan.hpp"

namespace elmx {

/// Returns a config for unknown data: five folds in which networks with random nodes and kernel machines
/// choose their parameters by leave-one-out errors, and as baselines ridge regression and the mean (or the
/// largest class). Sizes are chosen so that all folds and the final model take about budget.seconds.
///
/// data: "data" of the config; dataset: the data set that it reads.
Json starting_config(const std::string& name, const Json& data, const Dataset& dataset, const TimeBudget& budget);

/// Formats the config as a file for editing: short values on one line, with comments.
std::string text_of_starting_config(const Json& config);

/// The command-line options for data that have no config yet.
struct GivenData {
  std::string data;  ///< a file, "-" for standard input, or a set of the catalogue
  std::vector<std::string> target;
  std::string task;
  double budget = TimeBudget().seconds;
  bool replaces = false;                 ///< an existing config is ignored
  bool alone = true;                     ///< no other shard or rank makes the same config
  std::vector<std::string> assignments;  ///< values of --set, which may change how the data are read
};

/// Returns true if --set changes the data, as in data.decimal=comma.
bool is_of_data(const std::string& assignment);

/// Returns true if the only one of `files` is data and not a config: options of a data file are given, or
/// is_data(). Throws ConfigError if these options are given with a config.
bool begins_with_data(const std::vector<std::string>& files, const GivenData& arguments);

/// A config for data, and the data that were read to make it.
struct GeneratedConfig {
  std::string name;
  Json config;
  std::optional<LoadedData> loaded;  ///< only for files; a generated set depends on the seed

  /// Returns the config with the assignments of --set applied.
  LayeredConfig with(const std::vector<std::string>& assignments) const;
};

/// Generates a config for the file `output`; "" stands for NAME.json. Paths in the config are relative to the
/// working folder if the file is in it, else absolute. Throws ConfigError (no target) and DataError.
GeneratedConfig generate_config(const GivenData& arguments, const std::string& output,
                                const std::filesystem::path& data_dir);

/// Renames the config to NAME-TARGET if its file exists for another target, and to NAME-TASK if it exists for
/// another task. A data file can thus be run with several targets in turn without losing a config.
void name_apart_from_other_runs(GeneratedConfig& generated);

/// Writes the config, unless the file has it already. Throws UserError if the file has other content and
/// `force` is false.
void write_config(const GeneratedConfig& generated, const std::string& file, bool force);

}  // namespace elmx
