#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
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
class ChunkedRows final : public RowSource {
 public:
  ChunkedRows(SharedFile file, ChunkedArray array, bool transposed);

  arma::uword rows() const override { return transposed_ ? array_.cols : array_.rows; }
  arma::uword cols() const override { return transposed_ ? array_.rows : array_.cols; }
  void read(const arma::uword* rows, arma::uword count, double* X, arma::uword ld) const override;
  double working_bytes() const override;

 private:
  using Bytes = std::shared_ptr<const std::vector<char>>;

  Bytes chunk(std::size_t number) const;
  Bytes unpacked(std::size_t number) const;

  SharedFile file_;
  ChunkedArray array_;
  bool transposed_;
  arma::uword across_;  // chunks side by side
  std::size_t chunk_bytes_;
  std::size_t most_kept_;
  mutable std::mutex mutex_;
  mutable std::map<std::size_t, Bytes> kept_;
  mutable std::list<std::size_t> used_;  // the one that was used last in front
};

}  // namespace elmx
