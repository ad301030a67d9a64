#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "base/error.hpp"
#include "data/originals/picture.hpp"

namespace elmx {
namespace {

constexpr std::size_t kLargestGrey = 255;

/// Takes a number, and the blanks and comments before it, from the front of `text`; 0 if there is none.
std::size_t take_size(std::string_view& text) {
  for (;;) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    if (!text.starts_with('#')) break;
    text.remove_prefix(std::min(text.find('\n'), text.size()));
  }
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return error == std::errc() ? number : 0;
}

}  // namespace

bool is_pgm(std::string_view bytes) { return bytes.starts_with("P5"); }

Picture read_pgm(std::string_view bytes, const std::string& origin) {
  std::string_view rest = bytes.substr(std::min<std::size_t>(2, bytes.size()));
  const std::size_t cols = take_size(rest), rows = take_size(rest), largest = take_size(rest);
  if (cols == 0 || rows == 0 || cols > kMostPixels || rows > kMostPixels || largest == 0 || largest > kLargestGrey)
    throw DataError(origin, "expected a PGM image with one byte per pixel");
  rest.remove_prefix(std::min<std::size_t>(1, rest.size()));  // the blank behind the header
  if (rest.size() != rows * cols)
    throw DataError(origin, fmt::format("expected {} x {} pixels, found {}", rows, cols, rest.size()));
  return {rows, cols, std::string(rest)};
}

}  // namespace elmx
