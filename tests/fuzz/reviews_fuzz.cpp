#include <cstdio>

#include "fuzz/target.hpp"

namespace elmx::fuzz {
namespace {

constexpr std::size_t kBlock = 512;
constexpr std::size_t kChecksumAt = 148;
constexpr std::size_t kChecksumBytes = 8;

/// Gives every header of a tar the checksum that is right, which no mutation finds by itself: the sum of the
/// bytes of the block, those of the checksum being blanks.
std::string with_checksums(std::string_view tar) {
  std::string bytes(tar);
  for (std::size_t at = 0; at + kBlock <= bytes.size(); at += kBlock) {
    if (bytes.compare(at + 257, 5, "ustar") != 0) continue;
    bytes.replace(at + kChecksumAt, kChecksumBytes, kChecksumBytes, ' ');
    unsigned sum = 0;
    for (std::size_t i = 0; i < kBlock; ++i) sum += static_cast<unsigned char>(bytes[at + i]);
    char text[kChecksumBytes];
    std::snprintf(text, sizeof text, "%06o", sum);
    bytes.replace(at + kChecksumAt, 7, text, 7);
  }
  return bytes;
}

const Registered reviews_target("reviews", [](std::string_view bytes) {
  Choices choose(bytes);
  DataOptions options;
  options.format = "reviews";
  options.task = "classification";
  options.length = 2 + choose.of(64);
  options.reviews.vocabulary = 3 + choose.of(64);
  const bool repair = choose.yes();
  load(repair ? with_checksums(choose.rest()) : choose.rest(), options, {&options.path});
});

}  // namespace
}  // namespace elmx::fuzz
