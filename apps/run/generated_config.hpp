#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "commands.hpp"
#include "experiment/config/spec.hpp"

namespace elmx {

/// The options of the command line about data that have no config yet.
struct DataArguments {
  std::string data;  ///< a file, "-" for standard input, or a set of the catalogue
  std::vector<std::string> target;
  std::string task;
  double budget = TimeBudget().seconds;
  bool replaces = false;  ///< a config that is there is not looked at
  /// True if no shard or rank, possibly on another machine, makes the same config.
  bool alone = true;
  std::vector<std::string> assignments;  ///< of --set; those of the data are needed to read them
};

/// Returns true if --set changes the data, as in data.decimal=comma.
bool is_of_data(const std::string& assignment);

/// Adds --target, --task and --budget.
void add_data_options(CLI::App& command, DataArguments& arguments);

/// Returns true if the only one of `files` is data and not a config: a target is given, or it does not look
/// like JSON, or it is not a file but a set of the catalogue.
bool begins_with_data(const std::vector<std::string>& files, const DataArguments& arguments);

/// A config for data, and the data, which were read to make it.
struct GeneratedConfig {
  std::string name;
  Json config;
  std::optional<LoadedData> loaded;  ///< of files; a generated set depends on the seed

  /// The config with --set.
  Json with(const std::vector<std::string>& assignments) const;
};

/// output: the file of the config; "": NAME.json. Paths of the config begin at the working folder where the
/// file is in it; else they are absolute. Throws ConfigError (no target) and DataError.
GeneratedConfig generate_config(const DataArguments& arguments, const std::string& output, const Common& common);

/// Gives the config another name where its file is there for another target: NAME-TARGET. So a file can be
/// run with one target after the other, and nothing is lost.
void name_apart_from_other_target(GeneratedConfig& generated);

/// Writes the config, unless the file has it already. Throws UserError if the file says something else,
/// unless `force`.
void write_config(const GeneratedConfig& generated, const std::string& file, bool force);

}  // namespace elmx
