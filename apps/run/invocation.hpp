#pragma once

#include "commands.hpp"
#include "experiment/records/provenance.hpp"

namespace elmx {

/// In single quotes where a shell would read more into it than its text.
std::string shell_word(const std::string& word);

/// As a shell takes it.
std::string command_line(char** argv);

/// How the program was called. Throws ConfigError where the working folder is gone.
Invocation invocation(const Common& common);

}  // namespace elmx
