#pragma once

#include <string>
#include <string_view>

namespace elmx {

/// One member of an archive (.zip, .tar, .tar.gz ...) by its full name. `origin` begins the messages.
/// Throws DataError: not an archive, damaged, no such member (with the nearest name).
std::string archive_member(std::string_view archive, const std::string& member, const std::string& origin);

/// The content of one file packed by compress (.Z). Throws DataError.
std::string uncompress(std::string_view bytes, const std::string& origin);

}  // namespace elmx
