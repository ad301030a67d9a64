#include "experiment/records/results.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>

#include <algorithm>
#include <sstream>

#include "base/files/fsio.hpp"
#include "base/files/own_files.hpp"
#include "base/machine/clock.hpp"
#include "experiment/run/running_trial.hpp"

namespace elmx {
namespace {

const std::vector<std::string> kFiles{"experiment.json", "records.jsonl", "log.txt", kCrashFile};

[[noreturn]] void refuse_resume(const std::string& message) { throw UserError(ExitCode::resume_refused, message); }

/// null where the file is not there or damaged.
Json description_in(const std::filesystem::path& file) {
  try {
    return read_json_file(file);
  } catch (const UserError&) {
    return nullptr;
  }
}

std::vector<std::string> lines_of(const std::string& content) {
  std::vector<std::string> lines;
  std::istringstream in(content);
  for (std::string line; std::getline(in, line);) lines.push_back(std::move(line));
  return lines;
}

/// The lines of the records, those of `keys` first and in that order; of several of one key the last.
std::string in_order(const std::vector<std::string>& lines, const std::vector<std::string>& keys) {
  std::map<std::string, const std::string*> line_of;
  std::vector<std::string> as_written;
  for (const std::string& line : lines) {
    const auto key = Json::parse(line).at("key").get<std::string>();
    if (line_of.insert_or_assign(key, &line).second) as_written.push_back(key);
  }
  std::string content;
  const auto take = [&](const std::string& key) {
    const auto found = line_of.find(key);
    if (found == line_of.end()) return;
    content += *found->second + '\n';
    line_of.erase(found);
  };
  std::for_each(keys.begin(), keys.end(), take);
  std::for_each(as_written.begin(), as_written.end(), take);
  return content;
}

}  // namespace

FolderLock::FolderLock(const std::filesystem::path& folder) : folder_(folder, O_RDONLY | O_DIRECTORY) {
  const bool held = folder_ && ::flock(folder_.number(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  if (!held) return;  // a file system without locks is no reason to refuse
  refuse_resume(folder.string() +
                ": another run is writing to it; allowed: -o for another folder, or to wait for its end");
}

ResultsFolder::ResultsFolder(const std::filesystem::path& folder, const Json& experiment, Earlier earlier_results)
    : folder_(folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) throw ConfigError(folder.string() + ": cannot be created: " + failed.message());
  lock_ = std::make_unique<FolderLock>(folder);
  refuse_files_in_the_way(folder, kFiles);
  const auto records = folder / "records.jsonl";
  if (records_file(folder) != records)
    throw ConfigError(fmt::format("{}: published results; allowed: -o for another folder, or to unpack them (gunzip)",
                                  records_file(folder).string()));
  choice_.add(experiment);
  const bool keep = std::filesystem::exists(records) && earlier_results != Earlier::replace;
  if (keep && std::filesystem::file_size(records) > 0) resume(experiment, earlier_results);
  if (earlier_results == Earlier::replace) {
    remove_own_files(folder, [](const std::string& name) { return !name.starts_with(kImportedFolder); });
    if (std::filesystem::exists(folder / kImportedFolder)) {
      notes_.push_back((folder / kImportedFolder).string() +
                       " stays: what was imported is shown beside the new results where its data and folds are theirs");
    }
  }
  if (!keep)
    remove_own_files(folder, [](const std::string& name) { return name.starts_with("states/") || name == kCrashFile; });
  claim_files(folder, kFiles);
  crashed_ = read_crashes(folder);
  records_ = std::make_unique<AppendFile>(records);
  if (records_->torn_bytes() > 0) {
    notes_.push_back(records.string() + ": its last line was torn (" + std::to_string(records_->torn_bytes()) +
                     " bytes) and is dropped; its trial runs again");
  }
  if (finished_.empty()) write_file(folder / "experiment.json", experiment.dump(2) + "\n");
  description_ = read_file(folder / "experiment.json");
}

void ResultsFolder::resume(const Json& experiment, Earlier earlier_results) {
  const auto path = folder_ / "experiment.json";
  const Json earlier = description_in(path);
  if (const std::string changed = what_changed(earlier, experiment); !changed.empty()) {
    if (earlier_results == Earlier::resume) {
      refuse_resume(folder_.string() + ": holds the results of another experiment (" + changed +
                    "); allowed: --force to begin anew, --resume --force to go on nevertheless, -o for another folder");
    }
    notes_.push_back(folder_.string() + ": goes on although this has changed: " + changed);
    choice_.add(earlier);
    forget_choice();
    const auto of_earlier = [&](const char* member) {
      return earlier.is_object() ? earlier.value(member, Json()) : Json();
    };
    Json both = experiment;
    both["before"] = of_earlier("before").is_array() ? of_earlier("before") : Json::array();
    both["before"].push_back({{"begun", of_earlier("begun")},
                              {"elmx", of_earlier("elmx")},
                              {"machine", of_earlier("machine")},
                              {"changed", changed}});
    write_file(path, both.dump(2) + "\n");
  }
  for (const Record& record : read_records(folder_)) {
    finished_.insert(record.key);
    if (record.status == "ok")
      failed_.erase(record.key);
    else
      failed_.insert(record.key);
  }
}

void ResultsFolder::append(const Record& record) { append(to_json(record).dump()); }

void ResultsFolder::append(const std::string& line) {
  if (!choice_forgotten_) forget_choice();
  records_->append(line);
}

void ResultsFolder::forget_choice() {
  remove_own_files(folder_, [&](const std::string& name) { return choice_.contains(name); });
  choice_forgotten_ = true;
}

void ResultsFolder::settle(const std::vector<std::string>& keys) {
  const auto records = folder_ / "records.jsonl";
  records_->restore();
  const bool restored = records_->restored() > 0;
  if (restored) {
    notes_.push_back(records.string() + ": was deleted or cut while the run went on; it has been written anew");
    note_own_files(folder_, kFiles);
  }
  const std::string ordered = in_order(lines_of(records_->text()), keys);
  if (ordered != records_->text()) {
    records_.reset();
    write_file(records, ordered);
    records_ = std::make_unique<AppendFile>(records);
  }
  Json experiment = description_in(folder_ / "experiment.json");
  if (!experiment.is_object()) experiment = Json::parse(description_, nullptr, false);
  if (!experiment.is_object()) return;
  experiment["ended"] = utc_now();
  write_file(folder_ / "experiment.json", experiment.dump(2) + "\n");
}

}  // namespace elmx
