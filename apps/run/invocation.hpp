#pragma once

#include "commands.hpp"
#include "experiment/records/provenance.hpp"

namespace elmx {

/// How the program was called. Throws ConfigError where the working folder is gone.
Invocation invocation(const Common& common);

}  // namespace elmx
