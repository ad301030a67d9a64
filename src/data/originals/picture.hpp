#pragma once

#include <string>
#include <string_view>

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

}  // namespace elmx
