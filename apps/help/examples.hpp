#pragma once

#include <string>
#include <vector>

namespace elmx {

struct CommandExample {
  std::string command;  ///< "run", "data fetch"
  std::string line;     ///< what is typed
  std::string what;
};

/// Two for each command: they end its help and its manual page.
const std::vector<CommandExample>& examples();

/// Those of a command, as lines.
std::string examples_text(const std::string& command);

}  // namespace elmx
