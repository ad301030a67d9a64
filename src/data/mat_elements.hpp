#pragma once

#include <string>
#include <string_view>

namespace elmx {

enum class MatVersion { matlab5, matlab73 };

/// The version in the header of a MAT-file. Throws DataError: neither MATLAB 5 nor 7.3.
MatVersion mat_version(std::string_view bytes, const std::string& origin);

/// Makes sure that the elements of a MATLAB 5 file, each a type, a length and that many bytes, fill it exactly, and
/// that compressed ones unpack: libmatio takes a good part of this on trust. Throws DataError.
void check_mat5_elements(std::string_view bytes, const std::string& origin);

}  // namespace elmx
