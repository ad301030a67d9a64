#include "experiment/saved/model_check.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <set>

namespace elmx {
namespace {

const std::string kPlace = "data/description/";

void require_classes(const KnownData& data, const std::string& coding) {
  const std::vector<std::string>& classes = data.classes;
  if (classes.size() < 2)
    throw DataError(kPlace + "classes", "expected two or more classes, found " + std::to_string(classes.size()));
  if (std::set<std::string>(classes.begin(), classes.end()).size() < classes.size())
    throw DataError(kPlace + "classes", "the name of a class occurs twice");
  if (!data.positive.empty() && std::ranges::count(classes, data.positive) == 0)
    throw DataError(kPlace + "positive", fmt::format("\"{}\" is not one of the classes", data.positive));
  const bool single = coding.starts_with("single");
  if (single && classes.size() != 2)
    throw DataError("config/preprocess/targets/coding",
                    fmt::format("\"{}\" needs two classes, found {}", coding, classes.size()));
  const std::size_t outputs = single ? 1 : classes.size();
  if (data.outputs != outputs)
    throw DataError(kPlace + "outputs", fmt::format("expected {}, found {}", outputs, data.outputs));
}

}  // namespace

void require_finite(const ModelContents& contents) {
  for (const auto& [path, matrix] : contents.matrices) {
    if (!std::visit([](const auto& M) { return M.is_finite(); }, matrix))
      throw DataError(path, "contains a number that is not finite");
  }
}

void require_consistent(const SavedModel& model) {
  if (model.data.task.empty())
    throw DataError(kPlace + "task", "missing, expected \"regression\" or \"classification\"");
  if (model.data.inputs.empty()) throw DataError(kPlace + "inputs", "expected at least one input, found none");
  if (model.data.outputs == 0) throw DataError(kPlace + "outputs", "expected at least one output, found 0");
  if (model.data.task == "classification") require_classes(model.data, model.options.preprocess.targets.coding);
}

}  // namespace elmx
