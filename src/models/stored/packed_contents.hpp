#pragma once

#include "models/stored/model_file.hpp"

namespace elmx {

/// Converts the contents of a model to numbers that a child process can hand over, and back. Throws DataError
/// if a path or a text is not UTF-8.
arma::mat pack(const ModelContents& contents);
ModelContents unpack(const arma::mat& packed);

}  // namespace elmx
