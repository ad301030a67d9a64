#pragma once

#include <string>

#include "linalg/checks/ratios.hpp"

namespace elmx {

/// Returns "dgemm of OpenBLAS 0.3.21, SkylakeX kernels: ratio 1e+12 at 64 x 64 x 64".
std::string text_of(const WrongResult& wrong);

/// Runs the quick part of check_kernels, unless the cache of this user ($XDG_CACHE_HOME/elmx, else
/// ~/.cache/elmx) says that these kernels of this library have passed on a processor of this name. Throws
/// UserError(check_failed) if a kernel is wrong.
void check_kernels_once();

}  // namespace elmx
