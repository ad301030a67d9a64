#pragma once

#include <filesystem>
#include <limits>
#include <string>
#include <string_view>

#include "base/error.hpp"

namespace elmx {

/// All bytes of a file, a pipe or a terminal, never a part of them: throws DataError ("path: cannot be read:
/// reason") where reading ends in an error or before the end of the file, and for a folder or a device;
/// ConfigError for more than the memory that is available, or more than `most_of_pipe` bytes of what does not
/// say how long it is. A file that grows meanwhile is read to its new end.
std::string read_file(const std::filesystem::path& path,
                      std::size_t most_of_pipe = std::numeric_limits<std::size_t>::max());

/// A file that the program was to write: the disk is full, a folder is not there. Whoever meets it ends the
/// run, never a trial of it.
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

/// Makes the file, or replaces it as a whole, so that a reader (or a crash) never sees half of it; its
/// permissions stay. What stands beside it is left alone. Of a symbolic link the target is replaced; a
/// device, a pipe or an open descriptor (/dev/stdout) is written to. Throws OutputError.
void write_file(const std::filesystem::path& path, std::string_view content);

/// write_file, unless the file has this content already.
void update_file(const std::filesystem::path& path, std::string_view content);

/// Returns true if the file is there and has this content.
bool has_content(const std::filesystem::path& path, std::string_view content);

/// write_file to where a user says. Throws ConfigError for a file that this program has read: it would be
/// lost.
void write_output(const std::filesystem::path& path, std::string_view content);

/// Remembers that the open file is one that this program reads.
void remember_file_read(int descriptor);

/// Hexadecimal SHA-256.
std::string sha256(std::string_view bytes);

}  // namespace elmx
