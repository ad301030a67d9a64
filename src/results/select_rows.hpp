#pragma once

#include <string>
#include <vector>

#include "results/dimensions.hpp"

namespace elmx {

/// What is left of `rows` under every one of `conditions`, "field=value" or "field=value,value": trials that have one
/// of the values in the field ("-": none), and the rows that have such trials. Choices among the points of a grid are
/// copies of their steps and are only kept where a condition is on `chosen` or `with_choices`. Throws ConfigError: no
/// field, no such value, nothing is left.
std::vector<RecordRow> select_rows(std::vector<RecordRow> rows, const Dimensions& fields,
                                   const std::vector<std::string>& conditions, bool with_choices);

/// "a,b,c" -> a, b, c.
std::vector<std::string> split_list(const std::string& text);

}  // namespace elmx
