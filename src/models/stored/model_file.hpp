#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "models/trained_network.hpp"

namespace elmx {

inline constexpr int kModelFormat = 4;

/// What an HDF5 file of a model holds, by path ("network/weights"): matrices, and texts (JSON).
///
/// The first 512 bytes, which HDF5 leaves to the user, are text: "elmx model", the version of the format, the
/// number of the bytes that follow, and their SHA-256. So a file that is not whole, or of which a bit has
/// changed, never reaches the HDF5 library. The same contents give the same bytes.
struct ModelContents {
  NamedMatrices matrices;
  std::map<std::string, std::string> texts;
};

/// The bytes of the file. Matrices are stored column by column: what is n x m here is m x n to C and h5py, n
/// x m to MATLAB.
std::string encode_model(const ModelContents& contents, int format = kModelFormat);

/// `origin` begins the messages. Throws DataError: no model file, a newer format, truncated, damaged, with
/// sets that a model does not have (see read_sets). HDF5 reads it in a child process: where the library
/// crashes on it, or does not come to an end, the file is refused. Takes no more memory than a few times the
/// bytes have.
ModelContents decode_model(std::string_view bytes, const std::string& origin);

}  // namespace elmx
