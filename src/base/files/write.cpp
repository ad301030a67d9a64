#include <fcntl.h>
#include <fmt/core.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <random>

#include "base/files/own_files.hpp"

namespace elmx {
namespace {

namespace fs = std::filesystem;

constexpr int kMostLinks = 40;  // as the kernel follows

bool is_same_file(const struct stat& a, const struct stat& b) { return a.st_dev == b.st_dev && a.st_ino == b.st_ino; }

fs::path target_of_links(fs::path path) {
  std::error_code failed;
  for (int links = 0; links < kMostLinks && fs::is_symlink(path, failed); ++links)
    path = path.parent_path() / fs::read_symlink(path, failed);
  return path;
}

/// Writes a new file beside `path` and renames it. If it has no name until it is complete, nothing is left
/// behind by a killed program, but not every file system has such files. Returns false on failure, with the
/// reason in errno.
bool replace(const fs::path& path, std::string_view content, const mode_t* permissions, bool named) {
  std::random_device random;
  const fs::path folder = path.has_parent_path() ? path.parent_path() : ".",
                 beside = folder / fmt::format(".elmx-{:08x}{:08x}.part", random(), random());
  const Descriptor file(named ? beside : folder, O_WRONLY | (named ? O_CREAT | O_EXCL : O_TMPFILE));
  if (!file) return false;
  const std::string self = fmt::format("/proc/self/fd/{}", file.number());
  const bool replaced = (permissions == nullptr || ::fchmod(file.number(), *permissions) == 0) &&
                        write_all(file.number(), content) && wait_for_disk(file.number()) &&
                        (named || ::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, beside.c_str(), AT_SYMLINK_FOLLOW) == 0) &&
                        std::rename(beside.c_str(), path.c_str()) == 0;
  const int reason = errno;
  if (!replaced) ::unlink(beside.c_str());
  errno = reason;
  return replaced;
}

}  // namespace

Descriptor::Descriptor(const fs::path& path, int flags)
    : number_(::open(path.c_str(), flags | O_CLOEXEC | O_NOCTTY, 0666)) {}

Descriptor::~Descriptor() {
  const int reason = errno;  // of what went wrong before
  if (number_ >= 0) ::close(number_);
  errno = reason;
}

bool open_standard_descriptors() {
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    const bool closed = ::fcntl(number, F_GETFD) < 0 && errno == EBADF;
    if (closed && ::open("/dev/null", O_RDWR) != number) return false;  // the lowest number that is free
  }
  return true;
}

void refuse_write(const fs::path& path) {
  throw OutputError(path.string(), fmt::format("cannot be written: {}", std::strerror(errno)));
}

bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) return false;
    if (written > 0) bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

// EINVAL: a pipe or a device
bool wait_for_disk(int descriptor) { return ::fsync(descriptor) == 0 || errno == EINVAL; }

void write_file(const fs::path& path, std::string_view content) {
  struct stat found {
  }, standard_output{};
  const bool there = ::stat(path.c_str(), &found) == 0;
  if (!there && errno != ENOENT) refuse_write(path);
  if (there && ::fstat(STDOUT_FILENO, &standard_output) == 0 && is_same_file(found, standard_output)) {
    if (!write_all(STDOUT_FILENO, content)) refuse_write(path);
  } else if (there && !S_ISREG(found.st_mode)) {
    const Descriptor device(path, O_WRONLY);
    if (!device || !write_all(device.number(), content) || !wait_for_disk(device.number())) refuse_write(path);
  } else {
    const fs::path target = target_of_links(path);
    const mode_t mode = found.st_mode & 0777;
    const mode_t* permissions = there ? &mode : nullptr;
    if (!replace(target, content, permissions, false) && !replace(target, content, permissions, true))
      refuse_write(path);
  }
}

void check_output(const fs::path& path) {
  if (is_input(path))
    throw ConfigError(path.string(),
                      "this file is an input of the command and would be overwritten; choose another output file");
  if (is_own_file(path))
    throw ConfigError(path.string(), "elmx keeps this file in its results folder; choose another output file");
}

void write_output(const fs::path& path, std::string_view content) {
  check_output(path);
  write_file(path, content);
}

FolderLock::FolderLock(const fs::path& folder) : folder_(folder, O_RDONLY | O_DIRECTORY) {
  const bool held = folder_ && ::flock(folder_.number(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  if (!held) return;  // a file system without locks is no reason to refuse
  throw UserError(ExitCode::resume_refused, folder.string(),
                  "another elmx is writing to this folder; wait for its end, or choose another place with -o");
}

fs::path temporary_place() {
  const char* named = std::getenv("TMPDIR");
  return named != nullptr && *named != '\0' ? named : "/tmp";
}

MemoryFile::MemoryFile(std::string_view content) : file_(::memfd_create("elmx", 0)) {
  if (!file_ || !write_all(file_.number(), content))
    throw ConfigError("a file in memory", fmt::format("cannot be made: {}", std::strerror(errno)));
}

std::string MemoryFile::path() const { return fmt::format("/proc/self/fd/{}", file_.number()); }

}  // namespace elmx
