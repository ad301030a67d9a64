#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "base/files/files.hpp"
#include "data/content/unpack.hpp"

namespace elmx {

/// Enough bytes to tell the kind of a large file and the first members of an archive.
inline constexpr std::size_t kFirstBytes = 4096;

/// The content of a file, decompressed if the file is stored compressed.
struct Content {
  std::string origin;  ///< the path, for messages
  std::string bytes;
  std::string sha256;  ///< checksum of `bytes`, or of the file if it is known already
  /// A large file that is read in blocks, in place of `bytes`.
  std::shared_ptr<const BlocksOfFile> file = nullptr;

  std::size_t size() const { return file ? file->size() : bytes.size(); }
  std::string head(std::size_t most = kFirstBytes) const { return file ? file->head(most) : bytes.substr(0, most); }

  /// Reads the bytes offset ... offset + count - 1. Throws DataError if there are fewer or reading fails.
  void read(std::size_t offset, std::size_t count, char* to) const;

  /// Reads a file that is still on the disk into `bytes`.
  void read_into_memory();

  /// Returns sha256, for which a file that is still on the disk is read once if necessary.
  std::string checksum() const { return file && sha256.empty() ? file->sha256() : sha256; }
};

/// Reads a file, or stdin if the path is "-", and unpacks it (unpack()) if its content is compressed. A large
/// file that is not compressed stays on the disk, to be read in blocks. Throws DataError: unreadable,
/// truncated, damaged, more than `most` bytes when unpacked, or a format that elmx does not read (a workbook,
/// Parquet, ...); the message says what to do.
Content open_content(const std::filesystem::path& path, std::size_t most = kAnySize);

/// Converts text to UTF-8 in place from UTF-16 (with a byte order mark, or with every second byte 0) or from
/// Windows-1252, the encoding of Western European spreadsheets, which includes Latin-1. Returns the original
/// encoding, or "" if nothing is changed: valid or damaged UTF-8, content that is not text, and bytes that
/// Windows-1252 does not define. Throws DataError for damaged UTF-16.
std::string make_utf8(Content& content);

}  // namespace elmx
