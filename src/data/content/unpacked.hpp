#pragma once

#include <limits>
#include <string>
#include <string_view>

namespace elmx {

inline constexpr std::size_t kAnySize = std::numeric_limits<std::size_t>::max();

/// What comes out of a packed file, bounded as it grows: by the size that is expected, by the memory of the
/// machine, and, from 256 MiB on, to 250 times the packed bytes (a few of them may stand for any number of
/// zeros).
class Unpacked {
 public:
  /// `origin` and `what` begin the messages ("x.csv.gz: its unpacked content"); `most` = bytes that are
  /// allowed.
  Unpacked(std::string origin, std::string what, std::size_t packed, std::size_t most);

  /// Makes room for what the packed file says of its size, where that can be.
  void announce(std::size_t bytes);

  /// Throws DataError, ConfigError (memory).
  void append(std::string_view bytes);

  std::string take() { return std::move(bytes_); }

 private:
  bool is_doubtful(std::size_t bytes) const;
  void check(std::size_t bytes) const;

  std::string origin_;
  std::string what_;
  std::size_t packed_;
  std::size_t most_;
  std::string bytes_;
};

}  // namespace elmx
