#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "base/error.hpp"
#include "data/content/unpack.hpp"
#include "data/originals/originals.hpp"

namespace elmx {
namespace {

constexpr std::size_t kMatHeader = 124;  // bytes before the version
constexpr std::size_t kMatAlignment = 8;
// types of elements, and the class of a matrix of unsigned bytes
constexpr std::uint32_t kInt8 = 1, kUint8 = 2, kInt32 = 5, kUint32 = 6, kMatrix = 14, kUint8Class = 9;

constexpr std::size_t kLargestGrey = 255;

/// Takes a number from the front of `text`; 0 if there is none.
std::size_t take_number(std::string_view& text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return error == std::errc() ? number : 0;
}

/// Takes a number of the header of a picture, and the blanks and comments before it.
std::size_t take_size(std::string_view& text) {
  for (;;) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    if (!text.starts_with('#')) return take_number(text);
    text.remove_prefix(std::min(text.find('\n'), text.size()));
  }
}

/// The person that a picture shows, and the number of the picture among those of this person.
struct Place {
  std::size_t person = 0, number = 0;

  auto operator<=>(const Place&) const = default;
};

Place place_of(std::string_view member) {
  const std::size_t file = member.rfind('/');
  if (file != std::string_view::npos && file > 0) member.remove_prefix(member.rfind('/', file - 1) + 1);
  const auto next_number = [&] {
    member.remove_prefix(std::min(member.find_first_of("0123456789"), member.size()));
    return take_number(member);
  };
  const std::size_t person = next_number();
  return {person, next_number()};
}

std::string little_endian_word(std::uint32_t number) {
  std::string bytes;
  for (const unsigned shift : {0U, 8U, 16U, 24U}) bytes += static_cast<char>(number >> shift & 255U);
  return bytes;
}

/// An element of a MAT-file: its type, its length, its data, and zeros up to a multiple of 8 bytes.
std::string mat_element(std::uint32_t type, const std::string& data) {
  std::string element = little_endian_word(type) + little_endian_word(static_cast<std::uint32_t>(data.size())) + data;
  element.resize((element.size() + kMatAlignment - 1) / kMatAlignment * kMatAlignment, '\0');
  return element;
}

/// A matrix of unsigned bytes, column by column.
std::string mat_matrix(const std::string& name, std::size_t rows, std::size_t cols, const std::string& data) {
  const auto word = [](std::size_t number) { return little_endian_word(static_cast<std::uint32_t>(number)); };
  return mat_element(kMatrix, mat_element(kUint32, word(kUint8Class) + word(0)) +
                                  mat_element(kInt32, word(rows) + word(cols)) + mat_element(kInt8, name) +
                                  mat_element(kUint8, data));
}

}  // namespace

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

std::string pictures_as_mat(std::string_view zip, const std::string& origin, std::size_t most) {
  std::map<Place, std::string> pictures;
  std::size_t dimension = 0, bytes = 0;
  for (ArchiveReader archive(zip, origin, ArchiveKind::zip); archive.next();) {
    const std::string member = archive.name();
    if (member.ends_with('/')) continue;
    const std::string content = archive.content(most);
    if (!content.starts_with("P5")) continue;
    const Picture picture = read_pgm(content, origin + ": " + member);
    dimension = picture.rows * picture.cols;
    bytes += dimension;
    pictures[place_of(member)] = picture.pixels;
    if (bytes > most) throw DataError(origin, fmt::format("the pictures have more than the expected {} bytes", most));
  }
  if (pictures.empty()) throw DataError(origin, "the archive has no PGM pictures");

  std::string fea, gnd;
  for (const auto& [place, pixels] : pictures) {
    fea += pixels;
    gnd += static_cast<char>(place.person);
  }
  std::string mat = "MATLAB 5.0 MAT-file";
  mat.resize(kMatHeader, ' ');
  mat += std::string("\0\1IM", 4);
  return mat + mat_matrix("fea", dimension, gnd.size(), fea) + mat_matrix("gnd", 1, gnd.size(), gnd);
}

}  // namespace elmx
