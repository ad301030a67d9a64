#pragma once

#include <ctime>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"

namespace elmx {

/// A file descriptor that the destructor closes.
class Descriptor {
 public:
  /// Opens a file that child processes do not inherit. On failure the descriptor is empty and errno holds the
  /// reason.
  Descriptor(const std::filesystem::path& path, int flags);
  /// Takes over an open descriptor.
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor();
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  int number() const { return number_; }
  explicit operator bool() const { return number_ >= 0; }

 private:
  int number_;
};

/// Opens stdin, stdout and stderr on /dev/null if they are closed; otherwise a file that is opened later
/// would get their number and the printed text. Call it first in main. Returns false if /dev/null cannot be
/// opened.
bool open_standard_descriptors();

/// Return true if the path leads to anything, to a regular file, to a folder; false also if the system cannot
/// tell.
bool is_there(const std::filesystem::path& path);
bool is_file(const std::filesystem::path& path);
bool is_folder(const std::filesystem::path& path);

/// Returns the paths in a folder whose names end with `ending`, sorted; none if the path leads to no folder.
/// Throws DataError if the folder cannot be read.
std::vector<std::filesystem::path> entries_of(const std::filesystem::path& folder, std::string_view ending = "");

// Reading

/// The file path that stands for standard input, and the name of standard input in messages and results.
inline constexpr std::string_view kStandardInput = "-", kNameOfStandardInput = "stdin";

/// Reads all bytes of a file, a pipe or a terminal; a file that grows meanwhile is read to its new end.
/// Throws DataError ("path: cannot be read: reason") for a folder or a device, and if reading fails or ends
/// before the end of the file. Throws ConfigError if the content exceeds the available memory, or if an input
/// of unknown length has more than `most_of_pipe` bytes.
std::string read_file(const std::filesystem::path& path,
                      std::size_t most_of_pipe = std::numeric_limits<std::size_t>::max());

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

  /// Returns the first bytes of the file, at most `most`. Throws ConfigError if they exceed the available
  /// memory.
  std::string head(std::size_t most) const;

  /// Returns the hexadecimal SHA-256 of the file; one pass, 1 MiB at a time.
  std::string sha256() const;

 private:
  std::filesystem::path path_;
  Descriptor file_;
  std::size_t size_ = 0;
  std::timespec modified_{};
};

/// Returns true if this program has read the file.
bool is_input(const std::filesystem::path& path);

/// Returns true if the file exists and has this content.
bool has_content(const std::filesystem::path& path, std::string_view content);

// Writing

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
/// device, a pipe or the file that is stdout (/dev/stdout). Throws OutputError.
void write_file(const std::filesystem::path& path, std::string_view content);

/// Throws ConfigError for an output file whose content would be lost: an input (is_input), or a file that
/// elmx keeps in a results folder (is_own_file).
void check_output(const std::filesystem::path& path);

/// Calls check_output and write_file for a path that the user has chosen.
void write_output(const std::filesystem::path& path, std::string_view content);

// Folders

/// A lock for the only command that writes to a folder. Throws UserError(resume_refused) if another process
/// holds it.
class FolderLock {
 public:
  explicit FolderLock(const std::filesystem::path& folder);

 private:
  Descriptor folder_;
};

/// Returns $TMPDIR, or /tmp if it is not set or empty.
std::filesystem::path temporary_place();

/// A file in memory, without a name, that lasts until it is destroyed. Programs that this one starts can open
/// it by its path. Throws ConfigError.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view content = "");

  std::string path() const;

 private:
  Descriptor file_;
};

/// Returns the folder of the files that come with elmx (data/catalogue.json, data/paper, configs, glossary):
/// $ELMX_HOME, else PREFIX/share/elmx for a program in PREFIX/bin, else the source tree that the program was
/// built from.
std::filesystem::path share_dir();

}  // namespace elmx
