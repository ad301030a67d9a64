#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <fstream>
#include <iterator>

#include "base/files/descriptor.hpp"
#include "base/files/fsio.hpp"

namespace elmx {
namespace {

constexpr int kMostLinks = 40;  // as the kernel follows
constexpr int kMostNames = 100;

std::filesystem::path folder_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

/// Returns a temporary name in the folder of `path` that no other thread or process uses.
std::string name_beside(const std::filesystem::path& path) {
  static std::atomic<unsigned> count = 0;
  return folder_of(path) / fmt::format(".elmx-{}-{}.part", ::getpid(), count++);
}

/// The end of a chain of symbolic links: a path, or a descriptor that this process has open (/dev/stdout,
/// /proc/self/fd/1).
struct Target {
  std::filesystem::path path;
  int descriptor = -1;
};

int open_descriptor(const std::filesystem::path& link) {
  std::error_code failed;
  const auto folder = std::filesystem::canonical(folder_of(link), failed);
  const std::string name = link.filename().string();
  int number = -1;
  if (folder == fmt::format("/proc/{}/fd", ::getpid())) std::from_chars(name.data(), name.data() + name.size(), number);
  return number;
}

Target followed(std::filesystem::path path) {
  std::error_code failed;
  for (int links = 0; links < kMostLinks && std::filesystem::is_symlink(path, failed); ++links) {
    if (const int open = open_descriptor(path); open >= 0) return {path, open};
    const std::filesystem::path next = std::filesystem::read_symlink(path, failed);
    path = path.parent_path() / next;
  }
  return {path};
}

bool fill(const Descriptor& file, std::string_view content, const mode_t* permissions) {
  if (permissions && ::fchmod(file.number(), *permissions) != 0) return false;
  return write_all(file.number(), content) && wait_for_disk(file.number());
}

bool rename_or_remove(const std::string& from, const std::filesystem::path& to) {
  if (std::rename(from.c_str(), to.c_str()) == 0) return true;
  const int reason = errno;
  ::unlink(from.c_str());
  errno = reason;
  return false;
}

/// Replaces a file through an unnamed temporary file, which leaves nothing behind if the program ends early.
/// Returns false on failure, for example if the file system has no unnamed files.
bool replace_without_name(const std::filesystem::path& path, std::string_view content, const mode_t* permissions) {
  const Descriptor file(folder_of(path), O_TMPFILE | O_WRONLY);
  if (!file || !fill(file, content, permissions)) return false;
  const std::string self = "/proc/self/fd/" + std::to_string(file.number());
  const auto link_to = [&](const std::string& name) {
    return ::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
  };
  if (link_to(path)) return true;
  for (int names = 0; errno == EEXIST && names < kMostNames; ++names) {
    const std::string beside = name_beside(path);
    if (link_to(beside)) return rename_or_remove(beside, path);
  }
  return false;
}

/// Replaces a file through a named temporary file, for file systems without unnamed files.
bool replace_by_neighbour(const std::filesystem::path& path, std::string_view content, const mode_t* permissions) {
  for (int names = 0; names < kMostNames; ++names) {
    const std::string beside = name_beside(path);
    const Descriptor file(beside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW);
    if (!file && errno == EEXIST) continue;
    if (!file) return false;
    if (fill(file, content, permissions)) return rename_or_remove(beside, path);
    const int reason = errno;
    ::unlink(beside.c_str());
    errno = reason;
    return false;
  }
  return false;
}

void write_to_device(const std::filesystem::path& path, std::string_view content) {
  const Descriptor device(path, O_WRONLY);
  if (!device || !write_all(device.number(), content) || !wait_for_disk(device.number())) refuse_write(path);
}

}  // namespace

void write_file(const std::filesystem::path& path, std::string_view content) {
  struct stat found {};
  const bool there = ::stat(path.c_str(), &found) == 0;
  if (!there && errno != ENOENT) refuse_write(path);
  if (there && S_ISDIR(found.st_mode)) {
    errno = EISDIR;
    refuse_write(path);
  }
  const Target target = followed(path);
  if (target.descriptor >= 0) {
    if (!write_all(target.descriptor, content)) refuse_write(path);
    return;
  }
  if (there && !S_ISREG(found.st_mode)) return write_to_device(path, content);
  const mode_t permissions = found.st_mode & 0777;
  const mode_t* kept = there ? &permissions : nullptr;
  if (!replace_without_name(target.path, content, kept) && !replace_by_neighbour(target.path, content, kept))
    refuse_write(path);
}

bool has_content(const std::filesystem::path& path, std::string_view content) {
  std::error_code failed;
  if (!std::filesystem::is_regular_file(path, failed) || std::filesystem::file_size(path, failed) != content.size())
    return false;
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {}) == content;
}

void update_file(const std::filesystem::path& path, std::string_view content) {
  if (!has_content(path, content)) write_file(path, content);
}

}  // namespace elmx
