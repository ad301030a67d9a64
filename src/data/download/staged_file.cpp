#include "data/download/staged_file.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <random>

#include "base/error.hpp"
#include "base/files/fsio.hpp"

namespace elmx {
namespace {

constexpr int kFlags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;  // O_NONBLOCK: a FIFO under the name
constexpr mode_t kMode = 0666;                                                  // less the user's umask
constexpr std::size_t kKeyDigits = 16;
constexpr int kNames = 100;

/// ".x.csv.MIDDLE.part" beside x.csv.
std::filesystem::path beside(const std::filesystem::path& place, const std::string& middle) {
  return place.parent_path() / fmt::format(".{}.{}.part", place.filename().string(), middle);
}

/// Whether the descriptor is a file of this user's own under this one name.
bool is_own_file(int descriptor, const std::filesystem::path& path) {
  struct stat file {
  }, named{};
  return ::fstat(descriptor, &file) == 0 && ::lstat(path.c_str(), &named) == 0 && S_ISREG(file.st_mode) &&
         file.st_nlink == 1 && file.st_uid == ::geteuid() && file.st_dev == named.st_dev && file.st_ino == named.st_ino;
}

}  // namespace

StagedFile::StagedFile(std::filesystem::path place) : place_(std::move(place)) { open_new(); }

StagedFile::StagedFile(std::filesystem::path place, std::string_view key) : place_(std::move(place)) {
  has_key_ = open_kept(beside(place_, sha256(key).substr(0, kKeyDigits)));
  if (!has_key_) open_new();
}

StagedFile::~StagedFile() {
  if (!path_.empty()) ::unlink(path_.c_str());
  ::close(descriptor_);
}

void StagedFile::open_new() {
  std::random_device random;
  for (int i = 0; i < kNames && descriptor_ < 0; ++i) {
    path_ = beside(place_, std::to_string(random()));
    descriptor_ = ::open(path_.c_str(), kFlags | O_EXCL, kMode);
    if (descriptor_ < 0 && errno != EEXIST) break;
  }
  if (descriptor_ < 0) refuse_write(place_);
}

bool StagedFile::open_kept(const std::filesystem::path& path) {
  const int descriptor = ::open(path.c_str(), kFlags, kMode);
  if (descriptor < 0) return false;
  struct stat file {};
  const bool mine =
      ::flock(descriptor, LOCK_EX | LOCK_NB) == 0 && is_own_file(descriptor, path) && ::fstat(descriptor, &file) == 0;
  if (!mine) {
    ::close(descriptor);
    return false;
  }
  path_ = path;
  descriptor_ = descriptor;
  size_ = static_cast<std::size_t>(file.st_size);
  return true;
}

void StagedFile::refuse() const { refuse_write(place_); }

bool StagedFile::clear() {
  if (::ftruncate(descriptor_, 0) != 0) return false;
  size_ = 0;
  return true;
}

bool StagedFile::append(std::string_view bytes) {
  if (::lseek(descriptor_, static_cast<off_t>(size_), SEEK_SET) < 0 || !write_all(descriptor_, bytes)) return false;
  size_ += bytes.size();
  return true;
}

std::string StagedFile::content() const {
  std::string bytes(size_, '\0');
  for (std::size_t done = 0; done < size_;) {
    const ssize_t got = ::pread(descriptor_, bytes.data() + done, size_ - done, static_cast<off_t>(done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) throw DataError(path_.string() + ": cannot be read back to its end");
    done += static_cast<std::size_t>(got);
  }
  return bytes;
}

bool StagedFile::keep() {
  if (!has_key_ || size_ == 0) return false;
  path_.clear();
  return true;
}

bool StagedFile::move_to_place() {
  if (!wait_for_disk(descriptor_)) refuse_write(place_);
  int failed = ::renameat2(AT_FDCWD, path_.c_str(), AT_FDCWD, place_.c_str(), RENAME_NOREPLACE);
  if (failed != 0 && errno == EINVAL) {  // a file system without that flag
    if (std::filesystem::exists(std::filesystem::symlink_status(place_))) return false;
    failed = ::rename(path_.c_str(), place_.c_str());
  }
  if (failed != 0 && errno == EEXIST) return false;
  if (failed != 0) refuse_write(place_);
  path_.clear();
  return true;
}

}  // namespace elmx
