#include "base/temporary_file.hpp"

#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

namespace elmx {
namespace {

/// The error number, 0 = none.
int write_all(int descriptor, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(descriptor, content.data(), content.size());
    if (written < 0 && errno != EINTR) return errno;
    if (written > 0) content.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

[[noreturn]] void refuse(int error, const std::string& path) {
  throw std::system_error(error, std::generic_category(), path);
}

}  // namespace

TemporaryFile::~TemporaryFile() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

TemporaryFile temporary_file(std::string_view content) {
  std::string path = std::filesystem::temp_directory_path() / "elmx-XXXXXX";
  const int descriptor = ::mkstemp(path.data());
  if (descriptor < 0) refuse(errno, path);
  const int error = write_all(descriptor, content);
  ::close(descriptor);
  if (error == 0) return TemporaryFile(path);
  std::filesystem::remove(path);
  refuse(error, path);
}

TemporaryFile temporary_folder() {
  std::string path = std::filesystem::temp_directory_path() / "elmx-XXXXXX";
  if (::mkdtemp(path.data()) == nullptr) refuse(errno, path);
  return TemporaryFile(path);
}

}  // namespace elmx
