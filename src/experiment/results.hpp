#pragma once

#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/fsio.hpp"
#include "experiment/plan.hpp"
#include "experiment/record.hpp"

namespace elmx {

enum class Earlier { refuse, resume, replace };

/// Held by the one run that writes to a folder. Throws UserError(resume_refused) where another run holds it.
class FolderLock {
 public:
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_;
};

/// DIR of a run: experiment.json and records.jsonl, opened before any work is done.
class ResultsFolder {
 public:
  /// Throws ConfigError where the folder cannot be written, UserError(resume_refused) where it holds another experiment,
  /// results that the caller has not asked to resume or replace, or is the folder of a run that still goes on.
  ResultsFolder(const std::filesystem::path& folder, const Json& experiment, Earlier earlier_results);

  /// Keys of the units that are finished.
  const std::set<std::string>& finished() const { return finished_; }

  /// The line is on the disk when this returns.
  void append(const Record& record);

  const std::filesystem::path& path() const { return folder_; }

 private:
  std::filesystem::path folder_;
  std::unique_ptr<FolderLock> lock_;
  std::set<std::string> finished_;
  std::unique_ptr<AppendFile> records_;
};

/// What stands in experiment.json: the config with every default, versions, machine, data.
Json describe_experiment(const Json& config, const Plan& plan);

}  // namespace elmx
