#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "models/model.hpp"

namespace elmx {

/// The name of the family that combines cases of a config.
inline constexpr std::string_view kStackFamily = "stack";

/// The options of a combination of cases: outputs are sum_j w_j z_j with w >= 0 by least squares on the
/// leave-one-out outputs of the training part (see stack_weights).
struct StackOptions : ModelOptions {
  std::vector<std::string> of;

  StackOptions() : ModelOptions(std::string(kStackFamily), {"nnls"}) {}

  void fields(FieldVisitor& field);

  /// Checks the relations between members. Throws ConfigError with a place below `place`.
  void check(const std::string& place) const;
};

std::vector<AlgorithmInfo> stack_algorithms();

/// One case of a stack: the models among which it chooses.
using ModelsOfMember = std::vector<ModelPtr>;

/// Makes the model of a stack; without members it can only be written and read.
ModelPtr make_stack(const Json& model, const std::string& place, std::vector<ModelsOfMember> members = {});

}  // namespace elmx
