#include "base/files/blocks_of_file.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "base/error.hpp"
#include "base/files/fsio.hpp"
#include "base/files/sha256.hpp"
#include "base/printable.hpp"

namespace elmx {
namespace {

constexpr std::size_t kHashedAtOnce = 1 << 20;

[[noreturn]] void refuse_blocks(const std::filesystem::path& path, const std::string& why) {
  throw DataError(path.string(), "cannot be read in blocks: " + why);
}

}  // namespace

BlocksOfFile::BlocksOfFile(const std::filesystem::path& path) : path_(path), file_(path, O_RDONLY) {
  struct stat found {};
  if (!file_ || ::fstat(file_.number(), &found) != 0) refuse_blocks(path, std::strerror(errno));
  if (!S_ISREG(found.st_mode)) refuse_blocks(path, "it is not a regular file; use a file on a disk");
  remember_file_read(file_.number());
  size_ = static_cast<std::size_t>(found.st_size);
  changed_seconds_ = found.st_mtim.tv_sec;
  changed_nanoseconds_ = found.st_mtim.tv_nsec;
}

void BlocksOfFile::refuse_change() const {
  struct stat now {};
  if (::fstat(file_.number(), &now) != 0) refuse_blocks(path_, std::strerror(errno));
  if (static_cast<std::size_t>(now.st_size) == size_ && now.st_mtim.tv_sec == changed_seconds_ &&
      now.st_mtim.tv_nsec == changed_nanoseconds_)
    return;
  refuse_blocks(path_, "the file changed while it was being read");
}

void BlocksOfFile::read(std::size_t offset, std::size_t count, void* to) const {
  refuse_change();
  char* at = static_cast<char*>(to);
  while (count > 0) {
    const ssize_t got = ::pread(file_.number(), at, count, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) refuse_blocks(path_, std::strerror(errno));
    if (got == 0)
      refuse_blocks(path_, fmt::format("expected {} more after byte {}, found the end of the file",
                                       counted(count, "byte"), offset));
    at += got;
    offset += static_cast<std::size_t>(got);
    count -= static_cast<std::size_t>(got);
  }
}

std::string BlocksOfFile::head(std::size_t most) const {
  std::string bytes(std::min(most, size_), '\0');
  read(0, bytes.size(), bytes.data());
  return bytes;
}

std::string BlocksOfFile::sha256() const {
  Sha256 sum;
  std::vector<char> block(std::min(kHashedAtOnce, std::max<std::size_t>(size_, 1)));
  for (std::size_t at = 0; at < size_; at += block.size()) {
    const std::size_t count = std::min(block.size(), size_ - at);
    read(at, count, block.data());
    sum.add(block.data(), count);
  }
  return sum.digits();
}

}  // namespace elmx
