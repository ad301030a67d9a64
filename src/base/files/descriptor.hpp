#pragma once

#include <filesystem>
#include <utility>

namespace elmx {

/// A file descriptor that the destructor closes and that child processes do not inherit.
class Descriptor {
 public:
  /// Opens a file. On failure the descriptor is empty and errno holds the reason.
  Descriptor(const std::filesystem::path& path, int flags);
  ~Descriptor();
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  int number() const { return number_; }
  explicit operator bool() const { return number_ >= 0; }

 private:
  int number_;
};

/// Opens stdin, stdout and stderr on /dev/null if they are closed; otherwise a file that is opened later
/// would get their number and the printed text. Call it first in main. Returns false if /dev/null cannot be
/// opened.
bool open_standard_descriptors();

}  // namespace elmx
