#pragma once

#include <string>
#include <string_view>

// The published forms of data sets that `elmx data fetch` converts: pictures in archives, and workbooks.

namespace elmx {

/// A grey picture: rows x cols pixels of one byte, row by row.
struct Picture {
  std::size_t rows = 0, cols = 0;
  std::string pixels;
};

/// The number of pixels of the largest picture that is accepted.
inline constexpr std::size_t kMostPixels = std::size_t{1} << 24;

bool is_pgm(std::string_view bytes);
bool is_gif(std::string_view bytes);

/// Reads a binary PGM file ("P5"): width, height and largest value (at most 255) as text, then the pixels.
/// `origin` starts the messages. Throws DataError: damaged, or of another size than its header says.
Picture read_pgm(std::string_view bytes, const std::string& origin);

/// Reads the first image of a GIF file, which must be grey. Throws DataError: damaged, interlaced, smaller
/// than the screen, coloured.
///
/// CompuServe, Graphics Interchange Format, versions 87a and 89a.
Picture read_gif(std::string_view bytes, const std::string& origin);

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

/// Converts the first sheet of a workbook (.xlsx) to comma-separated text: a line for each row that has a
/// value, numbers in their shortest spelling, texts unchanged, and an empty field for an empty cell before
/// the last value of its row. `origin` starts the messages.
///
/// Other values than numbers and shared texts are left out: the checksum of the catalogue decides whether the
/// result is right. Throws DataError: not a workbook, more than `most` bytes.
std::string sheet_as_csv(std::string_view workbook, const std::string& origin, std::size_t most);

/// Does the same for the two required members of a workbook: the XML of the sheet, and the XML of the shared
/// texts, which cells refer to by number.
std::string csv_of_sheet(std::string_view sheet, std::string_view shared_texts, const std::string& origin,
                         std::size_t most);

}  // namespace elmx
