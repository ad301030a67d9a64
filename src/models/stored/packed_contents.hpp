#pragma once

#include "models/stored/model_file.hpp"

namespace elmx {

/// Convert the contents of a model to numbers that a child process can hand over, and back. Throw DataError
/// if a path or a text is not UTF-8.
arma::mat pack(const ModelContents& contents);
ModelContents unpack(const arma::mat& packed);

}  // namespace elmx
