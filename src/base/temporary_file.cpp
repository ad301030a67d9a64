#include "base/temporary_file.hpp"

#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

#include "base/fsio.hpp"

namespace elmx {
namespace {

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
  const bool written = write_all(descriptor, content);
  const int error = errno;
  ::close(descriptor);
  if (written) return TemporaryFile(path);
  std::filesystem::remove(path);
  refuse(error, path);
}

TemporaryFile temporary_folder() {
  std::string path = std::filesystem::temp_directory_path() / "elmx-XXXXXX";
  if (::mkdtemp(path.data()) == nullptr) refuse(errno, path);
  return TemporaryFile(path);
}

}  // namespace elmx
