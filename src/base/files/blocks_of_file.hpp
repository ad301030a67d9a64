#pragma once

#include <filesystem>
#include <string>

#include "base/files/descriptor.hpp"

namespace elmx {

/// A file that is read in blocks at any position, possibly from several threads at once.
class BlocksOfFile {
 public:
  /// Throws DataError if the file cannot be read or is not a regular file.
  explicit BlocksOfFile(const std::filesystem::path& path);

  const std::filesystem::path& path() const { return path_; }
  std::size_t size() const { return size_; }

  /// Reads the bytes offset ... offset + count - 1. Throws DataError if the file does not have them, has
  /// changed since it was opened (size or time of modification), or cannot be read.
  void read(std::size_t offset, std::size_t count, void* to) const;

  /// Returns the first bytes of the file, at most `most`.
  std::string head(std::size_t most) const;

  /// Returns the hexadecimal SHA-256 of the file; one pass, 1 MiB at a time.
  std::string sha256() const;

 private:
  void refuse_change() const;

  std::filesystem::path path_;
  Descriptor file_;
  std::size_t size_ = 0;
  long changed_seconds_ = 0, changed_nanoseconds_ = 0;
};

}  // namespace elmx
