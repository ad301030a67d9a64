#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/communicator.hpp"
#include "base/machine/clock.hpp"
#include "base/machine/shared_work.hpp"
#include "data/table/dataset.hpp"
#include "experiment/config/spec.hpp"
#include "experiment/records/record.hpp"

namespace elmx {

struct SavedModel;
class TrainedMembers;

/// A task: one fold of one case, with all of its algorithms.
struct FoldTask {
  const std::vector<CaseSpec>* specs;  ///< computed together: differ only in the family's shared member
  const Dataset* data;
  const Fold& fold;
  std::size_t repeat;
  std::size_t fold_index;
  std::vector<std::string> algorithms;  ///< algorithms that are still missing for at least one spec
  SharedWork* shared = nullptr;         ///< cache that the tasks of a run share; null = no cache
  /// The folder of the run, for the saved models of its specs and the states of trainings; empty = none are
  /// saved.
  std::filesystem::path results = {};
  /// Receives notes for the user about an unusable state.
  std::function<void(const std::string&)> note = {};
  /// Networks of a regression keep leave-one-out solutions for prediction intervals.
  bool left_out = false;
  /// The finished trials on the same samples, which a stack does not train again; null = none.
  const RecordsByKey* finished = nullptr;
  /// Cache of trained members of stacks; null = stacks train their members again.
  TrainedMembers* members = nullptr;
  /// Receives the network of each trial before its record is emitted, in place of a file; may be empty.
  std::function<void(const Record&, const SavedModel&)> keep = {};
  const Communicator* ranks = &kAlone;  ///< the ranks that run the task together
  /// The keys of its trials in a plan (PlannedCase::keys); empty = the task is not of a plan.
  std::vector<std::string> keys = {};
};

/// Returns the initial record of a trial of the task. key: as in the plan; empty = it is computed.
Record trial_record(const FoldTask& task, const CaseSpec& spec, const std::string& algorithm, std::string key = "");

/// Runs the algorithms of the task on the same samples and random features. Emits the records of an
/// algorithm, one per spec, when it has finished; a network to keep (of the last checkpoint that is ok) is
/// then on the disk. A failure of an algorithm becomes the status of its record and does not affect the
/// others, except for a file of the run that cannot be written (OutputError). Once `stopped` returns true, no
/// further algorithm starts, and an algorithm that saves states ends without a record.
void run_task(const FoldTask& task, Clock& clock, const std::function<bool()>& stopped,
              const std::function<void(Record)>& emit);

}  // namespace elmx
