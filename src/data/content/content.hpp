#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "base/files/blocks_of_file.hpp"
#include "data/content/unpacked.hpp"

namespace elmx {

/// A file as published: without the compression it may be stored with.
struct Content {
  std::string origin;  ///< the path, for messages
  std::string bytes;
  std::string sha256;                                  ///< of `bytes`, or of the file once it was read
  std::shared_ptr<const BlocksOfFile> file = nullptr;  ///< in place of `bytes`: a large file that is read in blocks
};

/// Reads a file, or stdin if the path is "-", and unpacks it: gzip, compress (.Z), bzip2, xz, zstd, or a zip
/// archive of one file, recognised by content. Throws DataError: unreadable, truncated, damaged, more than
/// `most` bytes, or a kind of file that elmx does not read (a workbook, Parquet, ...); the message says what
/// to do.
Content read_content(const std::filesystem::path& path, std::size_t most = kAnySize);

/// The same, but a large file that is not packed stays on the disk, to be read in blocks.
Content open_content(const std::filesystem::path& path, std::size_t most = kAnySize);

bool is_gzip(std::string_view bytes);
bool is_compress(std::string_view bytes);

/// All members of a gzip file, one after the other. Throws DataError: truncated, damaged, followed by
/// something else (but zeros), more than `most` bytes.
std::string gunzip(std::string_view bytes, const std::string& origin, std::size_t most = kAnySize);

/// One gzip member without name or time, so that equal contents give equal files.
std::string gzip(std::string_view bytes);

}  // namespace elmx
