#pragma once

#include "models/bls/bls_options.hpp"

namespace elmx {

/// Whether the expanded input of so many samples is held in memory: as the options say, or where it and the state of every
/// algorithm together take less than 0.7 of the machine's.
bool stores_expanded_input(const BlsOptions& options, double samples);

}  // namespace elmx
