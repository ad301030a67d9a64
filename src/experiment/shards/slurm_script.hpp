#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace elmx {

/// The values that a Slurm script is made from.
struct SlurmScript {
  std::string program;                     ///< elmx
  std::string working_folder;              ///< the folder in which jobs run
  std::string folder;                      ///< the absolute results folder
  std::vector<std::string> run_arguments;  ///< arguments of elmx run, without -o
  std::string name;
  std::string partition, account;  ///< "" = Slurm's own
  std::size_t trials = 0, shards = 1, at_once = 1;
  int threads = 1;
  double planned_bytes = 0;
  double planned_seconds = 0;  ///< time of the largest shard
  double model_seconds = 0;    ///< time to train models after the merge; 0 = no models
};

/// Returns a bash script that submits an array of jobs, one per shard, and a job that merges the shards when
/// all are finished.
std::string text_of(const SlurmScript& script);

}  // namespace elmx
