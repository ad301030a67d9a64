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

/// What becomes of results that are there: `go_on` resumes although config, data or program have changed.
enum class Earlier { resume, go_on, replace };

/// Held by the one run that writes to a folder. Throws UserError(resume_refused) where another run holds it.
class FolderLock {
 public:
  explicit FolderLock(const std::filesystem::path& folder);

 private:
  Descriptor folder_;
};

/// DIR of a run: experiment.json and records.jsonl, opened before any work is done.
class ResultsFolder {
 public:
  /// Throws ConfigError where the folder cannot be written, UserError(resume_refused) where it holds another experiment
  /// (what_changed), or is the folder of a run that still goes on. Of what is in the folder only files that elmx wrote are replaced or removed (base/own_files).
  ResultsFolder(const std::filesystem::path& folder, const Json& experiment, Earlier earlier_results);

  /// Keys of the trials that are finished, and of those among them that failed.
  const std::set<std::string>& finished() const { return finished_; }
  const std::set<std::string>& failed() const { return failed_; }

  /// Trials that a run of this folder crashed in, and how: key -> "SIGSEGV".
  const std::map<std::string, std::string>& crashed() const { return crashed_; }

  /// What was found that the user should know: a torn line was dropped, the program has changed.
  const std::vector<std::string>& notes() const { return notes_; }

  /// The line is in the file when this returns (AppendFile). What was chosen among the records without it is removed
  /// first (ChoiceFiles). Throws ConfigError, and leaves no half line behind.
  void append(const Record& record);

  /// The same of a line of another folder, as it stands there.
  void append(const std::string& line);

  /// Ends a run: records in the order of `keys`, the last one of each key, then those of other trials; experiment.json
  /// gets `ended`. Records and description that somebody has deleted or cut meanwhile are written anew.
  void settle(const std::vector<std::string>& keys);

  const std::filesystem::path& path() const { return folder_; }

 private:
  void resume(const Json& experiment, Earlier earlier_results);
  void forget_choice();

  std::filesystem::path folder_;
  std::string description_;  // as experiment.json has it
  std::unique_ptr<FolderLock> lock_;
  std::set<std::string> finished_, failed_;
  std::map<std::string, std::string> crashed_;
  std::vector<std::string> notes_;
  ChoiceFiles choice_;
  bool choice_forgotten_ = false;
  std::unique_ptr<AppendFile> records_;
};

}  // namespace elmx
