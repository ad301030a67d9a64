#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "base/files/blocks_of_file.hpp"
#include "data/content/unpack.hpp"

namespace elmx {

/// A file as published: without the compression it may be stored with.
struct Content {
  std::string origin;  ///< the path, for messages
  std::string bytes;
  std::string sha256;  ///< of `bytes`, or of the file once it was read
  /// in place of `bytes`: a large file that is read in blocks
  std::shared_ptr<const BlocksOfFile> file = nullptr;

  std::size_t size() const { return file ? file->size() : bytes.size(); }
  std::string head(std::size_t most) const { return file ? file->head(most) : bytes.substr(0, most); }

  /// Bytes offset ... offset + count - 1. Throws DataError: there are fewer, or the file cannot be read.
  void read(std::size_t offset, std::size_t count, char* to) const;

  /// Reads what is still on the disk into `bytes`.
  void read_into_memory();
};

/// Reads a file, or stdin if the path is "-", and unpacks it (unpack()), recognised by content. A large file
/// that is not packed stays on the disk, to be read in blocks. Throws DataError: unreadable, truncated,
/// damaged, unpacked more than `most` bytes, or a kind of file that elmx does not read (a workbook, Parquet,
/// ...); the message says what to do.
Content open_content(const std::filesystem::path& path, std::size_t most = kAnySize);

/// Makes text of another encoding UTF-8, in place: UTF-16 (marked, or every second byte 0), and Windows-1252,
/// in which spreadsheets are saved in Western Europe, with Latin-1 as a part of it. Returns the encoding it
/// was in, "" where nothing is changed: UTF-8, also where it is damaged, what is not text, and bytes that
/// Windows-1252 does not have. Throws DataError: UTF-16 that is damaged.
std::string make_utf8(Content& content);

}  // namespace elmx
