#pragma once

#include <filesystem>
#include <string>

#include "base/files/descriptor.hpp"

namespace elmx {

/// A file that is read in blocks, anywhere, never as a whole; from several threads at once.
class BlocksOfFile {
 public:
  /// Throws DataError: cannot be read, or is no regular file.
  explicit BlocksOfFile(const std::filesystem::path& path);

  const std::filesystem::path& path() const { return path_; }
  std::size_t size() const { return size_; }

  /// Bytes offset ... offset + count - 1. Throws DataError: the file does not have them, is not what it was
  /// when it was opened (size, time of its last change), or cannot be read.
  void read(std::size_t offset, std::size_t count, void* to) const;

  /// The first bytes, at most so many.
  std::string head(std::size_t most) const;

  /// Hexadecimal SHA-256 of all of it; one pass, 1 MiB at a time.
  std::string sha256() const;

 private:
  void refuse_change() const;

  std::filesystem::path path_;
  Descriptor file_;
  std::size_t size_ = 0;
  long changed_seconds_ = 0, changed_nanoseconds_ = 0;
};

}  // namespace elmx
