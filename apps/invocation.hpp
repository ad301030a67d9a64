#pragma once

#include "experiment/records/provenance.hpp"
#include "commands.hpp"

namespace elmx {

/// How the program was called. Throws ConfigError where the working folder is gone.
Invocation invocation(const Common& common);

}  // namespace elmx
