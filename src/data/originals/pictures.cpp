#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "base/error.hpp"
#include "data/content/unpack.hpp"
#include "data/originals/originals.hpp"
#include "data/values/text.hpp"

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
  return take_digits(text).value_or(0);
}

constexpr unsigned kImage = 0x2C, kExtension = 0x21;  // first bytes of blocks
constexpr unsigned kHasTable = 0x80, kInterlaced = 0x40;
constexpr unsigned kWidestCode = 12;  // bits

[[noreturn]] void refuse(const std::string& origin, const char* what) {
  throw DataError(origin, fmt::format("cannot read the GIF image: {}", what));
}

/// The bytes of a file, one part after the other.
class Parts {
 public:
  Parts(std::string_view rest, const std::string& origin) : rest_(rest), origin_(origin) {}

  std::string_view take(std::size_t count) {
    if (count > rest_.size()) refuse(origin_, "the file is truncated");
    const std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return taken;
  }
  unsigned byte() { return byte_at(take(1), 0); }
  /// A number of two bytes, the lower one first.
  unsigned word() {
    const unsigned low = byte();
    return low | byte() << 8;
  }
  /// The data of blocks of at most 255 bytes, which end with an empty one.
  std::string blocks() {
    std::string data;
    while (const unsigned size = byte()) data += take(size);
    return data;
  }
  /// The colour table that these flags declare: red, green and blue of each colour.
  std::string_view colours(unsigned flags) { return take(std::size_t{6} << (flags & 7)); }

 private:
  std::string_view rest_;
  const std::string& origin_;
};

/// Unpacks an LZW-compressed image: codes of growing width, each for a piece of the output. Code i < 2^bits
/// is the byte i, 2^bits clears the table of pieces, 2^bits + 1 ends the data. The following codes are the
/// table's pieces; each consists of the piece of the previous code and the output byte behind it.
std::string unpack_lzw(std::string_view data, unsigned bits, std::size_t size, const std::string& origin) {
  struct Piece {
    std::size_t at, length;  // of the output
  };
  const unsigned clear = 1U << bits, end = clear + 1;
  std::string out;
  std::vector<Piece> pieces;  // pieces[i] has the code end + 1 + i
  Piece last{0, 0};           // the piece of the previous code; length 0 = none
  unsigned width = bits + 1, buffer = 0, held = 0;
  for (std::size_t i = 0; i < data.size(); ++i) {
    buffer |= unsigned{byte_at(data, i)} << held;
    held += 8;
    while (held >= width) {
      const unsigned code = buffer & ((1U << width) - 1);
      buffer >>= width;
      held -= width;
      if (code == end) return out;
      if (code == clear) {
        pieces.clear();
        last.length = 0;
        width = bits + 1;
        continue;
      }
      if (last.length > 0 && end + 1 + pieces.size() < (1U << kWidestCode))
        pieces.push_back({last.at, last.length + 1});
      const std::size_t at = out.size();
      if (code < clear) {
        out += static_cast<char>(code);
      } else {
        if (code - end - 1 >= pieces.size()) refuse(origin, "its data are damaged");
        const Piece piece = pieces[code - end - 1];  // the last piece overlaps with the appended bytes
        for (std::size_t k = 0; k < piece.length; ++k) out += out[piece.at + k];
      }
      if (out.size() > size) refuse(origin, "it has more pixels than its size states");
      last = {at, out.size() - at};
      if (end + 1 + pieces.size() == (1U << width) && width < kWidestCode) ++width;
    }
  }
  return out;
}

/// Replaces the numbers of colours by grey values.
void apply_colours(std::string& pixels, std::string_view colours, const std::string& origin) {
  for (char& pixel : pixels) {
    const std::size_t at = std::size_t{3} * static_cast<unsigned char>(pixel);
    if (at + 3 > colours.size()) refuse(origin, "a colour is not in its table");
    if (colours[at] != colours[at + 1] || colours[at] != colours[at + 2])
      refuse(origin, "expected grey values, found colours");
    pixel = colours[at];
  }
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

bool is_gif(std::string_view bytes) { return bytes.starts_with("GIF87a") || bytes.starts_with("GIF89a"); }

Picture read_gif(std::string_view bytes, const std::string& origin) {
  Parts file(bytes, origin);
  file.take(6);  // "GIF89a"
  const std::size_t cols = file.word(), rows = file.word();
  const unsigned flags = file.byte();
  file.take(2);  // background, ratio of width and height of a pixel
  std::string_view colours = (flags & kHasTable) != 0 ? file.colours(flags) : std::string_view();
  unsigned kind = file.byte();
  for (; kind == kExtension; kind = file.byte()) {
    file.take(1);
    file.blocks();
  }
  if (kind != kImage) refuse(origin, "the file has no image");
  const std::size_t left = file.word(), top = file.word(), own_cols = file.word(), own_rows = file.word();
  if (left != 0 || top != 0 || own_cols != cols || own_rows != rows)
    refuse(origin, "expected an image as large as the screen");
  const unsigned own_flags = file.byte();
  if ((own_flags & kInterlaced) != 0) refuse(origin, "expected an image that is not interlaced");
  if ((own_flags & kHasTable) != 0) colours = file.colours(own_flags);
  const unsigned bits = file.byte();
  if (bits < 2 || bits > 8) refuse(origin, "its data are damaged");
  if (rows * cols == 0 || rows * cols > kMostPixels) refuse(origin, "its size is zero or too large");
  Picture picture{rows, cols, unpack_lzw(file.blocks(), bits, rows * cols, origin)};
  if (picture.pixels.size() != rows * cols) refuse(origin, "it has fewer pixels than its size states");
  apply_colours(picture.pixels, colours, origin);
  return picture;
}

}  // namespace elmx
