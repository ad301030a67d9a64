#pragma once

#include <string>
#include <vector>

#include "results/record_rows.hpp"

namespace elmx {

/// The name of the choice, as RecordRow::chosen has it.
inline constexpr const char* kByValidation = "by validation";

/// Each trial takes the point (swept places, nodes, iterations) that was best in a run that trained on a part of the
/// same training part and tested on the rest of it ("split": {"validate": true}): the rows of a case, data set and
/// algorithm that have not chosen otherwise become one. The first of the metrics that a trial has there decides; of
/// points that are equal, the one with the fewest nodes, the fewest iterations, the largest penalties, the first.
/// Throws ConfigError where a trial of several points has no partner.
std::vector<RecordRow> choose_by_validation(const std::vector<RecordRow>& rows,
                                            const std::vector<RecordRow>& validation,
                                            const std::vector<std::string>& metrics);

}  // namespace elmx
