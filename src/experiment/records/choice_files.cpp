#include "experiment/records/choice_files.hpp"

#include <filesystem>

#include "base/files/file_name.hpp"

namespace elmx {
namespace {

/// Of "models/NAME-KEY.h5"; "" of another name.
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

void ChoiceFiles::add(const Json& experiment) {
  const auto member = [](const Json& of, const char* place) {
    const Json::json_pointer there(place);
    return of.contains(there) ? of[there] : Json();
  };
  for (const Json& one : member(experiment, "/resolved")) {
    const Json set = member(one, "/dataset"), rule = member(one, "/options/select/by"), trials = member(one, "/trials");
    if (set.is_string()) final_.insert({final_model_name(set), predictions_name(final_model_name(set))});
    if (!rule.is_string() || rule == "none") continue;
    for (const Json& key : trials) {
      if (key.is_string()) keys_.insert(key);
    }
  }
}

bool ChoiceFiles::contains(const std::string& name) const {
  return final_.contains(name) || keys_.contains(key_in(name));
}

}  // namespace elmx
