#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace elmx {

/// What a script for Slurm says.
struct SlurmScript {
  std::string program;                     ///< elmx
  std::string working_folder;              ///< in which jobs run
  std::string folder;                      ///< of the results, absolute
  std::vector<std::string> run_arguments;  ///< of elmx run, without -o
  std::string name;
  std::string partition, account;  ///< "" = Slurm's own
  std::size_t trials = 0, shards = 1, at_once = 1;
  int threads = 1;
  double planned_bytes = 0;
  double planned_seconds = 0;  ///< of the largest shard
  double model_seconds = 0;    ///< of models that are trained after the merge; 0 = there are none
};

/// A script of bash that submits an array of jobs, one a shard, and a job that merges them when all are
/// finished.
std::string text_of(const SlurmScript& script);

}  // namespace elmx
