#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/files/append_file.hpp"
#include "base/files/descriptor.hpp"
#include "experiment/records/choice_files.hpp"
#include "experiment/records/provenance.hpp"
#include "experiment/records/record.hpp"

namespace elmx {

/// What becomes of results that are there: `resume` goes on where nothing conflicts with them
/// (resume_conflict), `go_on` in any case.
enum class Earlier { resume, go_on, replace };

/// Held by the one command that writes to a folder. Throws UserError(resume_refused) where another one holds
/// it.
class FolderLock {
 public:
  explicit FolderLock(const std::filesystem::path& folder);

 private:
  Descriptor folder_;
};

/// DIR of a run: experiment.json and records.jsonl, opened before any work is done.
class ResultsFolder {
 public:
  /// `names` are further files that the run will write. Throws ConfigError where the folder cannot be
  /// written, UserError(resume_refused) where its results conflict with the experiment (resume_conflict), or
  /// where another run writes to it. Of what is in the folder only files that elmx wrote are replaced or
  /// removed (base/own_files).
  ResultsFolder(const std::filesystem::path& folder, const Json& experiment, Earlier earlier_results,
                const std::vector<std::string>& names = {});

  /// Whoever writes further files into the folder keeps the lock until they are there: a run that begins
  /// before that removes files, or their names from the list of own files, while they are being written.
  const std::shared_ptr<const FolderLock>& lock() const { return lock_; }

  /// Keys of the trials that are finished, and of those among them that failed.
  const std::set<std::string>& finished() const { return finished_; }
  const std::set<std::string>& failed() const { return failed_; }

  /// Trials that a run of this folder crashed in, and how: key -> "SIGSEGV".
  const std::map<std::string, std::string>& crashed() const { return crashed_; }

  /// What was found that the user should know: a torn line was dropped, trials are added to those that are
  /// there.
  const std::vector<std::string>& notes() const { return notes_; }

  /// The line is in the file when this returns (AppendFile). What was chosen among the records without it is
  /// removed first (ChoiceFiles). Throws ConfigError, and leaves no half line behind.
  void append(const Record& record);

  /// The same of a line of another folder, as it stands there.
  void append(const std::string& line);

  /// Ends a run: records in the order of `keys`, the last one of each key, then those of other trials;
  /// experiment.json gets `ended`, unless nothing was run and it has one. Records and description that
  /// somebody has deleted or cut meanwhile are written anew.
  void settle(const std::vector<std::string>& keys);

  /// Removes the files that a new record may change, and folders that become empty. Must be called before the
  /// first trial writes into the folder; append calls it, too.
  void forget_choice();

  const std::filesystem::path& path() const { return folder_; }

 private:
  void resume(const Json& experiment, Earlier earlier_results);
  void describe_anew(const Json& experiment, const Json& earlier, const std::string& changed);
  void append(const std::string& key, const std::string& line);

  std::filesystem::path folder_;
  std::string description_;  // as experiment.json has it
  std::shared_ptr<const FolderLock> lock_;
  std::set<std::string> finished_, failed_;
  std::map<std::string, std::string> crashed_;
  std::vector<std::string> notes_;
  ChoiceFiles choice_;
  bool choice_forgotten_ = false;
  std::vector<std::string> keys_of_lines_;  // of records.jsonl
  bool appended_ = false;
  std::unique_ptr<AppendFile> records_;
};

}  // namespace elmx
