#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace elmx {

enum class MatVersion { matlab5, matlab73 };

/// The version in the header of a MAT-file. Throws DataError: neither MATLAB 5 nor 7.3.
MatVersion mat_version(std::string_view bytes, const std::string& origin);

inline constexpr std::size_t kMat5HeaderBytes = 128;

/// An element of a MATLAB 5 file.
struct MatElement {
  std::string_view bytes;  ///< tag and all
  std::string name;
  std::string kind;  ///< "a struct", "text", ...; "" = a real, full array of numbers
};

/// The elements of a MATLAB 5 file, each a type, a length and that many bytes, which fill it exactly; compressed ones
/// unpack. Arrays of numbers are whole: their storage has the size that their dimensions ask for. What is inside others
/// is not looked at. libmatio takes all this on trust. Throws DataError.
std::vector<MatElement> mat5_elements(std::string_view bytes, const std::string& origin);

}  // namespace elmx
