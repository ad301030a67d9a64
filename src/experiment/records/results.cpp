#include "experiment/records/results.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <unordered_map>

#include "base/files/files.hpp"
#include "base/files/own_files.hpp"
#include "base/machine/clock.hpp"
#include "base/printable.hpp"
#include "experiment/records/stored_run.hpp"

namespace elmx {
namespace {

const std::vector<std::string> kFiles{"experiment.json", "records.jsonl", "log.txt", kCrashFile};

[[noreturn]] void refuse_resume(const std::filesystem::path& folder, const std::string& problem) {
  throw UserError(ExitCode::resume_refused, folder.string(), problem);
}

/// Returns the numbers of the last line of each key: first the keys in `keys`, in this order, then all
/// others.
std::vector<std::size_t> in_order(const std::deque<Record>& written, const std::vector<std::string>& keys) {
  std::unordered_map<std::string, std::size_t> line_of;
  for (std::size_t i = 0; i < written.size(); ++i) line_of[written[i].key] = i;
  std::vector<std::size_t> order;
  const auto take = [&](const std::string& key) {
    const auto found = line_of.find(key);
    if (found == line_of.end()) return;
    order.push_back(found->second);
    line_of.erase(found);
  };
  std::ranges::for_each(keys, take);
  for (const Record& record : written) take(record.key);
  return order;
}

/// Returns the crashes of a folder: key -> name of the signal, without an incomplete last line.
std::map<std::string, std::string> read_crashes(const std::filesystem::path& file) {
  std::map<std::string, std::string> crashes;
  if (!is_there(file)) return crashes;
  const std::string content = read_file(file);
  for (const std::string_view line : whole_lines(content)) {
    const std::size_t blank = line.find(' ');
    if (blank != std::string_view::npos) crashes[std::string(line.substr(0, blank))] = line.substr(blank + 1);
  }
  return crashes;
}

}  // namespace

ResultsFolder::ResultsFolder(const std::filesystem::path& folder, const Json& experiment, Earlier earlier_results,
                             const std::vector<std::string>& names, const std::vector<std::string>& changed)
    : folder_(folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) throw ConfigError(folder.string(), "the folder cannot be created: " + failed.message());
  lock_ = std::make_shared<const FolderLock>(folder);
  refuse_files_in_the_way(folder, kFiles);
  refuse_files_in_the_way(folder, names);
  const auto records = folder / "records.jsonl";
  if (records_file(folder) != records)
    throw ConfigError(records_file(folder).string(),
                      "holds published results; choose another folder with -o, or unpack the file with gunzip");
  choice_.add(experiment);
  const bool keep = std::filesystem::exists(records) && earlier_results != Earlier::replace;
  if (keep && std::filesystem::file_size(records) > 0) resume(experiment, earlier_results, changed);
  if (earlier_results == Earlier::replace) {
    remove_own_files(folder, [](const std::string& name) { return !name.starts_with(kImportedFolder); });
    if (std::filesystem::exists(folder / kImportedFolder)) {
      notes_.push_back((folder / kImportedFolder).string() +
                       " is kept: its predictions are shown beside the new results where data and folds are the same");
    }
  }
  if (!keep)
    remove_own_files(folder, [](const std::string& name) { return name.starts_with("states/") || name == kCrashFile; });
  claim_files(folder, kFiles);
  crashed_ = read_crashes(folder / kCrashFile);
  records_ = std::make_unique<AppendFile>(records);
  if (records_->torn_bytes() > 0) {
    notes_.push_back(fmt::format("{}: the last line was incomplete ({} bytes) and was dropped; its trial runs again",
                                 records.string(), records_->torn_bytes()));
  }
  if (written_.empty()) write_file(folder / "experiment.json", experiment.dump(2) + "\n");
  description_ = written_.empty() ? experiment : read_json_file(folder / "experiment.json");
}

void ResultsFolder::resume(const Json& experiment, Earlier earlier_results, const std::vector<std::string>& changed) {
  std::set<std::string> finished;
  for (Record& record : read_records(folder_)) {
    finished.insert(record.key);
    written_.push_back(std::move(record));
  }
  const Json earlier = json_or_null(folder_ / "experiment.json");
  const std::string conflict = resume_conflict(earlier, experiment, finished);
  if (!conflict.empty()) {
    if (earlier_results == Earlier::resume) {
      refuse_resume(folder_,
                    fmt::format("holds the results of another experiment ({}); use --force to replace them, --resume "
                                "--force to continue them anyway, or -o to choose another folder",
                                conflict));
    }
    notes_.push_back(fmt::format("{}: the run continues although this has changed: {}", folder_.string(), conflict));
    return describe_anew(experiment, earlier, conflict);
  }
  const std::vector<std::string> planned = planned_keys(experiment);
  const auto missing = static_cast<std::size_t>(
      std::ranges::count_if(planned, [&](const std::string& key) { return !finished.contains(key); }));
  const std::string trials = fmt::format("{} finished, {} to run", counted(planned.size() - missing, "trial"), missing);
  const std::string difference = what_changed(earlier, experiment);
  if (earlier_results == Earlier::resume && !changed.empty() && (missing > 0 || !difference.empty()))
    refuse_resume(folder_,
                  fmt::format("{} has rows that elmx update or forget has added or removed, and this run would "
                              "train it anew without them; choose another folder with -o, or use --resume "
                              "--force",
                              changed.front()));
  if (!difference.empty()) {
    notes_.push_back(
        fmt::format("{}: the config has changed, but the existing results fit it: {}", folder_.string(), trials));
    describe_anew(experiment, earlier, difference);
  } else if (const std::string build = changed_build(earlier, experiment); !build.empty() && missing > 0) {
    notes_.push_back(
        fmt::format("{}: another build of the program continues, with the same numbers: {}", folder_.string(), trials));
    describe_anew(experiment, earlier, build);
  }
}

void ResultsFolder::describe_anew(const Json& experiment, const Json& earlier, const std::string& changed) {
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
  write_file(folder_ / "experiment.json", both.dump(2) + "\n");
}

void ResultsFolder::append(const Record& record) { append(record, to_json(record).dump()); }

void ResultsFolder::append(Record record, const std::string& line) {
  forget_choice();
  const std::size_t restored = records_->restored();
  records_->append(line);
  // the list may be gone with the folder
  if (records_->restored() > restored) note_own_files(folder_, kFiles);
  written_.push_back(std::move(record));
  appended_ = true;
}

void ResultsFolder::forget_choice() {
  if (choice_forgotten_) return;
  remove_own_files(folder_, [&](const std::string& name) { return choice_.contains(name); });
  choice_forgotten_ = true;
}

void ResultsFolder::settle(const std::vector<std::string>& keys) {
  const auto records = folder_ / "records.jsonl";
  records_->restore();
  const bool restored = records_->restored() > 0;
  if (restored) {
    notes_.push_back(records.string() + ": was deleted or truncated during the run, and elmx has restored it");
    note_own_files(folder_, kFiles);
  }
  const std::vector<std::size_t> order = in_order(written_, keys);
  if (order.size() < written_.size() || !std::ranges::is_sorted(order)) {
    const std::vector<std::string_view> lines = whole_lines(records_->text());
    std::string ordered;
    std::deque<Record> written;
    for (const std::size_t i : order) {
      ordered.append(lines.at(i)) += '\n';
      written.push_back(std::move(written_[i]));
    }
    records_.reset();
    write_file(records, ordered);
    records_ = std::make_unique<AppendFile>(records);
    written_ = std::move(written);
  }
  Json experiment = json_or_null(folder_ / "experiment.json");
  if (!appended_ && experiment.is_object() && experiment.contains("ended")) return;
  if (!experiment.is_object()) experiment = description_;
  experiment["ended"] = utc_now();
  write_file(folder_ / "experiment.json", experiment.dump(2) + "\n");
}

}  // namespace elmx
