#pragma once

#include <vector>

#include "data/rows/array_rows.hpp"

namespace elmx {

/// An array in chunks that stand anywhere in a file, each packed or not (HDF5).
struct ChunkedArray {
  struct Chunk {
    std::size_t offset = 0, bytes = 0;
    bool packed = false, shuffled = false;
  };
  NumberType type;
  arma::uword rows = 0, cols = 0;              ///< of the array as it stands in the file
  arma::uword chunk_rows = 0, chunk_cols = 0;  ///< of a chunk; those at the edges are as large
  std::vector<Chunk> chunks;                   ///< row by row of chunks
};

/// Its rows, or, transposed, its columns as samples. Chunks that were unpacked last are kept.
SharedRows chunked_rows(SharedContent file, ChunkedArray array, bool transposed);

}  // namespace elmx
