#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "data/content/unpacked.hpp"

namespace elmx {

/// A file as published: without the compression it may be stored with.
struct Content {
  std::string origin;  ///< the path, for messages
  std::string bytes;
  std::string sha256;  ///< of `bytes`
};

/// Reads a file, or stdin where the path is "-", and undoes gzip or compress (.Z), recognised by content. Throws
/// DataError: unreadable, truncated, damaged, more than `most` bytes.
Content read_content(const std::filesystem::path& path, std::size_t most = kAnySize);

bool is_gzip(std::string_view bytes);
bool is_compress(std::string_view bytes);

/// All members of a gzip file, one after the other. Throws DataError: truncated, damaged, followed by something else
/// (but zeros), more than `most` bytes.
std::string gunzip(std::string_view bytes, const std::string& origin, std::size_t most = kAnySize);

/// One gzip member without name or time, so that equal contents give equal files.
std::string gzip(std::string_view bytes);

}  // namespace elmx
