#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "models/trained_network.hpp"

namespace elmx {

inline constexpr int kModelFormat = 4;

/// The contents of an HDF5 file of a model, by path ("network/weights"): matrices and texts (JSON).
///
/// The first 512 bytes, which HDF5 leaves to the user, are text: "elmx model", the version of the format, the
/// number of the following bytes, and their SHA-256. A truncated or damaged file therefore never reaches the
/// HDF5 library. The same contents give the same bytes.
struct ModelContents {
  NamedMatrices matrices;
  std::map<std::string, std::string> texts;
};

/// Returns true if the file begins as a model file does.
bool is_model_file(const std::filesystem::path& path);

/// Returns the bytes of the file. Matrices are stored column by column: an n x m matrix here is m x n in C
/// and h5py, and n x m in MATLAB.
std::string encode_model(const ModelContents& contents, int format = kModelFormat);

/// Reads the bytes of the file `origin`. Throws DataError with a place in this file if it is not a model
/// file, has another format, is truncated or damaged, or has sets that a model does not have.
/// HDF5 reads the bytes in a child process; the file is refused if the library crashes or does not finish.
/// Takes a few times the memory of `bytes` at most.
ModelContents decode_model(std::string_view bytes, const std::string& origin);

}  // namespace elmx
