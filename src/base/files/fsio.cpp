#include "base/files/fsio.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.hpp"
#include "base/files/sha256.hpp"

namespace elmx {

void refuse_write(const std::filesystem::path& path) {
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

std::string sha256(std::string_view bytes) {
  Sha256 sum;
  sum.add(bytes.data(), bytes.size());
  return sum.digits();
}

}  // namespace elmx
