#pragma once

#include "models/stored/model_file.hpp"

namespace elmx {

/// The contents of a model as numbers that a child process can hand over, and back. Throws DataError where a
/// path or a text is not UTF-8.
arma::mat pack(const ModelContents& contents);
ModelContents unpack(const arma::mat& packed);

}  // namespace elmx
