#include "base/append_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "base/fsio.hpp"

namespace elmx {

AppendFile::AppendFile(const std::filesystem::path& path) : path_(path), descriptor_(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
  if (descriptor_ < 0) refuse_write(path);
  const std::string content = read_file(path);
  const auto complete = content.rfind('\n') == std::string::npos ? 0 : content.rfind('\n') + 1;
  if (::ftruncate(descriptor_, static_cast<off_t>(complete)) != 0 || ::lseek(descriptor_, 0, SEEK_END) < 0) {
    ::close(descriptor_);
    refuse_write(path);
  }
  torn_ = content.size() - complete;
  disk_ = std::jthread([this](const std::stop_token& stop) { keep_on_disk(stop); });
}

AppendFile::~AppendFile() {
  disk_.request_stop();
  disk_.join();
  ::close(descriptor_);
}

void AppendFile::append(std::string_view line) {
  std::string bytes(line);
  bytes += '\n';
  const std::lock_guard lock(mutex_);
  errno = refused_;
  if (refused_ != 0) refuse_write(path_);
  const off_t before = ::lseek(descriptor_, 0, SEEK_CUR);
  if (write_all(descriptor_, bytes)) {
    dirty_ = true;
    appended_.notify_one();
    return;
  }
  const int reason = errno;
  // Should even this fail, the half line is cut off when the file is opened again.
  if (before >= 0 && ::ftruncate(descriptor_, before) == 0) ::lseek(descriptor_, before, SEEK_SET);
  errno = reason;
  refuse_write(path_);
}

void AppendFile::keep_on_disk(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (appended_.wait(lock, stop, [&] { return dirty_; }) || dirty_) {
    dirty_ = false;
    lock.unlock();
    const bool kept = wait_for_disk(descriptor_);
    const int reason = errno;
    lock.lock();
    if (!kept) refused_ = reason;
  }
}

}  // namespace elmx
