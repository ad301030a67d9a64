#pragma once

#include <limits>
#include <string>
#include <string_view>

namespace elmx {

/// The text as one line of UTF-8 that steers no terminal: control characters (is_control) and bytes that are
/// not UTF-8 become "\n", "\t", "\x1b", "\u202e". Of a text of more than `most` bytes the middle is replaced
/// by " ... "; its beginning and its end are kept.
std::string printable(std::string_view text, std::size_t most = std::numeric_limits<std::size_t>::max());

/// "1 row", "2 rows", "3 classes".
std::string counted(std::size_t count, const std::string& noun);

/// The shortest text that reads back as the same number: "6", "1e+05".
std::string shortest(double number);

/// Bytes of the character of UTF-8 (RFC 3629) that `text` begins with; 0 = it begins with none.
std::size_t utf8_bytes(std::string_view text);

/// Returns true for a character of UTF-8 that acts on the text around it: the control characters of ASCII and
/// of Latin-1 (U+0080 to U+009F), separators of lines and paragraphs, embeddings and overrides of the writing
/// direction.
bool is_control(std::string_view character);

/// True if all of it is characters of UTF-8.
bool is_utf8(std::string_view text);

}  // namespace elmx
