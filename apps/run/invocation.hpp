#pragma once

#include "base/printable.hpp"
#include "commands.hpp"
#include "experiment/records/provenance.hpp"

namespace elmx {

/// Returns the command line, quoted for a shell.
std::string command_line(char** argv);

/// Describes how the program was called. Throws ConfigError if the working folder no longer exists.
Invocation invocation(const Common& common);

}  // namespace elmx
