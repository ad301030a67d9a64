#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <mutex>
#include <new>
#include <set>
#include <stdexcept>

#include "base/error.hpp"
#include "base/files/descriptor.hpp"
#include "base/files/fsio.hpp"
#include "base/machine/machine.hpp"

namespace elmx {
namespace {

constexpr std::size_t kBlock = 1 << 16;   // bytes of a read from a pipe
constexpr std::size_t kAtOnce = 1 << 30;  // bytes of a call
constexpr std::size_t kAnyNumber = std::numeric_limits<std::size_t>::max();
constexpr std::size_t kSurelyThere = 1 << 24;  // memory that is not asked for

[[noreturn]] void refuse_read(const std::filesystem::path& path, const std::string& reason) {
  throw DataError(path.string(), "cannot be read: " + reason);
}

/// The device and inode of every file that was read.
class FilesRead {
 public:
  void add(const struct stat& file) {
    const std::lock_guard lock(mutex_);
    files_.emplace(file.st_dev, file.st_ino);
  }
  bool has(const struct stat& file) {
    const std::lock_guard lock(mutex_);
    return files_.contains({file.st_dev, file.st_ino});
  }

 private:
  std::mutex mutex_;
  std::set<std::pair<dev_t, ino_t>> files_;
};

FilesRead& files_read() {
  static FilesRead files;
  return files;
}

/// Returns the size of a file, or 0 for a pipe or a terminal.
std::size_t said_size(const std::filesystem::path& path, const Descriptor& file) {
  struct stat found {};
  if (::fstat(file.number(), &found) != 0) refuse_read(path, std::strerror(errno));
  if (S_ISDIR(found.st_mode)) refuse_read(path, "it is a folder");
  const bool device = S_ISCHR(found.st_mode) || S_ISBLK(found.st_mode);
  if (device && ::isatty(file.number()) == 0) refuse_read(path, "it is a device; use a file or a pipe");
  if (S_ISREG(found.st_mode)) files_read().add(found);
  return S_ISREG(found.st_mode) ? static_cast<std::size_t>(found.st_size) : 0;
}

/// Bytes and how many of them have been read.
struct Buffer {
  std::string bytes;
  std::size_t filled = 0;

  /// Makes room for at least one byte more.
  void grow(const std::filesystem::path& path, std::size_t size, std::size_t most) {
    if (filled > most)
      throw ConfigError(path.string(), fmt::format("more than {} from a pipe; use a file instead",
                                                   show_bytes(static_cast<double>(most))));
    // the old room is copied to the new one
    const double both = static_cast<double>(size) + static_cast<double>(filled);
    if (size > kSurelyThere) refuse_beyond_memory(path.string(), "its content", both);
    bytes.resize(size);
  }
};

std::string read_all(const std::filesystem::path& path, std::size_t most) {
  const Descriptor file(path, O_RDONLY);
  if (!file) refuse_read(path, std::strerror(errno));
  const std::size_t said = said_size(path, file);
  Buffer buffer;
  for (;;) {
    const std::size_t room = buffer.bytes.size();
    const std::size_t next = room == 0 ? std::max(said + 1, kBlock) : room + std::max(room / 2, kBlock);
    if (buffer.filled == room) buffer.grow(path, next, said > 0 ? kAnyNumber : most);
    const ssize_t got = ::read(file.number(), buffer.bytes.data() + buffer.filled,
                               std::min(buffer.bytes.size() - buffer.filled, kAtOnce));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) refuse_read(path, std::strerror(errno));
    if (got == 0) break;
    buffer.filled += static_cast<std::size_t>(got);
  }
  if (buffer.filled < said) refuse_read(path, fmt::format("it ends after {} of its {} bytes", buffer.filled, said));
  buffer.bytes.resize(buffer.filled);
  return std::move(buffer.bytes);
}

}  // namespace

std::string read_file(const std::filesystem::path& path, std::size_t most) {
  try {
    return read_all(path, most);
  } catch (const std::bad_alloc&) {
    throw ConfigError(path.string(), "cannot be read: out of memory (`elmx info` shows the limit)");
  } catch (const std::length_error&) {
    throw ConfigError(path.string(), "cannot be read: the file is larger than any memory");
  }
}

void remember_file_read(int descriptor) {
  struct stat found {};
  if (::fstat(descriptor, &found) == 0 && S_ISREG(found.st_mode)) files_read().add(found);
}

void write_output(const std::filesystem::path& path, std::string_view content) {
  struct stat found {};
  if (::stat(path.c_str(), &found) == 0 && S_ISREG(found.st_mode) && files_read().has(found)) {
    throw ConfigError(path.string(),
                      "this file is an input of the command and would be overwritten; choose another "
                      "output file");
  }
  write_file(path, content);
}

}  // namespace elmx
