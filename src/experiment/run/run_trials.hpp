#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/machine/clock.hpp"
#include "base/machine/shared_work.hpp"
#include "data/table/dataset.hpp"
#include "experiment/config/spec.hpp"
#include "experiment/records/record.hpp"

namespace elmx {

struct SavedModel;
class TrainedMembers;

/// Version of what a trial computes. Raise it by hand with every change of the source that changes a number
/// of a record: it is part of every key, so that trials of two versions are never mixed, and programs that
/// have it in common go on with each other's results.
inline constexpr int kComputedVersion = 2;

/// One fold of one case: what a task computes for all of its algorithms.
struct FoldTask {
  const std::vector<CaseSpec>* specs;  ///< computed together: they differ in the family's shared member only
  const Dataset* data;
  const Fold& fold;
  arma::uword repeat;
  arma::uword fold_index;
  std::vector<std::string> algorithms;  ///< those that are still missing for at least one spec
  SharedWork* shared = nullptr;         ///< what the tasks of a run have in common; null: nothing is kept
  /// folder of the run, for the models that its specs want to keep; empty: none are kept
  std::filesystem::path results = {};
  std::filesystem::path states = {};  ///< folder for the states of trainings in hand; empty: none are kept
  /// what the user should know of a state that cannot be used
  std::function<void(const std::string&)> note = {};
  /// networks of a regression keep leave-one-out solutions, from which intervals of predictions follow
  bool left_out = false;
  /// key -> the record of a trial on the same samples that is finished, or null: a stack does not train it
  /// again
  std::function<const Record*(const std::string& key)> finished = {};
  /// cache of trained members of stacks; null: stacks train their members again
  TrainedMembers* members = nullptr;
  /// takes the network of each trial before its record is emitted, in place of a file; empty: nobody does
  std::function<void(const Record&, const SavedModel&)> keep = {};
};

/// Hash of all that determines the result of a trial.
std::string trial_key(const CaseSpec& spec, const Dataset& data, const std::string& algorithm, arma::uword repeat,
                      arma::uword fold);

/// The record of a trial of the task before anything is done.
Record trial_record(const FoldTask& task, const CaseSpec& spec, const std::string& algorithm);

/// Runs the algorithms of the task on the same samples and the same random features; emits the records of an
/// algorithm, one for each spec, as it is finished, its network (of the last checkpoint that is ok) being on
/// the disk where it is kept. What fails in one algorithm is the status of its record and does not touch the
/// others; a file of the run that cannot be written is no failure of a trial (OutputError). Once `stopped` no
/// further algorithm is begun, and one that keeps states ends where it is, without a record.
void run_task(const FoldTask& task, Clock& clock, const std::function<bool()>& stopped,
              const std::function<void(Record)>& emit);

}  // namespace elmx
