#pragma once

#include <string>
#include <vector>

#include "experiment/config/spec.hpp"

namespace elmx {

/// Returns true if the model of a case, merged over the rest of its config, is of the family "stack".
bool is_stack(const Json& config);

/// Throws ConfigError if a config without cases is a stack.
void refuse_single_stack(const Json& config);

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
