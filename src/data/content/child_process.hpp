#pragma once

#include <armadillo>
#include <functional>
#include <limits>
#include <optional>
#include <string>

namespace elmx {

inline constexpr unsigned kAnyTime = std::numeric_limits<unsigned>::max();

/// Returns the matrix or the bytes (Result = arma::mat, std::string) of `make`, which runs in a child
/// process, because a library may crash or hang on a damaged file or without memory. The result is briefly in
/// memory twice. Returns nothing if the child crashes or needs more than cpu_seconds. Throws the ConfigError
/// or DataError of `make`.
template <class Result>
std::optional<Result> in_child_process(const std::function<Result()>& make, unsigned cpu_seconds);

/// Does the same, and throws a DataError that names `origin` and `expected` if there is no result.
template <class Result>
Result isolated(const std::function<Result()>& make, const std::string& origin, unsigned cpu_seconds,
                const std::string& expected = "a complete HDF5 file");

}  // namespace elmx
