#pragma once

#include <vector>

#include "data/rows/array_rows.hpp"

namespace elmx {

/// An array in chunks at any places of a file, each packed or not (HDF5).
struct ChunkedArray {
  struct Chunk {
    std::size_t offset = 0, bytes = 0;
    bool packed = false, shuffled = false;
  };
  NumberType type;
  arma::uword rows = 0, cols = 0;              ///< size of the array as stored in the file
  arma::uword chunk_rows = 0, chunk_cols = 0;  ///< size of every chunk, including chunks at the edges
  std::vector<Chunk> chunks;                   ///< chunks in row-major order
};

/// Returns the rows of an array, or its columns if transposed, as samples. Caches the chunks that were
/// unpacked last.
SharedRows chunked_rows(SharedContent file, ChunkedArray array, bool transposed);

}  // namespace elmx
