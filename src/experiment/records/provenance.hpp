#pragma once

#include <set>
#include <string>

#include "base/config/json.hpp"

namespace elmx {

/// Returns the members of an experiment.json that describe the program and the machine.
Json describe_program();

/// The file in a results folder with every decision that was made while the data were read.
inline constexpr const char* kDataFile = "data.json";

/// Describes the first difference between the experiments `earlier` and `now`, or returns "". Compares the
/// config, the content of the data sets, the program, the BLAS kernels (which change the last bits) and the
/// shard. Example: "config: case "small": model.ridge: 0.1 there, 0.2 here".
std::string what_changed(const Json& earlier, const Json& now);

/// Describes a difference in the content of data sets that both experiments have, or returns "".
std::string changed_data(const Json& earlier, const Json& now);

/// Describes a difference in the version of the computation (kComputedVersion) or in the BLAS kernels, or
/// returns "". If one of the descriptions comes from an earlier elmx without this version, any other build
/// counts as a difference.
std::string changed_program(const Json& earlier, const Json& now);

/// Describes the first difference between the builds of two programs, or returns "".
std::string changed_build(const Json& earlier, const Json& now);

/// Returns the reason why the run `now` cannot continue the results of the run `earlier`, with the changed
/// place, or "" if `now` only adds trials. Reasons are a program with another computation, or a trial among
/// `recorded` (keys of records) that is no longer in the plan. A trial that reports more sizes of its network
/// has another key and is run again, which is not a conflict.
std::string resume_conflict(const Json& earlier, const Json& now, const std::set<std::string>& recorded);

}  // namespace elmx
