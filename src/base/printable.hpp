#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace elmx {

/// Returns the text as one line of UTF-8 that is safe to print to a terminal: control characters (is_control)
/// and bytes that are not UTF-8 become "\n", "\t", "\x1b", "\u202e". The middle of a text of more than `most`
/// bytes is replaced by " ... ".
std::string printable(std::string_view text, std::size_t most = std::numeric_limits<std::size_t>::max());

/// Formats a count with its noun: "1 row", "2 rows", "3 classes".
std::string counted(std::size_t count, const std::string& noun);

/// Joins the first few texts: "a, b, c and 57 more". beyond: number of further texts that are not given.
std::string first_few(const std::vector<std::string>& texts, std::size_t most, const char* separator = ", ",
                      std::size_t beyond = 0);

/// Returns the shortest text that reads back as the same number: "6", "1e+05".
std::string shortest(double number);

/// Returns the length in bytes of the UTF-8 character (RFC 3629) at the start of `text`; 0 = not UTF-8.
std::size_t utf8_bytes(std::string_view text);

/// Returns true for a UTF-8 character that acts on the text around it: control characters of ASCII and
/// Latin-1 (U+0080 to U+009F), line and paragraph separators, and embeddings and overrides of the writing
/// direction.
bool is_control(std::string_view character);

/// Returns true if the text is valid UTF-8.
bool is_utf8(std::string_view text);

/// Quotes a word if a shell would interpret its characters.
std::string shell_word(const std::string& word);

/// Converts text to a file name of at most `longest` bytes: characters other than letters, digits and "+-._"
/// become "_", several in a row one "_", and the name does not start with a dot or a dash.
std::string file_name(const std::string& text, std::size_t longest = 200);

}  // namespace elmx
