#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "experiment/config/spec.hpp"
#include "models/stack/stack.hpp"

namespace elmx {
namespace {

const Json::json_pointer kOf("/model/of");

std::string place_of(const CaseSpec& stack) { return fmt::format("/cases/{}/model/of", stack.name); }

/// The names of the cases that a stack may combine, in the order of the config.
std::vector<std::string> usable_cases(const std::vector<CaseSpec>& specs) {
  std::vector<std::string> names;
  for (const CaseSpec& spec : specs) {
    const bool usable = spec.family->can.leave_one_out && spec.family->name != kStackFamily;
    if (usable && std::ranges::count(names, spec.name) == 0) names.push_back(spec.name);
  }
  return names;
}

/// The names of the cases that a stack combines, in the order of the config.
std::vector<std::string> names_of(const CaseSpec& stack, const std::vector<CaseSpec>& specs) {
  std::vector<std::string> names = stack.model->json().at("of").get<std::vector<std::string>>();
  if (names.empty()) names = usable_cases(specs);
  if (names.empty())
    throw ConfigError(place_of(stack), "no other case has leave-one-out errors; add a case of family " +
                                           families_with(&Capabilities::leave_one_out));
  return names;
}

/// Returns the first option, such as "split", whose difference keeps two points from being combined, or "".
std::string difference(const ExperimentOptions& a, const ExperimentOptions& b) {
  if (a.data.identity() != b.data.identity()) return "data";
  if (a.seed != b.seed) return "seed";
  if (a.repeats != b.repeats) return "repeats";
  if (a.split.identity() != b.split.identity()) return "split";
  const bool same_targets = write_options(a.preprocess.targets) == write_options(b.preprocess.targets);
  return same_targets ? "" : "preprocess.targets";
}

std::string rule_of(const CaseSpec& point, const CaseSpec& stack) {
  for (const CaseSpec* one : {&point, &stack}) {
    if (one->options.select.wanted()) return one->options.select.by;
  }
  return "loo_mse";
}

StackMember member_of(const std::string& name, const CaseSpec& stack, const std::vector<CaseSpec>& specs) {
  const auto is_its = [&](const CaseSpec& spec) { return spec.name == name; };
  const auto first = std::ranges::find_if(specs, is_its);
  if (first == specs.end())
    throw ConfigError(place_of(stack), fmt::format("unknown case \"{}\"{}", name, suggest(name, usable_cases(specs))));
  if (first->family->name == kStackFamily)
    throw ConfigError(place_of(stack), fmt::format("\"{}\" is itself a stack; name the cases that it combines", name));
  if (!first->family->can.leave_one_out)
    throw ConfigError(place_of(stack),
                      fmt::format("\"{}\" is of family \"{}\", which has no leave-one-out errors; use cases of {}",
                                  name, first->family->name, families_with(&Capabilities::leave_one_out)));
  StackMember member{name, rule_of(*first, stack), {}};
  std::map<std::size_t, bool> usable;  // by setting: its points differ in "model" only
  for (const CaseSpec& spec : specs) {
    if (!is_its(spec)) continue;
    const auto [found, is_new] = usable.try_emplace(spec.setting, false);
    if (is_new) found->second = difference(spec.options, stack.options).empty();
    if (found->second) member.points.push_back(spec);
  }
  if (member.points.empty())
    throw ConfigError(place_of(stack), fmt::format("\"{}\" and the stack differ in {}; combine cases that agree in it",
                                                   name, difference(first->options, stack.options)));
  return member;
}

void link(CaseSpec& stack, const std::vector<CaseSpec>& specs) {
  std::vector<StackMember> members;
  std::vector<ModelsOfMember> models;
  Json model = stack.model->json();
  model["of"] = names_of(stack, specs);
  for (const Json& name : model["of"]) {
    const StackMember& member = members.emplace_back(member_of(name, stack, specs));
    ModelsOfMember& its = models.emplace_back();
    for (const CaseSpec& point : member.points) its.push_back(point.model);
  }
  stack.model = read_stack(model, fmt::format("/cases/{}/model", stack.name), std::move(models));
  stack.members = std::make_shared<const std::vector<StackMember>>(std::move(members));
}

}  // namespace

bool is_stack(const Json& config) {
  const Json::json_pointer family("/model/family");
  return config.contains(family) && config[family] == kStackFamily;
}

void set_inputs_aside(const std::string& name, const Json& variant, Json& config) {
  for (const char* key : {"inputs", "pca"}) {
    const Json::json_pointer place = Json::json_pointer("/preprocess") / key;
    if (variant.contains(place))
      throw ConfigError(fmt::format("/cases/{}{}", name, place.to_string()),
                        "a stack has the inputs of its members; set this key in their cases");
  }
  const bool readable = !config.contains("preprocess") || config["preprocess"].is_object();
  if (readable) {
    config["preprocess"]["inputs"] = "none";
    config["preprocess"].erase("pca");
  }
  if (config.contains("select") && config["select"].is_object()) config["select"].erase("over");
}

bool may_combine(const Json& config, const std::string& name) {
  const auto is_named = [&](const Json& one) { return one == name; };
  const Json of = config.contains(kOf) ? config[kOf] : Json();
  if (of.is_string()) return is_named(of);
  return !of.is_array() || of.empty() || std::ranges::any_of(of, [&](const Json& one) {
    return one.is_array() ? one.empty() || std::ranges::any_of(one, is_named) : is_named(one);
  });
}

void link_stacks(std::vector<CaseSpec>& specs) {
  const auto combines = [](const CaseSpec& spec) { return spec.family->name == kStackFamily; };
  if (std::ranges::none_of(specs, combines)) return;
  const std::vector<CaseSpec> before = specs;
  for (CaseSpec& spec : specs) {
    if (combines(spec)) link(spec, before);
  }
}

Json identity_of(const std::vector<StackMember>& members) {
  Json all = Json::array();
  for (const StackMember& member : members) {
    Json points = Json::array();
    for (const CaseSpec& point : member.points) points.push_back(point.identity());
    all.push_back({{"by", member.by}, {"algorithm", member.algorithm()}, {"points", std::move(points)}});
  }
  return all;
}

}  // namespace elmx
