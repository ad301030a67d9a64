#pragma once

#include "base/shell_word.hpp"
#include "commands.hpp"
#include "experiment/records/provenance.hpp"

namespace elmx {

/// As a shell takes it.
std::string command_line(char** argv);

/// How the program was called. Throws ConfigError where the working folder is gone.
Invocation invocation(const Common& common);

}  // namespace elmx
