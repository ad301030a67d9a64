#pragma once

#include <string>

#include "data/content/content.hpp"

namespace elmx {

/// Makes text of another encoding UTF-8, in place: UTF-16 (marked, or every second byte 0), and Windows-1252, as which
/// all other text is read that is not UTF-8; spreadsheets save it so in Western Europe, and Latin-1 is part of it.
/// Returns the encoding it was in, "" where nothing is changed: UTF-8, and what is not text. Throws DataError: damaged.
std::string make_utf8(Content& content);

}  // namespace elmx
