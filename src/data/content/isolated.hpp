#pragma once

#include <armadillo>
#include <functional>
#include <string>

namespace elmx {

/// The matrix that `make` returns, made in a child process, so that a library that crashes on a damaged file,
/// or does not come to an end, takes nothing with it. For a moment the matrix is in memory twice. Throws
/// DataError: as `make` does, or ("origin: ..., `allowed`") where the child crashes or needs more than
/// cpu_seconds.
arma::mat isolated(const std::function<arma::mat()>& make, const std::string& origin, unsigned cpu_seconds,
                   const std::string& allowed = "a complete MAT-file");

}  // namespace elmx
