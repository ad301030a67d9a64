#include "experiment/record.hpp"

#include <sstream>

#include "base/fsio.hpp"

namespace elmx {
namespace {

Status status_from(const std::string& text) {
  for (const Status status : {Status::ok, Status::not_positive_definite, Status::not_finite, Status::not_decreasing}) {
    if (to_string(status) == text) return status;
  }
  throw DataError("unknown status \"" + text + "\"");
}

}  // namespace

Json to_json(const Record& record) {
  Json steps = Json::array();
  Json times = Json::array();
  for (const StepRecord& step : record.steps) {
    steps.push_back({{"nodes", step.nodes}, {"status", to_string(step.status)}, {"metrics", step.metrics}});
    if (!step.method.empty()) steps.back()["method"] = step.method;
    times.push_back({{"nodes", step.nodes},
                     {"step_mean", step.step.mean},
                     {"step_sd", step.step.sd},
                     {"step_n", step.step.n},
                     {"total", step.total_seconds}});
  }
  return {{"key", record.key},       {"case", record.experiment_case}, {"dataset", record.dataset},
          {"algorithm", record.algorithm}, {"point", record.point},    {"repeat", record.repeat},
          {"fold", record.fold},     {"status", record.status},        {"steps", steps},
          {"timing", {{"features", record.feature_seconds}, {"steps", times}}}};
}

Record record_from_json(const Json& json) {
  Record record;
  record.key = json.at("key");
  record.experiment_case = json.at("case");
  record.dataset = json.at("dataset");
  record.algorithm = json.at("algorithm");
  record.point = json.at("point").get<std::map<std::string, Json>>();
  record.repeat = json.at("repeat");
  record.fold = json.at("fold");
  record.status = json.at("status");
  record.feature_seconds = json.at("timing").at("features");
  const Json& times = json["timing"].at("steps");
  for (std::size_t i = 0; i < json.at("steps").size(); ++i) {
    const Json& step = json["steps"][i];
    const Json& time = times.at(i);
    record.steps.push_back({step.at("nodes"), status_from(step.at("status")), step.at("metrics"), step.value("method", ""),
                            {time.at("step_mean"), time.at("step_sd"), time.at("step_n")}, time.at("total")});
  }
  return record;
}

std::vector<Record> read_records(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / "records.jsonl";
  std::istringstream lines(read_file(path));
  std::vector<Record> records;
  std::string line;
  for (std::size_t number = 1; std::getline(lines, line); ++number) {
    if (lines.eof()) break;  // no '\n': the line of a killed run
    try {
      records.push_back(record_from_json(Json::parse(line)));
    } catch (const std::exception& error) {
      throw DataError(path.string() + ": line " + std::to_string(number) + ": not a record: " + error.what());
    }
  }
  return records;
}

}  // namespace elmx
