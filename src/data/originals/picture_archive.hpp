#pragma once

#include <string>
#include <string_view>

namespace elmx {

/// The grey pictures (PGM, GIF) of a zip as a MAT-file of unsigned bytes:
///
///     fea  d x N   a picture in each column, row by row
///     gnd  1 x N   the number of the person or thing it shows
///
/// The name of a picture and of its folder say both: the first number is that of the person, and pictures of a
/// person are in the order of the next number, then of the text behind the first one (s2/10.pgm,
/// subject02.happy). An ending .pgm or .gif does not count, and a second copy of a picture is left out. Members
/// that are no pictures are skipped. `origin` begins the messages.
///
/// Throws DataError: not a zip, no pictures, pictures of different sizes, two different ones of one name, a
/// name without a number from 0 to 255, more than `most` bytes.
std::string pictures_as_mat(std::string_view zip, const std::string& origin, std::size_t most);

}  // namespace elmx
