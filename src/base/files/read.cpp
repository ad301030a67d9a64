#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <mutex>
#include <new>
#include <set>
#include <vector>

#include "base/files/files.hpp"
#include "base/files/sha256.hpp"
#include "base/machine/machine.hpp"
#include "base/printable.hpp"

namespace elmx {
namespace {

constexpr std::size_t kBlock = 1 << 16;  // bytes of a read from a pipe
constexpr std::size_t kHashedAtOnce = 1 << 20;
constexpr std::size_t kSurelyThere = 1 << 24;  // memory that is not asked for

[[noreturn]] void refuse_read(const std::filesystem::path& path, const std::string& reason) {
  throw DataError(path.string(), "cannot be read: " + reason);
}

void refuse_large(const std::filesystem::path& path, std::size_t bytes) {
  if (bytes > kSurelyThere) refuse_beyond_memory(path.string(), "its content", static_cast<double>(bytes));
}

/// The device and inode of every regular file that was read.
struct Inputs {
  std::mutex mutex;
  std::set<std::pair<dev_t, ino_t>> files;
};

Inputs& inputs() {
  static Inputs inputs;
  return inputs;
}

/// Describes an open file that will be read.
struct stat input(const std::filesystem::path& path, const Descriptor& file) {
  struct stat found {};
  if (!file || ::fstat(file.number(), &found) != 0) refuse_read(path, std::strerror(errno));
  if (S_ISDIR(found.st_mode)) refuse_read(path, "it is a folder");
  const bool device = S_ISCHR(found.st_mode) || S_ISBLK(found.st_mode);
  if (device && ::isatty(file.number()) == 0) refuse_read(path, "it is a device; use a file or a pipe");
  if (S_ISREG(found.st_mode)) {
    const std::lock_guard lock(inputs().mutex);
    inputs().files.emplace(found.st_dev, found.st_ino);
  }
  return found;
}

std::filesystem::file_status status_of(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::status(path, ignored);
}

}  // namespace

bool is_there(const std::filesystem::path& path) { return std::filesystem::exists(status_of(path)); }

bool is_file(const std::filesystem::path& path) { return std::filesystem::is_regular_file(status_of(path)); }

bool is_folder(const std::filesystem::path& path) { return std::filesystem::is_directory(status_of(path)); }

std::vector<std::filesystem::path> entries_of(const std::filesystem::path& folder, std::string_view ending) {
  std::vector<std::filesystem::path> found;
  if (!is_folder(folder)) return found;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().string().ends_with(ending)) found.push_back(entry.path());
  }
  if (error) refuse_read(folder, error.message());
  std::ranges::sort(found);
  return found;
}

std::string read_file(const std::filesystem::path& path, std::size_t most_of_pipe) try {
  const Descriptor file(path, O_RDONLY);
  const struct stat found = input(path, file);
  const std::size_t size = S_ISREG(found.st_mode) ? static_cast<std::size_t>(found.st_size) : 0;
  std::string bytes;
  std::size_t filled = 0;
  for (;;) {
    if (filled == bytes.size()) {
      if (size == 0 && filled > most_of_pipe)
        throw ConfigError(path.string(), fmt::format("more than {} from a pipe; use a file instead",
                                                     show_bytes(static_cast<double>(most_of_pipe))));
      const std::size_t room = filled == 0 ? std::max(size + 1, kBlock) : filled + std::max(filled / 2, kBlock);
      refuse_large(path, room + filled);  // the old bytes are copied to the new ones
      bytes.resize(room);
    }
    const ssize_t got = ::read(file.number(), bytes.data() + filled, bytes.size() - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) refuse_read(path, std::strerror(errno));
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
  }
  if (filled < size) refuse_read(path, fmt::format("it ends after {} of its {} bytes", filled, size));
  bytes.resize(filled);
  return bytes;
} catch (const std::bad_alloc&) {
  throw ConfigError(path.string(), "cannot be read: out of memory (`elmx info` shows the limit)");
}

BlocksOfFile::BlocksOfFile(const std::filesystem::path& path) : path_(path), file_(path, O_RDONLY) {
  const struct stat found = input(path, file_);
  if (!S_ISREG(found.st_mode)) refuse_read(path, "it is not a regular file; use a file on a disk");
  size_ = static_cast<std::size_t>(found.st_size);
  modified_ = found.st_mtim;
}

void BlocksOfFile::read(std::size_t offset, std::size_t count, void* to) const {
  struct stat now {};
  if (::fstat(file_.number(), &now) != 0) refuse_read(path_, std::strerror(errno));
  if (static_cast<std::size_t>(now.st_size) != size_ || now.st_mtim.tv_sec != modified_.tv_sec ||
      now.st_mtim.tv_nsec != modified_.tv_nsec)
    refuse_read(path_, "the file changed while it was being read");
  for (char* at = static_cast<char*>(to); count > 0;) {
    const ssize_t got = ::pread(file_.number(), at, count, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) refuse_read(path_, std::strerror(errno));
    if (got == 0)
      refuse_read(path_, fmt::format("expected {} more after byte {}, found the end of the file",
                                     counted(count, "byte"), offset));
    at += got;
    offset += static_cast<std::size_t>(got);
    count -= static_cast<std::size_t>(got);
  }
}

std::string BlocksOfFile::head(std::size_t most) const {
  refuse_large(path_, std::min(most, size_));
  std::string bytes(std::min(most, size_), '\0');
  read(0, bytes.size(), bytes.data());
  return bytes;
}

std::string BlocksOfFile::sha256() const {
  Sha256 sum;
  std::vector<char> block(std::min(kHashedAtOnce, size_));
  for (std::size_t at = 0; at < size_; at += block.size()) {
    const std::size_t count = std::min(block.size(), size_ - at);
    read(at, count, block.data());
    sum.add(block.data(), count);
  }
  return sum.digits();
}

bool is_input(const std::filesystem::path& path) {
  struct stat found {};
  if (::stat(path.c_str(), &found) != 0) return false;
  const std::lock_guard lock(inputs().mutex);
  return inputs().files.contains({found.st_dev, found.st_ino});
}

bool has_content(const std::filesystem::path& path, std::string_view content) {
  std::error_code failed;
  if (!is_file(path) || std::filesystem::file_size(path, failed) != content.size()) return false;
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {}) == content;
}

}  // namespace elmx
