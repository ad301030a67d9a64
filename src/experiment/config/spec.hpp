#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "experiment/config/options.hpp"
#include "models/registry/registry.hpp"

namespace elmx {

struct StackMember;

/// One case of a config at one sweep point, with all options resolved.
struct CaseSpec {
  std::string name;                   ///< "" if the config has no cases
  std::map<std::string, Json> point;  ///< swept members: place -> value
  ExperimentOptions options;          ///< all but "model"
  const Family* family = nullptr;
  ModelPtr model;
  std::size_t setting = 0;   ///< equal for points that differ only in "model" and thus share data and folds
  std::size_t together = 0;  ///< equal for points that differ only in the member that their family shares
  /// The cases that a stack combines; null = not a stack.
  std::shared_ptr<const std::vector<StackMember>> members = {};

  /// Returns true if each trial keeps its network. If there is a choice among points, only the chosen
  /// networks are kept, at the end of the run. A stack chooses during training.
  bool saves_every_network() const {
    return options.save_model && (members || !options.select.wanted() || options.select.over.empty());
  }

  /// Returns the config of this case and point, with all defaults.
  Json resolved() const;

  /// Returns all options that determine the result of a trial, besides the data, algorithm, repeat and fold.
  Json identity() const;
};

/// One case that a stack combines.
struct StackMember {
  std::string name;  ///< the name of the case
  /// The metric of the training part by which the point and size are chosen.
  std::string by;
  std::vector<CaseSpec> points;  ///< one or more points with the samples and targets of the stack

  const std::string& algorithm() const { return points.front().model->algorithms.front(); }
};

/// The largest number of sweep points of all cases.
inline constexpr std::size_t kMostPoints = 100000;

/// Checks the whole config and expands it: the cases in order, each with the Cartesian product of its sweeps.
/// Throws ConfigError.
std::vector<CaseSpec> expand(const Json& config, std::size_t most_points = kMostPoints);

// The stacks of a config (stack_members.cpp)

/// Returns true if the model of a case, merged over the rest of its config, is of the family "stack".
bool is_stack(const Json& config);

/// Removes the input scaling, the principal components and "select"."over" from `config`, a stack, since its
/// members have their own. Throws ConfigError if `variant`, the stack's own part of the config, sets the
/// inputs.
void set_inputs_aside(const std::string& name, const Json& variant, Json& config);

/// Returns true if the stack of this config names the case, or all cases.
bool may_combine(const Json& config, const std::string& name);

/// Sets the members of each stack to the points of the cases that it combines. Throws ConfigError (place
/// "/cases/NAME/model/of"): a case that does not exist, is a stack, has no leave-one-out errors, or has other
/// samples or targets.
void link_stacks(std::vector<CaseSpec>& specs);

/// Returns everything that determines the outputs of the members and the choice among their points.
Json identity_of(const std::vector<StackMember>& members);

}  // namespace elmx
