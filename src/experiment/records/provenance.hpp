#pragma once

#include <set>
#include <string>

#include "experiment/plan/plan.hpp"

namespace elmx {

/// How the program was called: what is not in the config, and still needed to run it again.
struct Invocation {
  std::string command;  ///< as a shell would read it
  std::string folder;   ///< in which relative paths begin
  std::string data_folder;
};

/// What stands in experiment.json: the config as given and with every default, program, machine, data with
/// their checksums.
Json describe_experiment(const Json& config, const Plan& plan, const Invocation& invocation = {});

/// The members of an experiment.json that tell the program and the machine.
Json describe_program();

/// Of a results folder: every decision that was made while the data were read.
inline constexpr const char* kDataFile = "data.json";

/// {data set: {"sha256": [...], "report": {...}}}, the content of data.json.
Json describe_reading(const Plan& plan);

/// The first thing in which the experiment `now` is not the `earlier` one, or "": a place of the config, the
/// content of a data set, the program, the BLAS kernels (which change the last bits), or the shard that it is
/// of. "config: case "small": /model/ridge: 0.1 there, 0.2 here".
std::string what_changed(const Json& earlier, const Json& now);

/// What differs in the content of data sets that both have, or "".
std::string changed_data(const Json& earlier, const Json& now);

/// What differs in the version of what a trial computes (kComputedVersion) and in the BLAS kernels, or "".
/// Where one of the two descriptions is of an earlier elmx, which did not write that version, any other build
/// differs.
std::string changed_program(const Json& earlier, const Json& now);

/// The first thing in which the builds of two programs differ, or "".
std::string changed_build(const Json& earlier, const Json& now);

/// Returns why the run `now` cannot go on with the results of the run `earlier`: the program computes
/// something else, or a trial among `recorded` (keys of records) is not in the plan any more. It names the
/// place that has changed, and is "" where `now` only adds trials. A trial that reports more sizes of its
/// network has another key: it is run again, which is no conflict.
std::string resume_conflict(const Json& earlier, const Json& now, const std::set<std::string>& recorded);

}  // namespace elmx
