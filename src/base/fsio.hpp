#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/error.hpp"

namespace elmx {

/// The whole file. Throws DataError ("path: cannot be read: reason").
std::string read_file(const std::filesystem::path& path);

/// A file that the program was to write: the disk is full, a folder is not there. Whoever meets it ends the run, never a unit of it.
class OutputError : public ConfigError {
 public:
  using ConfigError::ConfigError;
};

/// "PATH: cannot be written: reason", the reason from errno. Throws OutputError.
[[noreturn]] void refuse_write(const std::filesystem::path& path);

/// All of the bytes; false leaves the reason in errno.
bool write_all(int descriptor, std::string_view bytes);

/// Waits until what was written is on the disk; false leaves the reason in errno.
bool wait_for_disk(int descriptor);

/// Writes to a neighbour and renames it, so that a reader (or a crash) never sees half a file. Throws OutputError.
void write_file(const std::filesystem::path& path, std::string_view content);

/// Hexadecimal SHA-256.
std::string sha256(std::string_view bytes);

}  // namespace elmx
