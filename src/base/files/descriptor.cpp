#include "base/files/descriptor.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace elmx {

Descriptor::Descriptor(const std::filesystem::path& path, int flags)
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

}  // namespace elmx
