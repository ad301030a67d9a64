#pragma once

#include <string>

#include "data/content/content.hpp"

namespace elmx {

/// Makes text of another encoding UTF-8, in place: UTF-16 (marked, or every second byte 0), and Windows-1252,
/// in which spreadsheets are saved in Western Europe, with Latin-1 as a part of it. Returns the encoding it
/// was in, "" where nothing is changed: UTF-8, also where it is damaged, what is not text, and bytes that
/// Windows-1252 does not have. Throws DataError: UTF-16 that is damaged.
std::string make_utf8(Content& content);

}  // namespace elmx
