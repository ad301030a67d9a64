#pragma once

#include <filesystem>
#include <limits>
#include <string>
#include <string_view>

#include "base/error.hpp"

namespace elmx {

/// Reads all bytes of a file, a pipe or a terminal; a file that grows meanwhile is read to its new end.
/// Throws DataError ("path: cannot be read: reason") for a folder or a device, and if reading fails or ends
/// before the end of the file. Throws ConfigError if the content exceeds the available memory, or if an input
/// of unknown length has more than `most_of_pipe` bytes.
std::string read_file(const std::filesystem::path& path,
                      std::size_t most_of_pipe = std::numeric_limits<std::size_t>::max());

/// A file that cannot be written, for example because the disk is full or a folder is missing. This error
/// ends the whole run, never only a trial.
class OutputError : public ConfigError {
 public:
  using ConfigError::ConfigError;
};

/// Throws OutputError with "PATH: cannot be written: reason", the reason from errno.
[[noreturn]] void refuse_write(const std::filesystem::path& path);

/// Writes all bytes. Returns false on failure, with the reason in errno.
bool write_all(int descriptor, std::string_view bytes);

/// Waits until the written data are on the disk. Returns false on failure, with the reason in errno.
bool wait_for_disk(int descriptor);

/// Creates or replaces a file atomically: neither a reader nor a crash sees an incomplete file. Keeps its
/// permissions and touches no other file. Replaces the target of a symbolic link; writes directly to a
/// device, a pipe or an open descriptor (/dev/stdout). Throws OutputError.
void write_file(const std::filesystem::path& path, std::string_view content);

/// Calls write_file unless the file has this content already.
void update_file(const std::filesystem::path& path, std::string_view content);

/// Returns true if the file exists and has this content.
bool has_content(const std::filesystem::path& path, std::string_view content);

/// Calls write_file for a path that the user has chosen. Throws ConfigError if this program has read that
/// file, because its content would be lost.
void write_output(const std::filesystem::path& path, std::string_view content);

/// Records the open file as an input of this program.
void remember_file_read(int descriptor);

/// Returns the hexadecimal SHA-256.
std::string sha256(std::string_view bytes);

}  // namespace elmx
