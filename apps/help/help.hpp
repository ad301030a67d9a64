#pragma once

#include "cli/command.hpp"

namespace elmx {

/// Prints the first commands to try, as `elmx` without arguments does.
ExitCode print_where_to_begin();

/// Prints the table of `elmx list WHAT`. Throws ConfigError.
ExitCode print_list(const std::string& what, const Common& common);

/// Prints every entry of the lists that has this name, and adds all names to `known`. Returns false if no
/// entry has it.
bool explain_name(const std::string& name, const Common& common, std::vector<std::string>& known);

}  // namespace elmx
