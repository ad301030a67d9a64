#include "base/fsio.hpp"

#include <fcntl.h>
#include <openssl/evp.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "base/error.hpp"

namespace elmx {
namespace {

[[noreturn]] void refuse_write(const std::filesystem::path& path) {
  throw ConfigError(path.string() + ": cannot be written: " + std::strerror(errno));
}

/// All of the bytes, on the disk; false leaves the reason in errno.
bool write_and_sync(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) return false;
    if (written > 0) bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return ::fsync(descriptor) == 0 || errno == EINVAL;  // EINVAL: a pipe or a device
}

}  // namespace

std::string read_file(const std::filesystem::path& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) throw DataError(path.string() + ": cannot be read: it is a folder");
  std::ifstream in(path, std::ios::binary);
  if (!in) throw DataError(path.string() + ": cannot be read: " + std::strerror(errno));
  std::ostringstream content;
  content << in.rdbuf();
  return std::move(content).str();
}

void write_file(const std::filesystem::path& path, std::string_view content) {
  const std::filesystem::path partial = path.string() + ".part";
  const int descriptor = ::open(partial.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) refuse_write(path);
  const bool written = write_and_sync(descriptor, content);
  int reason = errno;
  ::close(descriptor);
  if (written && std::rename(partial.c_str(), path.c_str()) == 0) return;

  if (written) reason = errno;
  ::unlink(partial.c_str());
  errno = reason;
  refuse_write(path);
}

std::string sha256(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(), nullptr);
  static constexpr char kHex[] = "0123456789abcdef";
  std::string text;
  for (unsigned int i = 0; i < size; ++i) {
    text += kHex[digest[i] >> 4];
    text += kHex[digest[i] & 15];
  }
  return text;
}

AppendFile::AppendFile(const std::filesystem::path& path) : path_(path), descriptor_(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
  if (descriptor_ < 0) refuse_write(path);
  const std::string content = read_file(path);
  const auto complete = content.rfind('\n') == std::string::npos ? 0 : content.rfind('\n') + 1;
  if (::ftruncate(descriptor_, static_cast<off_t>(complete)) != 0 || ::lseek(descriptor_, 0, SEEK_END) < 0) {
    ::close(descriptor_);
    refuse_write(path);
  }
  torn_ = content.size() - complete;
}

AppendFile::~AppendFile() { ::close(descriptor_); }

void AppendFile::append(std::string_view line) {
  std::string bytes(line);
  bytes += '\n';
  const off_t before = ::lseek(descriptor_, 0, SEEK_CUR);
  if (write_and_sync(descriptor_, bytes)) return;
  const int reason = errno;
  // Should even this fail, the half line is cut off when the file is opened again.
  if (before >= 0 && ::ftruncate(descriptor_, before) == 0) ::lseek(descriptor_, before, SEEK_SET);
  errno = reason;
  refuse_write(path_);
}

}  // namespace elmx
