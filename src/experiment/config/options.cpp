#include "experiment/config/options.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <functional>

#include "models/registry/registry.hpp"

namespace elmx {
namespace {

constexpr const char* kNodes = "nodes";
constexpr const char* kUpdatable = "updatable";

/// Returns the choice with this full or last name. Throws ConfigError if there is none, or several.
std::string meant(const std::string& name, const std::vector<std::string>& choices) {
  if (std::ranges::count(choices, name) > 0) return name;
  std::vector<std::string> same;
  for (const std::string& choice : choices) {
    if (last_component(choice) == name) same.push_back(choice);
  }
  if (same.size() == 1) return same.front();
  std::vector<std::string> names = choices;
  for (const std::string& choice : choices) {
    if (std::ranges::count(names, last_component(choice)) == 0) names.push_back(last_component(choice));
  }
  throw ConfigError("/select/over", fmt::format("\"{}\" does not name one swept key of the config{}", name,
                                                suggest(name, same.empty() ? names : same)));
}

/// Calls f for a config, and for "full" and each of its cases, which have the same keys.
void for_each_layer(Json& config, const std::function<void(Json&)>& f) {
  if (!config.is_object()) return;
  f(config);
  if (config.contains("full")) for_each_layer(config["full"], f);
  if (!config.contains("cases") || !config["cases"].is_object()) return;
  for (Json& variant : config["cases"]) for_each_layer(variant, f);
}

}  // namespace

void PreprocessOptions::fields(FieldVisitor& field) {
  field("inputs", inputs,
        "scaling of each input column, fitted on the training part (with its unlabelled samples); rank: normal "
        "quantiles of the ranks",
        one_of(scalings()));
  field("pca", pca, "principal components in place of the scaled inputs, fitted on the same samples");
  field("targets", targets, "scaling or coding of the targets");
}

void TimeBudget::fields(FieldVisitor& field) {
  field("seconds", seconds, "seconds of the whole run with its final model", more_than(0));
  field("gflops", gflops, "speed of the machine in Gflop/s (matrix products in double precision)", more_than(0));
}

void SelectOptions::fields(FieldVisitor& field) {
  field("by", by,
        "criterion of the choice, computed on the training part: the least loo_mse or gcv, or the largest loo_acc or "
        "loo_bac",
        one_of({"none", "loo_mse", "gcv", "loo_acc", "loo_bac"}));
  field("over", over,
        "settings to choose: places of sweeps (\"/model/ridge\" or \"ridge\") and \"nodes\"; []: the sizes, all sweeps "
        "of the model and of the scaling of the inputs, and for loo_acc and loo_bac also those of the coding and the "
        "class weights");
}

bool can_be_chosen(const std::string& place, bool by_classes) {
  if (place == "/preprocess/targets/class_weights" || place == "/preprocess/targets/coding") return by_classes;
  return place.starts_with("/model/") ||
         (place.starts_with("/preprocess/") && !place.starts_with("/preprocess/targets/"));
}

void SelectOptions::complete(const std::vector<Axis>& axes, const Family& family, const Model& model,
                             bool one_of_several) {
  if (!wanted()) {
    if (!over.empty()) throw ConfigError("/select/over", "needs \"by\" (loo_mse, gcv, loo_acc or loo_bac)");
    return;
  }
  if (!family.can.leave_one_out) {
    throw ConfigError("/select/by", fmt::format("needs a family with leave-one-out errors ({}), found \"{}\"",
                                                families_with(&Capabilities::leave_one_out), family.name));
  }
  std::vector<std::string> choices;
  for (const Axis& axis : axes) {
    if (can_be_chosen(axis.place, classifies()) && axis.values.size() > 1) choices.push_back(axis.place);
  }
  if (model.sizes().size() > 1) choices.emplace_back(kNodes);
  if (choices.empty() && one_of_several && over.empty()) return;
  if (choices.empty())
    throw ConfigError("/select",
                      "there is only one setting and one size, so there is nothing to choose. Give a list of values "
                      "in \"model\", or several sizes");
  const bool size_of_point = model.sizes().size() == 1 && std::ranges::count(choices, kNodes, last_component) == 0;
  if (size_of_point && over.size() > 1) std::erase(over, kNodes);  // as this function has left it
  if (over.empty()) over = choices;
  for (std::string& name : over) name = meant(name, choices);
  if (model.sizes().size() == 1) over.emplace_back(kNodes);  // the only size is chosen with the point
}

SaveModel SaveModel::from_json(const Json& value, const std::string& place) {
  if (value == kUpdatable) return {true, true};
  if (!value.is_boolean())
    throw ConfigError(place, fmt::format("expected true, false or \"{}\", found {}", kUpdatable, value.dump()));
  return {value.get<bool>(), false};
}

Json SaveModel::to_json() const { return updatable ? Json(kUpdatable) : Json(wanted); }

Json SaveModel::schema() { return {{"anyOf", {{{"type", "boolean"}}, {{"type", "string"}, {"enum", {kUpdatable}}}}}}; }

void Expectation::fields(FieldVisitor& field) {
  field("where", where,
        "the rows to judge: {field: value or list of values}, with the fields of elmx table (dataset, algorithm, "
        "nodes, ridge, ...); {}: all rows");
  field("metric", metric, "a metric of the records (test_acc, weight_error), or a time");
  field("statistic", statistic, "statistic of the metric over the trials of a row",
        one_of({"mean", "median", "min", "max", "sd"}));
  field("at_least", at_least, "lower bound");
  field("at_most", at_most, "upper bound");
  field("equals", equals, "expected value, up to the tolerance");
  field("tolerance", tolerance, "equals: the expectation is met if |found - value| <= tolerance", elmx::at_least(0));
}

void Expectation::check(const std::string& place) const {
  require_object(where, place + "/where");
  if (metric.empty())
    throw ConfigError(place + "/metric", "missing, expected a metric of the records (`elmx list metrics`)");
  if (!at_least && !at_most && !equals)
    throw ConfigError(place, "needs a bound: \"at_least\", \"at_most\" or \"equals\"");
  if (tolerance > 0 && !equals)
    throw ConfigError(
        place + "/tolerance",
        fmt::format("{:f} has no effect without \"equals\"; add \"equals\" or remove this key", tolerance));
}

void ExperimentOptions::fields(FieldVisitor& field) {
  field("name", name, "name of the experiment and of its results folder");
  field("seed", seed, "seed of all random numbers", between(0, 9e15));
  field("repeats", repeats, "number of repetitions of the whole experiment, each with other random numbers",
        between(1, 1e5));
  field("data", data, "the data set");
  field("split", split, "training and testing parts");
  field("preprocess", preprocess, "scaling, principal components and coding");
  field("model", model, "the model; \"family\" determines which other keys exist");
  field("baseline", baseline,
        "baseline algorithm of the speed-ups; \"\": for each case existing or orig if it runs, otherwise the first "
        "algorithm");
  field("budget", budget,
        "the time and machine that elmx run DATA made this config for; without effect on the results");
  field("save_model", save_model,
        "whether networks are saved for elmx predict as HDF5 files: in DIR/models the network of every trial, or with "
        "\"select\" the network that each fold has chosen; in DIR/model.h5 the chosen model, trained on all rows; "
        "\"updatable\": with the sums over "
        "its rows that elmx update and elmx forget change");
  field("select", select, "choice of sweep points and sizes that each trial makes on its training part");
  field("expect", expect, "bounds on the results, judged by elmx run --check");
  field("cases", cases, "named variants, {\"name\": {what differs}, ...}; each is laid over the rest of the config");
  field("paper", paper, "comparison of the records with a published table (elmx reproduce)");
  field("full", full, "changes of the config that elmx reproduce --full makes");
}

void unfold_formats(Json& config) {
  for_each_layer(config, [](Json& layer) {
    if (!layer.contains("data")) return;
    Json& data = layer["data"];
    if (!data.is_array()) return unfold_format(data, "/data");
    for (std::size_t i = 0; i < data.size(); ++i) unfold_format(data[i], fmt::format("/data/{}", i));
  });
}

void resolve_config_paths(Json& config, const std::string& folder) {
  for_each_layer(config, [&](Json& layer) { resolve_paths<ExperimentOptions>(layer, folder); });
}

Json config_schema(const std::vector<std::string>& sets, const std::vector<std::string>& metrics) {
  const auto definition = [](std::string_view name) { return Json{{"$ref", fmt::format("#/definitions/{}", name)}}; };
  const auto one_or_list = [](const Json& one, const char* description) {
    return Json{{"anyOf", {one, {{"type", "array"}, {"items", one}, {"minItems", 1}}}}, {"description", description}};
  };
  Json schema = schema_of<ExperimentOptions>();
  Json& properties = schema["properties"];
  Json definitions = series_definitions();
  Json models = Json::array();
  for (const Family& family : families()) {
    definitions[std::string(family.name)] = family.schema();
    models.push_back(definition(family.name));
  }
  properties["model"] = {{"anyOf", models}, {"description", properties["model"]["description"]}};
  definitions["data"] = properties["data"];
  definitions["data"]["properties"].update(format_schemas());
  Json& set = definitions["data"]["properties"]["set"];
  set = one_or_list({{"enum", sets}}, set["description"].get<std::string>().c_str());
  properties["data"] = one_or_list(definition("data"), "the data set, or a list of data sets");
  definitions["expectation"] = schema_of<Expectation>();
  Json& metric = definitions["expectation"]["properties"]["metric"];
  metric = {{"anyOf", {{{"enum", metrics}}, {{"type", "string"}}}}, {"description", metric["description"]}};
  properties["expect"] = {
      {"type", "array"}, {"items", definition("expectation")}, {"description", properties["expect"]["description"]}};
  Json variant = Json::object();
  for (const auto& [key, value] : properties.items()) {
    const bool of_all = key == "cases" || key == "full" || key == "expect";
    if (!of_all) variant[key] = {{"$ref", "#/properties/" + key}};
  }
  properties["cases"] = {
      {"type", "object"},
      {"additionalProperties", {{"type", "object"}, {"additionalProperties", false}, {"properties", variant}}},
      {"description", "named variants, each of which changes a part of the config"}};
  properties["$schema"] = {{"type", "string"}, {"description", "where an editor finds this schema"}};
  schema["definitions"] = definitions;
  schema["$schema"] = "http://json-schema.org/draft-07/schema#";
  schema["title"] = "elmx experiment";
  return schema;
}

}  // namespace elmx
