#include "experiment/spec.hpp"

#include <algorithm>
#include <filesystem>

namespace elmx {
namespace {

constexpr const char* kSetPlace = "/data/set";

/// Refuses what brings `specs` beyond most_points.
void add_points(const std::string& name, const Json& config, std::size_t most_points, std::vector<CaseSpec>& specs) {
  const Json model = config.value("model", Json::object());
  const Family& family = family_of(model, "/model");
  std::vector<Axis> axes;
  find_sweeps<ExperimentOptions>(config, "", axes);
  family.find_sweeps(model, "/model", axes);

  std::size_t points = 1;
  for (const Axis& axis : axes) {
    points *= axis.values.size();
    if (specs.size() + points > most_points) {
      throw ConfigError(axis.place + ": the sweep has more than " + std::to_string(most_points) + " points; allowed: fewer");
    }
  }
  for (std::size_t p = 0; p < points; ++p) {
    CaseSpec spec;
    spec.name = name;
    spec.family = &family;
    Json chosen = config;
    std::size_t rest = p, stride = points;
    for (const Axis& axis : axes) {  // the last axis varies fastest
      stride /= axis.values.size();
      const Json& value = axis.values[rest / stride];
      rest %= stride;
      chosen[Json::json_pointer(axis.place)] = value;
      if (axis.place != kSetPlace) spec.point[axis.place] = value;  // the data set of a record says it
    }
    read_options(chosen, "", spec.options);
    if (spec.options.select.wanted() && family.ridge_sizes != nullptr) chosen["model"]["leave_one_out"] = true;
    spec.options.split.complete();
    spec.options.model = family.resolve(chosen.value("model", Json::object()), "/model");
    spec.options.select.complete(axes, family, spec.options.model);
    if (spec.options.preprocess.targets.class_weights && family.ridge_sizes == nullptr) {
      throw ConfigError("/preprocess/targets/class_weights: not with family \"" + std::string(family.name) + "\"; allowed: " + ridge_families());
    }
    spec.algorithms = spec.options.model.at("algorithms").get<std::vector<std::string>>();
    specs.push_back(std::move(spec));
  }
}

/// What tells the data sets of a list apart: the name that their records have.
std::string name_of_data(const Json& data) {
  if (data.contains("set")) return data["set"].dump();
  const Json path = data.value("path", Json());
  return path.is_string() ? std::filesystem::path(path.get<std::string>()).lexically_normal().string() : path.dump();
}

/// The sweep points of each data set, where "data" is a list of them.
void add_data_sets(const std::string& name, const Json& config, std::size_t most_points, std::vector<CaseSpec>& specs) {
  const Json data = config.value("data", Json::object());
  if (!data.is_array()) return add_points(name, config, most_points, specs);
  if (data.empty()) throw ConfigError("/data: no data set; allowed: an object, or a list of one or more");
  std::map<std::string, std::size_t> seen;
  for (std::size_t i = 0; i < data.size(); ++i) {
    const std::string place = "/data/" + std::to_string(i);
    require_object(data[i], place);
    const auto [earlier, is_new] = seen.emplace(name_of_data(data[i]), i);
    if (!is_new) throw ConfigError(place + ": the data set of /data/" + std::to_string(earlier->second) + "; allowed: \"cases\", which have names");
    Json one = config;
    one["data"] = data[i];
    try {
      add_points(name, one, most_points, specs);
    } catch (const ConfigError& error) {
      throw ConfigError("data set " + std::to_string(i + 1) + ": " + error.what());
    }
  }
}

/// A case of another family has nothing to do with the common members of "model".
bool names_another_family(const Json& variant, const Json& common) {
  const Json::json_pointer family("/model/family");
  return variant.contains(family) && variant[family] != (common.contains(family) ? common[family] : Json("elm"));
}

/// The algorithm that speed-ups refer to must run somewhere.
void check_baseline(const std::vector<CaseSpec>& specs) {
  std::vector<std::string> known;
  for (const CaseSpec& spec : specs) known.insert(known.end(), spec.algorithms.begin(), spec.algorithms.end());
  for (const CaseSpec& spec : specs) {
    const std::string& baseline = spec.options.baseline;
    if (baseline.empty() || std::find(known.begin(), known.end(), baseline) != known.end()) continue;
    throw ConfigError("/baseline: \"" + baseline + "\": not among the algorithms of the config" + suggest(baseline, spec.algorithms));
  }
}

}  // namespace

Json CaseSpec::identity() const {
  Json model = options.model;
  model.erase("algorithms");
  return {{"seed", options.seed},
          {"data", write_options(options.data)},
          {"split", write_options(options.split)},
          {"preprocess", write_options(options.preprocess)},
          {"model", model}};
}

std::vector<CaseSpec> expand(const Json& config, std::size_t most_points) {
  require_object(config, "");
  std::vector<CaseSpec> specs;
  const Json cases = config.value("cases", Json::object());
  require_object(cases, "/cases");
  require_object(config.value("full", Json::object()), "/full");
  Json common = config;
  common.erase("cases");
  common.erase("full");
  if (cases.empty()) add_data_sets("", common, most_points, specs);
  for (const auto& [name, variant] : cases.items()) {
    require_object(variant, "/cases/" + name);
    if (variant.contains("expect")) throw ConfigError("/cases/" + name + "/expect: not in a case; allowed: beside \"cases\", with \"where\": {\"case\": \"" + name + "\"}");
    if (variant.contains("cases")) throw ConfigError("/cases/" + name + "/cases: cases do not nest");
    Json merged = common;
    if (names_another_family(variant, common)) merged.erase("model");
    merge(merged, variant);
    try {
      add_data_sets(name, merged, most_points, specs);
    } catch (const ConfigError& error) {
      throw ConfigError("case \"" + name + "\": " + error.what());
    }
  }
  check_baseline(specs);
  const std::vector<Expectation>& expect = specs.front().options.expect;
  for (std::size_t i = 0; i < expect.size(); ++i) expect[i].check("/expect/" + std::to_string(i));
  return specs;
}

Json config_schema() {
  Json schema = schema_of<ExperimentOptions>();
  Json models = Json::array();
  for (const Family& family : families()) models.push_back(family.schema());
  schema["properties"]["model"] = models.size() == 1 ? models[0] : Json{{"anyOf", models}};
  Json& data = schema["properties"]["data"];
  data = {{"anyOf", {data, {{"type", "array"}, {"items", data}, {"minItems", 1}}}}, {"description", "the data set, or a list of them"}};
  Json variant = schema["properties"];
  for (const char* key : {"cases", "full", "expect"}) variant.erase(key);
  schema["properties"]["cases"] = {
      {"type", "object"},
      {"additionalProperties", {{"type", "object"}, {"additionalProperties", false}, {"properties", variant}}},
      {"description", "named variants; each is laid over the rest of the config"}};
  schema["$schema"] = "http://json-schema.org/draft-07/schema#";
  schema["title"] = "elmx experiment";
  return schema;
}

}  // namespace elmx
