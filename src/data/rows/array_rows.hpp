#pragma once

#include <memory>
#include <vector>

#include "data/content/content.hpp"
#include "data/rows/input_rows.hpp"

namespace elmx {

using SharedContent = std::shared_ptr<const Content>;

/// The storage of numbers of one type in a file.
struct NumberType {
  /// to[i] = the number at from + (rows[i] - first) * stride bytes.
  using Pick = void (*)(const char* from, std::size_t stride, const arma::uword* rows, arma::uword first,
                        arma::uword count, double* to);

  Pick pick = nullptr;
  std::size_t bytes = 0;
};

/// Returns a number type. kind: 'f' for floating point of 4 or 8 bytes, 'i' and 'u' for integers of 1, 2, 4
/// or 8 bytes; `pick` is null for any other type.
NumberType number_type(char kind, std::size_t bytes, bool big_endian);

/// N x d numbers of one type that are contiguous in a file: sample by sample, or column by column.
struct ArrayInFile {
  std::size_t offset = 0;  ///< offset of the first number
  NumberType type;
  arma::uword rows = 0, cols = 0;
  bool by_columns = false;
};

/// Returns some columns of an array as inputs, in the given order.
SharedRows array_rows(SharedContent file, const ArrayInFile& array, arma::uvec columns);

/// Returns all columns of an array as inputs.
SharedRows array_rows(SharedContent file, const ArrayInFile& array);

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
