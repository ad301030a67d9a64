#pragma once

#include <filesystem>

#include "linalg/checks/ratios.hpp"

namespace elmx {

/// quick: sizes up to 257, in less than 0.3 s, which is what `elmx run` checks once on a machine.
enum class Extent { quick, full };

/// Checks every function of BLAS and LAPACK that elmx calls, one group for each library and precision. Sizes
/// lie around the edges of the tiles of BLAS libraries, leading dimensions are odd, and conditions are up to
/// 1e12.
std::vector<CheckGroup> check_kernels(Extent extent);

/// Returns the files that hold these functions: normally one.
std::vector<std::filesystem::path> kernel_libraries();

/// Checks the operations of linalg/blas.hpp and the factorisations in both precisions on sizes beyond one
/// tile: by their definition, and for equal bits with 1, 2 and all threads.
CheckGroup check_threads();

}  // namespace elmx
