#include "experiment/config/select_options.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "models/registry/registry.hpp"

namespace elmx {
namespace {

constexpr const char* kNodes = "nodes";

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
  throw ConfigError("/select/over", fmt::format("\"{}\" {}{}", name,
                                                same.empty() ? "is not a sweep whose points can be chosen"
                                                             : "stands for several sweeps",
                                                suggest(name, same.empty() ? names : same)));
}

}  // namespace

void SelectOptions::fields(FieldVisitor& field) {
  field("by", by,
        "the metric of the training part that is best at the chosen point: least loo_mse or gcv, largest loo_acc or "
        "loo_bac",
        one_of({"none", "loo_mse", "gcv", "loo_acc", "loo_bac"}));
  field("over", over,
        "what is chosen: places of sweeps (\"/model/ridge\" or \"ridge\") and \"nodes\"; [] = all sweeps of the model "
        "and of the scaling of the inputs, by loo_acc and loo_bac also of the coding and the class weights of the "
        "targets, and the sizes");
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
  if (model.sizes() > 1) choices.emplace_back(kNodes);
  if (choices.empty() && one_of_several && over.empty()) return;
  if (choices.empty())
    throw ConfigError("/select",
                      "there is one point and one size, so that nothing can be chosen. Give a list of values "
                      "in \"model\", or several sizes");
  const bool size_of_point = model.sizes() == 1 && std::ranges::count(choices, kNodes, last_component) == 0;
  if (size_of_point && over.size() > 1) std::erase(over, kNodes);  // as this function has left it
  if (over.empty()) over = choices;
  for (std::string& name : over) name = meant(name, choices);
  if (model.sizes() == 1) over.emplace_back(kNodes);  // the only size is chosen with the point
}

}  // namespace elmx
