#include "experiment/saved/model_check.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "base/printable.hpp"

namespace elmx {
namespace {

constexpr const char* kPlace = "data/description/";

void require_classes(const KnownData& data, const std::string& coding) {
  const std::vector<std::string>& classes = data.classes;
  if (classes.size() < 2)
    throw DataError(fmt::format("{}classes: {}; two or more are expected", kPlace, counted(classes.size(), "class")));
  if (std::set<std::string>(classes.begin(), classes.end()).size() < classes.size())
    throw DataError(std::string(kPlace) + "classes: one stands twice");
  if (!data.positive.empty() && std::ranges::count(classes, data.positive) == 0)
    throw DataError(fmt::format("{}positive: \"{}\" is no class", kPlace, data.positive));
  const bool single = coding.starts_with("single");
  if (single && classes.size() != 2)
    throw DataError(
        fmt::format("config/preprocess/targets/coding: \"{}\" of {}", coding, counted(classes.size(), "class")));
  const std::size_t outputs = single ? 1 : classes.size();
  if (data.outputs != outputs)
    throw DataError(fmt::format("{}outputs: {}; {} are expected", kPlace, data.outputs, outputs));
}

}  // namespace

void require_finite(const ModelContents& contents) {
  for (const auto& [path, matrix] : contents.matrices) {
    if (!std::visit([](const auto& M) { return M.is_finite(); }, matrix))
      throw DataError(path + ": a number that is not finite");
  }
}

void require_consistent(const SavedModel& model) {
  if (model.data.task.empty())
    throw DataError(std::string(kPlace) + "task: not there; regression or classification is expected");
  if (model.data.inputs.empty()) throw DataError(std::string(kPlace) + "inputs: none; a model has at least one");
  if (model.data.outputs == 0) throw DataError(std::string(kPlace) + "outputs: 0; a model has at least one");
  if (model.data.task == "classification") require_classes(model.data, model.options.preprocess.targets.coding);
}

}  // namespace elmx
