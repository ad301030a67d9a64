#pragma once

#include <string>
#include <vector>

namespace elmx {

struct CommandExample {
  std::string command;  ///< "run", "data fetch"
  std::string line;     ///< the command line to type
  std::string what;
};

/// Returns two examples for each command, which end its help and its manual page.
const std::vector<CommandExample>& examples();

/// Returns the examples of a command as lines.
std::string examples_text(const std::string& command);

}  // namespace elmx
