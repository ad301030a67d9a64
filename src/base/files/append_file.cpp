#include "base/files/append_file.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include "base/error.hpp"
#include "base/files/fsio.hpp"
#include "base/files/temporary_file.hpp"

namespace elmx {
namespace {

enum class Place { sound, cut, gone, taken };

/// Checks whether the path still names the open file (else gone or taken), and whether it has `size` bytes.
Place place_of(const Descriptor& file, const std::filesystem::path& path, std::size_t size) {
  struct stat open {};
  struct stat named {};
  if (::stat(path.c_str(), &named) != 0) return Place::gone;
  if (::fstat(file.number(), &open) != 0 || open.st_dev != named.st_dev || open.st_ino != named.st_ino)
    return Place::taken;
  return static_cast<std::size_t>(open.st_size) < size ? Place::cut : Place::sound;
}

bool set_to(const Descriptor& file, std::string_view text) {
  return ::ftruncate(file.number(), 0) == 0 && ::lseek(file.number(), 0, SEEK_SET) == 0 &&
         write_all(file.number(), text);
}

}  // namespace

AppendFile::AppendFile(const std::filesystem::path& path)
    : path_(path), file_(std::make_shared<const Descriptor>(path, O_RDWR | O_CREAT)) {
  if (!*file_) refuse_write(path);
  text_ = read_file(path);
  const std::size_t whole = text_.rfind('\n') + 1;  // npos + 1 = 0
  torn_ = text_.size() - whole;
  text_.resize(whole);
  if (::ftruncate(file_->number(), static_cast<off_t>(whole)) != 0 || ::lseek(file_->number(), 0, SEEK_END) < 0)
    refuse_write(path);
  disk_ = std::jthread([this](const std::stop_token& stop) { keep_on_disk(stop); });
}

AppendFile::~AppendFile() {
  disk_.request_stop();
  disk_.join();
}

void AppendFile::append(std::string_view line) {
  const std::lock_guard lock(mutex_);
  errno = refused_;
  if (refused_ != 0) refuse_write(path_);
  restore_if_lost();
  const std::size_t before = text_.size();
  text_ += line;
  text_ += '\n';
  if (write_all(file_->number(), std::string_view(text_).substr(before))) {
    dirty_ = true;
    appended_.notify_one();
    return;
  }
  const int reason = errno;
  text_.resize(before);
  // Should even this fail, the half line is cut off when the file is opened again.
  if (::ftruncate(file_->number(), static_cast<off_t>(before)) == 0) ::lseek(file_->number(), 0, SEEK_END);
  errno = reason;
  refuse_write(path_);
}

void AppendFile::restore() {
  const std::lock_guard lock(mutex_);
  restore_if_lost();
}

void AppendFile::restore_if_lost() {
  const Place place = place_of(*file_, path_, text_.size());
  if (place == Place::sound) return;
  if (place == Place::taken) give_up("another file has its name");
  if (place == Place::gone)
    file_ = written_anew();
  else if (!set_to(*file_, text_))
    give_up(std::strerror(errno));
  ++restored_;
  dirty_ = true;
  appended_.notify_one();
}

AppendFile::Open AppendFile::written_anew() const {
  std::error_code ignored;  // opening reports a folder that is not there
  std::filesystem::create_directories(path_.parent_path(), ignored);
  auto file = std::make_shared<const Descriptor>(path_, O_RDWR | O_CREAT | O_EXCL);
  if (!*file || !set_to(*file, text_)) give_up(std::strerror(errno));
  return file;
}

void AppendFile::give_up(const std::string& reason) const {
  const std::filesystem::path kept = kept_file(path_.filename().string(), text_);
  throw ConfigError(path_.string(), fmt::format("another program has deleted, cut or replaced this file, and it cannot "
                                                "be restored: {}. The finished records are in {}",
                                                reason, kept.string()));
}

void AppendFile::keep_on_disk(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (appended_.wait(lock, stop, [&] { return dirty_; }) || dirty_) {
    dirty_ = false;
    const Open file = file_;
    lock.unlock();
    const bool kept = wait_for_disk(file->number());
    const int reason = errno;
    lock.lock();
    if (!kept) refused_ = reason;
  }
}

}  // namespace elmx
