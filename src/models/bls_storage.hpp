#pragma once

#include "models/bls_options.hpp"

namespace elmx {

/// Whether the expanded input of so many samples is held in memory: as the options say, or where it takes less than half of
/// the machine's.
bool stores_expanded_input(const BlsOptions& options, double samples);

}  // namespace elmx
