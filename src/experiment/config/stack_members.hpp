#pragma once

#include <string>
#include <vector>

#include "experiment/config/spec.hpp"

namespace elmx {

/// True if the model of a case, laid over the rest of its config, is of the family "stack".
bool is_stack(const Json& config);

/// Throws ConfigError where a config without cases is a stack.
void refuse_single_stack(const Json& config);

/// Makes the scaling of inputs and the choice of `config`, a stack, those of a model that has none itself:
/// its members have them. Throws ConfigError where its own part of the config, `variant`, says something of
/// them.
void set_inputs_aside(const std::string& name, const Json& variant, Json& config);

/// True if the stack of this config names the case, or all cases.
bool may_combine(const Json& config, const std::string& name);

/// Gives each stack the points of the cases that it combines. Throws ConfigError ("/cases/NAME/model/of:
/// ..."): a case that is not there, is a stack, has no leave-one-out errors, or has other samples or targets.
void link_stacks(std::vector<CaseSpec>& specs);

/// Returns everything that determines the outputs of the members and the choice among their points.
Json identity_of(const std::vector<StackMember>& members);

}  // namespace elmx
