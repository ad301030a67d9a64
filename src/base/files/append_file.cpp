#include "base/files/append_file.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include "base/error.hpp"

namespace elmx {
namespace {

constexpr int kTimesBetweenSyncs = 20;  // a sync waits for this many times the duration of the last one

}  // namespace

AppendFile::AppendFile(const std::filesystem::path& path) : path_(path), file_(path, O_RDWR | O_CREAT | O_APPEND) {
  if (!file_) refuse_write(path);
  text_ = read_file(path);
  const std::size_t whole = text_.rfind('\n') + 1;  // npos + 1 = 0
  torn_ = text_.size() - whole;
  text_.resize(whole);
  if (::ftruncate(file_.number(), static_cast<off_t>(whole)) != 0) refuse_write(path);
}

AppendFile::~AppendFile() { wait_for_disk(file_.number()); }

void AppendFile::append(std::string_view line) {
  restore();
  const std::size_t before = text_.size();
  text_.append(line) += '\n';
  if (!write_all(file_.number(), std::string_view(text_).substr(before))) {
    const int reason = errno;
    text_.resize(before);
    std::error_code ignored;  // if this fails, too, the incomplete line is removed when the file is opened again
    std::filesystem::resize_file(path_, before, ignored);
    errno = reason;
    refuse_write(path_);
  }
  sync_if_due();
}

void AppendFile::restore() {
  struct stat open {
  }, named{};
  const bool there = ::stat(path_.c_str(), &named) == 0;
  const bool same =
      ::fstat(file_.number(), &open) == 0 && there && open.st_dev == named.st_dev && open.st_ino == named.st_ino;
  if (same && static_cast<std::size_t>(open.st_size) >= text_.size()) return;
  if (there && !same) give_up("another file has its name");
  std::error_code ignored;  // opening reports a folder that is not there
  std::filesystem::create_directories(path_.parent_path(), ignored);
  Descriptor anew(path_, O_RDWR | O_APPEND | (there ? O_TRUNC : O_CREAT | O_EXCL));
  if (!anew || !write_all(anew.number(), text_)) give_up(std::strerror(errno));
  file_ = std::move(anew);
  ++restored_;
}

void AppendFile::give_up(const std::string& reason) const {
  const std::string name = "-" + path_.filename().string();
  std::string kept = temporary_place() / ("elmx-XXXXXX" + name);
  const int descriptor = ::mkostemps(kept.data(), static_cast<int>(name.size()), O_CLOEXEC);
  if (descriptor < 0 || !write_all(descriptor, text_) || !wait_for_disk(descriptor)) refuse_write(kept);
  ::close(descriptor);
  throw ConfigError(path_.string(), fmt::format("another program has deleted, cut or replaced this file, and it cannot "
                                                "be restored: {}. The finished records are in {}",
                                                reason, kept));
}

void AppendFile::sync_if_due() {
  const auto begin = std::chrono::steady_clock::now();
  if (begin < next_sync_) return;
  if (!wait_for_disk(file_.number())) refuse_write(path_);
  const auto end = std::chrono::steady_clock::now();
  next_sync_ = end + kTimesBetweenSyncs * (end - begin);
}

}  // namespace elmx
