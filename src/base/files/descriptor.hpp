#pragma once

#include <filesystem>
#include <utility>

namespace elmx {

/// An open file, closed at the end; programs that are started do not get it.
class Descriptor {
 public:
  /// Where it cannot be opened, the descriptor is none and the reason is in errno.
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

/// Opens stdin, stdout and stderr on /dev/null where they are closed: a file that is opened later would get
/// their number, and what is printed. Call it first in main. False: /dev/null cannot be opened.
bool open_standard_descriptors();

}  // namespace elmx
