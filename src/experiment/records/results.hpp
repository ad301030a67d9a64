#pragma once

#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/files/files.hpp"
#include "base/files/own_files.hpp"
#include "experiment/records/record.hpp"
#include "experiment/records/stored_run.hpp"

namespace elmx {

/// The file in the folder of a run with a line "KEY SIGNAL" for each trial that ended the program.
inline constexpr const char* kCrashFile = "crashed.txt";

/// The handling of existing results: `resume` continues them if nothing conflicts (resume_conflict), `go_on`
/// continues them in any case, `replace` discards them.
enum class Earlier { resume, go_on, replace };

/// The results folder of a run, with experiment.json and records.jsonl, opened before any work is done.
class ResultsFolder {
 public:
  /// `names` are further files that the run will write. Replaces or removes only files that elmx wrote
  /// (base/own_files). Throws ConfigError if the folder cannot be written, UserError(resume_refused) if its
  /// results conflict with the experiment (resume_conflict), another run writes to it, or new trials would
  /// remove one of the files `changed`, final models that were changed after the run (Earlier::resume).
  ResultsFolder(const std::filesystem::path& folder, const Json& experiment, Earlier earlier_results,
                const std::vector<std::string>& names = {}, const std::vector<std::string>& changed = {});

  /// Returns the lock, which must be kept while further files are written into the folder. Otherwise a new
  /// run could remove these files, or their names from the list of own files, at the same time.
  const std::shared_ptr<const FolderLock>& lock() const { return lock_; }

  /// Returns the last record of each trial in the file, including trials of earlier runs. Valid until settle.
  RecordsByKey written() const { return by_key(written_); }

  /// Returns the trials in which a run of this folder has crashed: key -> "SIGSEGV".
  const std::map<std::string, std::string>& crashed() const { return crashed_; }

  /// Returns notes for the user: an incomplete line was dropped, trials are added to existing ones.
  const std::vector<std::string>& notes() const { return notes_; }

  /// Appends a record, which is in the file on return (AppendFile). First removes files that were chosen
  /// among fewer records (ChoiceFiles). Throws ConfigError and leaves no incomplete line.
  void append(const Record& record);

  /// Appends a record of another folder with its line unchanged.
  void append(Record record, const std::string& line);

  /// Ends a run: sorts the records, the last one of each key, in the order of `keys`, with other trials
  /// behind, and sets `ended` in experiment.json, unless it exists and nothing was run. Restores records and
  /// description if somebody has deleted or truncated them meanwhile.
  void settle(const std::vector<std::string>& keys);

  /// Removes the files that a new record may change, and folders that become empty. Call it before the first
  /// trial writes into the folder; append calls it, too.
  void forget_choice();

  const std::filesystem::path& path() const { return folder_; }

 private:
  void resume(const Json& experiment, Earlier earlier_results, const std::vector<std::string>& changed);
  void describe_anew(const Json& experiment, const Json& earlier, const std::string& changed);

  std::filesystem::path folder_;
  Json description_;  // as experiment.json has it
  std::shared_ptr<const FolderLock> lock_;
  std::map<std::string, std::string> crashed_;
  std::vector<std::string> notes_;
  ChoiceFiles choice_;
  bool choice_forgotten_ = false;
  std::deque<Record> written_;  // the lines of records.jsonl
  bool appended_ = false;
  std::unique_ptr<AppendFile> records_;
};

}  // namespace elmx
