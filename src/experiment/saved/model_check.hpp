#pragma once

#include "experiment/saved/saved_model.hpp"

namespace elmx {

/// Throws DataError ("path: ...") if a matrix has a number that is not finite, because such a network is
/// never saved.
void require_finite(const ModelContents& contents);

/// Throws DataError if data, coding and outputs of a loaded model are inconsistent.
void require_consistent(const SavedModel& model);

}  // namespace elmx
