#pragma once

#include <string>
#include <string_view>

namespace elmx {

/// Converts the grey pictures (PGM, GIF) of a zip to a MAT-file of unsigned bytes:
///
///     fea  d x N   a picture in each column, row by row
///     gnd  1 x N   the number of the person or thing that the picture shows
///
/// The path of a picture gives its person and order: the first number is the person, and the pictures of a
/// person are sorted by the next number, then by the text behind the first number (s2/10.pgm,
/// subject02.happy). An extension .pgm or .gif is ignored, and a second copy of a picture is left out. Other
/// members are skipped. `origin` starts the messages.
///
/// Throws DataError: not a zip, no pictures, pictures of different sizes, two different pictures of the same
/// name, a name without a number from 0 to 255, more than `most` bytes.
std::string pictures_as_mat(std::string_view zip, const std::string& origin, std::size_t most);

}  // namespace elmx
