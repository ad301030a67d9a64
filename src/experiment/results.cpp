#include "experiment/results.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <chrono>
#include <ctime>

#include "base/machine.hpp"
#include "base/version.hpp"
#include "linalg/blas.hpp"

namespace elmx {
namespace {

constexpr int kSchemaVersion = 1;

std::string now_utc() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&now));
  return text;
}

[[noreturn]] void refuse_resume(const std::string& message) { throw UserError(ExitCode::resume_refused, message); }

std::string shown_at(const Json& json, const Json::json_pointer& place) {
  const std::string text = json.contains(place) ? json[place].dump() : "nothing";
  return text.size() > 60 ? text.substr(0, 57) + "..." : text;
}

/// The first place at which two lists of resolved cases differ, with what stands there: "case "small": /model/ridge: ...".
std::string difference(const Json& earlier, const Json& now) {
  const Json patch = Json::diff(earlier, now);
  if (patch.empty()) return "";
  if (!earlier.is_array() || earlier.size() != now.size()) return "other cases or sweep points";
  const auto path = patch[0].at("path").get<std::string>();  // "/0/options/model/ridge"
  const Json::json_pointer place(path);
  const Json& its_case = now[std::stoul(path.substr(1))];
  const std::string begin = "/options";
  const std::string inside = path.substr(path.find('/', 1));
  const auto name = its_case.at("case").get<std::string>();
  return (name.empty() ? "" : "case \"" + name + "\": ") + (inside.starts_with(begin) ? inside.substr(begin.size()) : inside) + ": " +
         shown_at(earlier, place) + " there, " + shown_at(now, place) + " here";
}

}  // namespace

Json describe_experiment(const Json& config, const Plan& plan) {
  Json data = Json::object();
  for (const PlannedCase& c : plan.cases) {
    data[c.data->name] = {{"samples", c.data->X.n_rows}, {"inputs", c.data->X.n_cols}, {"sha256", c.data->sha256}, {"notes", c.data->notes}};
  }
  Json cases = Json::array();
  for (const PlannedCase& c : plan.cases) {
    for (const CaseSpec& spec : c.specs) {
      Json options = write_options(spec.options);
      for (const char* key : {"cases", "paper", "full"}) options.erase(key);
      cases.push_back({{"case", spec.name}, {"point", spec.point}, {"options", options}});
    }
  }
  return {{"schema", kSchemaVersion},
          {"elmx", {{"version", kVersion}, {"commit", kCommit}, {"compiler", kCompiler}, {"build", kBuildType}}},
          {"machine", {{"cpu", cpu_name()}, {"blas", blas_version()}, {"kernel", blas_kernel()}, {"threads", threads()}}},
          {"begun", now_utc()},
          {"config", config},
          {"resolved", cases},
          {"data", data}};
}

FolderLock::FolderLock(const std::filesystem::path& folder) : descriptor_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  const bool held = descriptor_ >= 0 && ::flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  if (!held) return;  // a file system without locks is no reason to refuse
  ::close(descriptor_);
  refuse_resume(folder.string() + ": another run is writing to it; allowed: -o for another folder, or to wait for its end");
}

FolderLock::~FolderLock() { ::close(descriptor_); }

ResultsFolder::ResultsFolder(const std::filesystem::path& folder, const Json& experiment, Earlier earlier_results) : folder_(folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) throw ConfigError(folder.string() + ": cannot be created: " + failed.message());
  lock_ = std::make_unique<FolderLock>(folder);
  const auto records = folder / "records.jsonl";
  bool keep = std::filesystem::exists(records) && earlier_results != Earlier::replace;
  if (keep && std::filesystem::file_size(records) > 0) {
    if (earlier_results == Earlier::refuse) {
      refuse_resume(folder.string() + ": holds results; allowed: --resume to go on with them, --force to begin anew, -o for another folder");
    }
    const Json earlier = Json::parse(read_file(folder / "experiment.json"), nullptr, false);
    const std::string differs = !earlier.is_object() ? "experiment.json is damaged" : difference(earlier.value("resolved", Json()), experiment["resolved"]);
    if (!differs.empty()) {
      refuse_resume(folder.string() + ": holds the results of another config (" + differs +
                    "); allowed: --force to begin anew, -o for another folder");
    }
    for (const Record& record : read_records(folder)) finished_.insert(record.key);
  }
  if (!keep) std::filesystem::remove_all(folder / "states", failed);
  if (!keep && std::filesystem::remove(records, failed)) {
    for (const char* made : {"tables", "models"}) std::filesystem::remove_all(folder / made, failed);
  }
  records_ = std::make_unique<AppendFile>(records);
  if (finished_.empty()) write_file(folder / "experiment.json", experiment.dump(2) + "\n");
}

void ResultsFolder::append(const Record& record) { records_->append(to_json(record).dump()); }

}  // namespace elmx
