#include <fmt/core.h>

#include <cstdlib>
#include <iostream>

#include "base/printable.hpp"
#include "commands.hpp"
#include "experiment/records/current_records.hpp"
#include "own_methods/imported.hpp"

namespace elmx {

std::filesystem::path Common::data() const {
  if (!data_dir.empty()) return data_dir;
  const char* environment = std::getenv("ELMX_DATA");
  return environment != nullptr && *environment != '\0' ? environment : "data";
}

std::vector<Record> records_in(const std::filesystem::path& folder) {
  std::vector<Record> records = current_records(folder);
  if (records.empty())
    throw DataError((folder / "records.jsonl").string() +
                    ": no records; allowed: the results of a run that has finished a trial");
  const std::size_t planned = planned_trials(folder);
  if (records.size() < planned) {
    std::cerr << "elmx: " << printable(folder.string()) << ": " << records.size() << " of " << counted(planned, "trial")
              << ": the run is not finished\n";
  }
  WithImported all = with_imported(std::move(records), folder);
  for (const std::string& name : all.hidden) {
    std::cerr << "elmx: " << printable((folder / kImportedFolder / name).string())
              << ".jsonl: predictions on other data or folds than those that the run has finished are not shown\n";
  }
  return std::move(all.records);
}

bool describes_run(const Json& json) {
  return json.contains("schema") && json.contains("config") && json.contains("resolved");
}

Json load_config(const std::vector<std::string>& files, const std::vector<std::string>& assignments,
                 std::map<std::string, Json>* runs) {
  Json config = Json::object();
  for (const std::string& file : files) {
    const Json next = read_json_file(file);
    if (!next.is_object())
      throw ConfigError(fmt::format("{}: {}; allowed: an object, as in {{\"key\": value}}", file, next.type_name()));
    merge(config, describes_run(next) ? next["config"] : next);
    if (runs != nullptr && describes_run(next)) runs->emplace(file, next);
  }
  for (const std::string& assignment : assignments) set_by_path(config, assignment);
  return config;
}

}  // namespace elmx
