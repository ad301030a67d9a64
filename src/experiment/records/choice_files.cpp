#include "experiment/records/choice_files.hpp"

#include <filesystem>

#include "base/error.hpp"
#include "base/files/own_files.hpp"
#include "base/printable.hpp"
#include "models/stack/stack.hpp"

namespace elmx {
namespace {

/// Returns KEY for the name "models/NAME-KEY.h5", and "" for any other name.
std::string key_in(const std::string& name) {
  const std::string end = ".h5";
  const std::size_t before = name.rfind('-');
  if (!name.starts_with("models/") || !name.ends_with(end) || before == std::string::npos) return "";
  return name.substr(before + 1, name.size() - end.size() - before - 1);
}

}  // namespace

std::string final_model_name(const std::string& dataset) { return "models/final-" + file_name(dataset) + ".h5"; }

std::string predictions_name(const std::string& final_model) {
  if (final_model == kFinalModel) return kTestPredictions;
  return std::filesystem::path(final_model).replace_extension("csv").string();
}

std::map<std::string, std::string> final_models_wanted(const Json& experiment) {
  std::map<std::string, std::string> names;
  for (const Json& one : experiment.at("resolved")) {
    const std::string set = one.at("dataset");
    if (one.at("options").value("save_model", false)) names[set] = final_model_name(set);
  }
  if (names.size() == 1) names.begin()->second = kFinalModel;
  return names;
}

std::map<std::string, NoFinalModel> read_no_final_models(const std::filesystem::path& folder) {
  std::map<std::string, NoFinalModel> none;
  std::error_code ignored;
  if (!std::filesystem::exists(folder / kNoFinalModel, ignored)) return none;
  try {
    const Json sets = read_json_file(folder / kNoFinalModel);
    for (const auto& [set, reason] : sets.items()) none[set] = {reason.at("why"), reason.at("failed")};
  } catch (const UserError&) {
    return {};
  } catch (const Json::exception&) {
    return {};
  }
  return none;
}

void write_no_final_models(const std::filesystem::path& folder, const std::map<std::string, NoFinalModel>& none) {
  Json sets = Json::object();
  for (const auto& [set, reason] : none) sets[set] = {{"why", reason.why}, {"failed", reason.failed}};
  write_own_file(folder, kNoFinalModel, sets.dump(1, ' ', false, Json::error_handler_t::replace) + '\n');
}

void ChoiceFiles::add(const Json& experiment) {
  const auto member = [](const Json& of, const char* place) {
    const Json::json_pointer there(place);
    return of.contains(there) ? of[there] : Json();
  };
  for (const Json& one : member(experiment, "/resolved")) {
    const Json set = member(one, "/dataset"), rule = member(one, "/options/select/by"), trials = member(one, "/trials");
    if (set.is_string()) final_.insert({final_model_name(set), predictions_name(final_model_name(set))});
    if (!rule.is_string() || rule == "none" || member(one, "/options/model/family") == kStackFamily) continue;
    for (const Json& key : trials) {
      if (key.is_string()) keys_.insert(key);
    }
  }
}

bool ChoiceFiles::contains(const std::string& name) const {
  return final_.contains(name) || keys_.contains(key_in(name));
}

}  // namespace elmx
