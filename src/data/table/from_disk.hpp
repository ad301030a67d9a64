#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "data/rows/array_rows.hpp"
#include "data/rows/composed_rows.hpp"
#include "data/table/dataset.hpp"
#include "data/table/source.hpp"

namespace elmx {

/// When inputs stay in their file: where that was asked for, or where they would be so large in memory.
struct FromDisk {
  bool asked = false;
  double most_bytes = 0;

  bool wants(double rows, double cols) const { return asked || 8 * rows * cols > most_bytes; }
};

/// Opens a file of the source, for reading in blocks. null: it cannot be read so (it is compressed, or
/// stdin), and that was not asked for. Throws DataError.
SharedFile open_for_blocks(const SourceFile& file, const Source& source, const FromDisk& from_disk);

/// The SHA-256 of a file, verified. One pass.
std::string verified_checksum(const BlocksOfFile& file, const SourceFile& named, const Source& source);

}  // namespace elmx
