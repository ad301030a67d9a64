#pragma once

#include <string>
#include <vector>

#include "commands.hpp"

namespace elmx {

struct InfoArguments {
  std::vector<std::string> names;        ///< sets of the catalogue, files, "-" for stdin
  std::vector<std::string> assignments;  ///< of "data", for files: "separator=tab"
  bool config = false;                   ///< only the config that would read the file
};

struct ConvertArguments {
  std::string file, output;
  std::vector<std::string> target, assignments;
};

/// Runs `elmx data convert`. Throws ConfigError, DataError.
ExitCode convert_data(const ConvertArguments& arguments);

/// Runs `elmx data info`. Throws ConfigError, DataError.
ExitCode describe_data(const InfoArguments& arguments, const Common& common);

}  // namespace elmx
