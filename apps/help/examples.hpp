#pragma once

#include <string>
#include <vector>

namespace elmx {

struct Example {
  std::string command;  ///< "run", "data fetch"
  std::string line;     ///< what is typed
  std::string what;
};

/// Two for each command: they end its help and its manual page.
const std::vector<Example>& examples();

/// Those of a command, as lines.
std::string examples_text(const std::string& command);

}  // namespace elmx
