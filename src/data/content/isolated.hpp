#pragma once

#include <armadillo>
#include <functional>
#include <string>

namespace elmx {

/// Returns the matrix of `make`, which runs in a child process, so that a library may crash or hang on a
/// damaged file without harm. The matrix is briefly in memory twice. Throws the DataError of `make`, or a
/// DataError that names `origin` and `expected` if the child crashes or needs more than cpu_seconds.
arma::mat isolated(const std::function<arma::mat()>& make, const std::string& origin, unsigned cpu_seconds,
                   const std::string& expected = "a complete MAT-file");

}  // namespace elmx
