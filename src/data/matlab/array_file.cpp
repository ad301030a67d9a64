#include "data/matlab/array_file.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/shell_word.hpp"

namespace elmx {
namespace {

constexpr std::size_t kMostInMessage = 20;
constexpr std::size_t kMostInReport = 200;

bool is_matrix(const Variable& variable) {
  const std::vector<std::size_t>& shape = variable.shape;
  return variable.numeric && shape.size() == 2 && shape[0] > 1 && shape[1] > 1;
}

bool is_vector_of(const Variable& variable, std::size_t samples) {
  const std::vector<std::size_t>& shape = variable.shape;
  if (!variable.numeric || shape.empty() || shape.size() > 2) return false;
  return shape.size() == 1 ? shape[0] == samples : std::min(shape[0], shape[1]) == 1 && shape[0] * shape[1] == samples;
}

std::size_t samples_of(const Variable& inputs, const MatOptions& options) {
  return options.samples_are == "columns" ? inputs.shape.back() : inputs.shape.front();
}

/// Returns the first variable that fits, or null.
template <class Fits>
const Variable* first(const std::vector<Variable>& variables, const Fits& fits) {
  const auto found = std::ranges::find_if(variables, fits);
  return found == variables.end() ? nullptr : &*found;
}

/// Returns the only variable that fits; null if none or several do.
template <class Fits>
const Variable* only(const std::vector<Variable>& variables, const Fits& fits) {
  return std::ranges::count_if(variables, fits) == 1 ? first(variables, fits) : nullptr;
}

const Variable* named(const std::vector<Variable>& variables, const std::string& name) {
  return first(variables, [&](const Variable& one) { return one.name == name || "/" + one.name == name; });
}

std::string listed(const std::vector<Variable>& variables) {
  std::string text;
  for (std::size_t i = 0; i < std::min(variables.size(), kMostInMessage); ++i)
    text += (text.empty() ? "" : ", ") + variables[i].description();
  if (variables.size() > kMostInMessage) text += fmt::format(" and {} more", variables.size() - kMostInMessage);
  return text.empty() ? "no variables" : text;
}

[[noreturn]] void refuse_absent_variable(const std::vector<Variable>& variables, const ChosenVariables& chosen,
                                         bool targets, const MatOptions& options, const std::string& origin) {
  const bool inputs = chosen.inputs != nullptr;
  const std::string message = fmt::format("{}: no variable \"{}\" for the {}. The file has {}", origin,
                                          inputs ? options.target_variable : options.inputs_variable,
                                          inputs ? "targets" : "inputs", listed(variables));
  if (options.targets_optional) throw DataError(message);
  const Variable* X = inputs ? chosen.inputs : first(variables, is_matrix);
  const Variable* y = first(variables, [&](const Variable& one) {
    return X != nullptr && &one != X && is_vector_of(one, samples_of(*X, options));
  });
  std::string keys, example;
  const auto add = [&](const char* key, const Variable* likely) {
    keys += fmt::format("{}\"{}\"", keys.empty() ? "" : " and ", key);
    example += fmt::format(" --set {}={}", key, likely == nullptr ? "NAME" : shell_word(likely->name));
  };
  if (!inputs) add("inputs_variable", X);
  if (targets && chosen.targets == nullptr) add("target_variable", y);
  throw DataError(
      fmt::format("{}. Set {} in \"data\" (elmx data info {}{})", message, keys, shell_word(origin), example));
}

void refuse_other_kinds(const Variable* variable, const std::string& origin) {
  if (variable == nullptr) return;
  const std::size_t dimensions = variable->shape.size();
  const bool usable =
      variable->numeric && (dimensions == 1 || dimensions == 2) && std::ranges::count(variable->shape, 0U) == 0;
  if (!usable)
    throw DataError(fmt::format("{}: {} cannot be inputs or targets; use a matrix or a vector of real numbers", origin,
                                variable->description()));
}

}  // namespace

ChosenVariables choose_variables(const std::vector<Variable>& variables, bool targets, MatOptions& options,
                                 const std::string& origin, ReadReport& report) {
  const MatOptions usual;
  if (report.variables.empty())
    report.variables = {variables.begin(), variables.begin() + std::min(variables.size(), kMostInReport)};
  ChosenVariables chosen{named(variables, options.inputs_variable),
                         targets ? named(variables, options.target_variable) : nullptr};
  const ChosenVariables as_named = chosen;
  if (chosen.inputs == nullptr && options.inputs_variable == usual.inputs_variable)
    chosen.inputs = only(variables, [&](const Variable& one) { return is_matrix(one) && &one != chosen.targets; });
  refuse_other_kinds(chosen.inputs, origin);
  if (targets && chosen.inputs != nullptr && chosen.targets == nullptr &&
      options.target_variable == usual.target_variable) {
    const std::size_t samples = samples_of(*chosen.inputs, options);
    chosen.targets =
        only(variables, [&](const Variable& one) { return is_vector_of(one, samples) && &one != chosen.inputs; });
  }
  refuse_other_kinds(chosen.targets, origin);
  if (chosen.inputs == nullptr || (targets && chosen.targets == nullptr && !options.targets_optional))
    refuse_absent_variable(variables, chosen, targets, options, origin);
  const auto take = [&](const char* what, const char* key, std::string& name, const Variable* by_name,
                        const Variable* found) {
    if (found == by_name || found == nullptr) return;
    report.notes.push_back(
        fmt::format("the {} are {}: the file has no variable \"{}\"", what, found->description(), name));
    report.dialect[key] = name = found->name;
  };
  take("inputs", "inputs_variable", options.inputs_variable, as_named.inputs, chosen.inputs);
  take("targets", "target_variable", options.target_variable, as_named.targets, chosen.targets);
  return chosen;
}

}  // namespace elmx
