#pragma once

#include "experiment/saved/saved_model.hpp"

namespace elmx {

/// Throws DataError ("path: ...") for a matrix with a number that is not finite: no network of such is ever
/// saved.
void require_finite(const ModelContents& contents);

/// Throws DataError where data, coding and outputs of a model that was read do not go together.
void require_consistent(const SavedModel& model);

}  // namespace elmx
