#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>

#include "base/error.hpp"
#include "data/content/unpack.hpp"
#include "data/originals/originals.hpp"
#include "data/values/text.hpp"

namespace elmx {
namespace {

constexpr std::size_t kMostPeople = 256;
constexpr std::size_t kMatHeader = 124;  // bytes before the version
constexpr std::size_t kMatAlignment = 8;
// types of elements, and the class of a matrix of unsigned bytes
constexpr std::uint32_t kInt8 = 1, kUint8 = 2, kInt32 = 5, kUint32 = 6, kMatrix = 14, kUint8Class = 9;

/// The person that a picture shows, and the sort key of the picture among the pictures of this person.
struct Place {
  std::size_t person = 0, number = 0;
  std::string name;

  auto operator<=>(const Place&) const = default;
};

/// Takes what stands before the first number of `text`, and the number; nothing if there is none.
std::optional<std::size_t> take_number(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_of("0123456789"), text.size()));
  return take_digits(text);
}

Place place_of(const std::string& member, const std::string& origin) {
  std::string_view name = member;
  if (name.ends_with(".pgm") || name.ends_with(".gif")) name.remove_suffix(4);
  const std::size_t file = name.rfind('/');
  if (file != std::string_view::npos && file > 0) name.remove_prefix(name.rfind('/', file - 1) + 1);
  const auto person = take_number(name);
  if (!person || *person >= kMostPeople)
    throw DataError(origin, fmt::format("member \"{}\": expected a number below {} in its name", member, kMostPeople));
  Place place{*person, 0, std::string(name)};
  place.number = take_number(name).value_or(0);
  return place;
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

std::string pictures_as_mat(std::string_view zip, const std::string& origin, std::size_t most) {
  std::map<Place, std::string> pictures;
  std::size_t rows = 0, cols = 0, bytes = 0;
  for (ArchiveReader archive(zip, origin, ArchiveKind::zip); archive.next();) {
    const std::string member = archive.name();
    if (member.ends_with('/')) continue;
    const std::string content = archive.content(most);
    if (!is_pgm(content) && !is_gif(content)) continue;
    const std::string place = origin + ": " + member;
    const Picture picture = is_pgm(content) ? read_pgm(content, place) : read_gif(content, place);
    if (pictures.empty()) {
      rows = picture.rows;
      cols = picture.cols;
    }
    if (picture.rows != rows || picture.cols != cols)
      throw DataError(place, fmt::format("expected {} x {} pixels as in the first picture, found {} x {}", rows, cols,
                                         picture.rows, picture.cols));
    const auto [kept, is_new] = pictures.try_emplace(place_of(member, origin), picture.pixels);
    if (!is_new && picture.pixels != kept->second) throw DataError(place, "duplicate name of two different pictures");
    if (is_new) bytes += picture.pixels.size();
    if (bytes > most) throw DataError(origin, fmt::format("the pictures have more than the expected {} bytes", most));
  }
  if (pictures.empty()) throw DataError(origin, "the archive has no PGM or GIF pictures");

  std::string fea, gnd;
  for (const auto& [place, pixels] : pictures) {
    fea += pixels;
    gnd += static_cast<char>(place.person);
  }
  std::string mat = "MATLAB 5.0 MAT-file";
  mat.resize(kMatHeader, ' ');
  mat += std::string("\0\1IM", 4);
  return mat + mat_matrix("fea", rows * cols, gnd.size(), fea) + mat_matrix("gnd", 1, gnd.size(), gnd);
}

}  // namespace elmx
