#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace elmx {

/// The whole file. Throws DataError ("path: cannot be read: reason").
std::string read_file(const std::filesystem::path& path);

/// Writes to a neighbour and renames it, so that a reader (or a crash) never sees half a file. Throws UserError(config).
void write_file(const std::filesystem::path& path, std::string_view content);

/// Hexadecimal SHA-256.
std::string sha256(std::string_view bytes);

/// A file that only grows, one line a call; a line is on the disk when append returns (fsync).
class AppendFile {
 public:
  /// Opens or creates the file; a last line without '\n' (a killed run) is cut off. Throws UserError(config).
  explicit AppendFile(const std::filesystem::path& path);
  ~AppendFile();
  AppendFile(const AppendFile&) = delete;
  AppendFile& operator=(const AppendFile&) = delete;
  /// Where the disk is full the file stays as it was. Throws UserError(config).
  void append(std::string_view line);

  /// Bytes of the last line that were cut off when the file was opened.
  std::size_t torn_bytes() const { return torn_; }

 private:
  std::filesystem::path path_;
  int descriptor_;
  std::size_t torn_ = 0;
};

}  // namespace elmx
