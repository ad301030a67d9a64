#include "base/files/temporary_file.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.hpp"
#include "base/files/fsio.hpp"

namespace elmx {
namespace {

[[noreturn]] void refuse(const std::string& folder, const std::string& reason) {
  throw ConfigError(folder,
                    fmt::format("a temporary file cannot be written: {}. Set TMPDIR to a folder with room", reason));
}

std::string pattern(const std::string& end) {
  std::error_code failed;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(failed);
  const char* named = std::getenv("TMPDIR");
  if (failed) refuse(named != nullptr ? named : "/tmp", failed.message());
  return folder / ("elmx-XXXXXX" + end);
}

std::string folder_of(const std::string& path) { return std::filesystem::path(path).parent_path().string(); }

std::string written(const std::string& end, std::string_view content) {
  std::string path = pattern(end);
  const int descriptor = ::mkostemps(path.data(), static_cast<int>(end.size()), O_CLOEXEC);
  if (descriptor < 0) refuse(folder_of(path), std::strerror(errno));
  const bool whole = write_all(descriptor, content);
  const int error = errno;
  ::close(descriptor);
  if (whole) return path;
  ::unlink(path.c_str());
  refuse(folder_of(path), std::strerror(error));
}

}  // namespace

TemporaryFile::~TemporaryFile() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

TemporaryFile temporary_file(std::string_view content) { return TemporaryFile(written("", content)); }

TemporaryFile temporary_folder() {
  std::string path = pattern("");
  if (::mkdtemp(path.data()) == nullptr) refuse(folder_of(path), std::strerror(errno));
  return TemporaryFile(path);
}

std::filesystem::path kept_file(const std::string& name, std::string_view content) {
  return written("-" + name, content);
}

}  // namespace elmx
