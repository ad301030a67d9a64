#include "data/content/unpacked.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/machine/machine.hpp"

namespace elmx {
namespace {

constexpr std::size_t kLarge = 1 << 24;  // bytes from which on it is asked whether the memory holds them
constexpr std::size_t kDoubtful = 1 << 28;
constexpr std::size_t kLargestRatio = 250;
constexpr double kNumbersToo = 2;  // beside the bytes stand the numbers that are read from them

}  // namespace

Unpacked::Unpacked(std::string origin, std::string what, std::size_t packed, std::size_t most)
    : origin_(std::move(origin)), what_(std::move(what)), packed_(packed), most_(most) {}

bool Unpacked::is_doubtful(std::size_t bytes) const { return bytes > kDoubtful && bytes / kLargestRatio > packed_; }

void Unpacked::check(std::size_t bytes) const {
  if (bytes > most_) {
    throw DataError(fmt::format("{}: {} has more than {} bytes; no more are allowed", origin_, what_, most_));
  }
  if (is_doubtful(bytes)) {
    throw DataError(
        fmt::format("{}: {} is more than {} times as large as the {} packed bytes; beyond {} no more is allowed",
                    origin_, what_, kLargestRatio, packed_, show_bytes(kDoubtful)));
  }
}

void Unpacked::announce(std::size_t bytes) {
  if (bytes > most_ || is_doubtful(bytes) || kNumbersToo * static_cast<double>(bytes) > available_memory()) return;
  bytes_.reserve(bytes);
}

void Unpacked::append(std::string_view bytes) {
  const std::size_t needed = bytes_.size() + bytes.size();
  check(needed);
  if (needed > bytes_.capacity()) {
    const std::size_t grown = std::max(needed, std::min(bytes_.capacity() / 2 * 3, most_));
    if (grown > kLarge) refuse_beyond_memory(origin_, what_, kNumbersToo * static_cast<double>(grown));
    bytes_.reserve(grown);
  }
  bytes_.append(bytes);
}

}  // namespace elmx
