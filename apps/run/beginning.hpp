#pragma once

#include <optional>
#include <string>
#include <vector>

#include "commands.hpp"

namespace elmx {

/// What is known of data before there is a config.
struct BeginningArguments {
  std::string data;  ///< a file, or a set of the catalogue
  std::vector<std::string> target;
  std::string task;
  std::vector<std::string> assignments;  ///< of --set; those of the data are needed to read them
};

/// Whether --set changes the data, as in data.decimal=comma.
bool is_of_data(const std::string& assignment);

/// --target and --task.
void add_beginning_options(CLI::App& command, BeginningArguments& arguments);

/// Whether the only one of `files` is data and no config: it has a target, or it does not look like JSON, or it is
/// no file but a set of the catalogue.
bool begins_with_data(const std::vector<std::string>& files, const BeginningArguments& arguments);

/// A config for these data, in a file that is not there yet.
struct Beginning {
  std::string name;
  std::string text;
  std::vector<std::string> said;  ///< what was taken for granted, and how to say otherwise

  Json config(const std::vector<std::string>& assignments) const;
};

/// in_folder: paths of the config begin at the working folder; else they are absolute. Throws ConfigError (no target)
/// and DataError.
Beginning begin_with(const BeginningArguments& arguments, bool in_folder, const Common& common);

/// Writes the config, unless the file has it already. Throws where the file says something else, unless `force`.
void write_beginning(const Beginning& beginning, const std::string& file, bool force);

}  // namespace elmx
