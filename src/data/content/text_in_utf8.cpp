#include "data/content/text_in_utf8.hpp"

#include <fmt/core.h>
#include <iconv.h>

#include <algorithm>
#include <optional>

#include "base/error.hpp"
#include "base/printable.hpp"

namespace elmx {
namespace {

/// A byte that no text has: a control character, but for blanks and the end that DOS puts behind a file.
bool is_of_no_text(char byte) { return byte >= 0 && byte < 0x20 && !(byte >= '\t' && byte <= '\r') && byte != 0x1a; }

std::size_t bytes_beyond_ascii(std::string_view bytes) {
  return static_cast<std::size_t>(std::ranges::count_if(bytes, [](char byte) { return (byte & 0x80) != 0; }));
}

/// Of the letters beyond ASCII fewer are whole in UTF-8 than are not. Else it is UTF-8 with damage.
bool is_of_single_bytes(std::string_view text) {
  std::size_t whole = 0, stray = 0;
  while (!text.empty()) {
    const std::size_t bytes = utf8_bytes(text);
    whole += bytes > 1;
    stray += bytes == 0;
    text.remove_prefix(std::max<std::size_t>(1, bytes));
  }
  return whole < stray;
}

bool is_no_text(std::string_view bytes) { return std::ranges::any_of(bytes, is_of_no_text); }

/// Of Latin letters each second byte is 0.
const char* utf16_of(std::string_view bytes) {
  bytes = bytes.substr(0, 4);
  if (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF")) return "UTF-16";
  const auto zero = [&](std::size_t i) { return bytes[i] == '\0'; };
  if (bytes.size() < 4 || zero(0) != zero(2) || zero(1) != zero(3) || zero(0) == zero(1)) return nullptr;
  return zero(0) ? "UTF-16BE" : "UTF-16LE";
}

/// Nothing where the bytes are not of this encoding, or the system does not know it. `most`: bytes that may
/// come out.
std::optional<std::string> converted(const std::string& bytes, const char* encoding, std::size_t most) {
  const iconv_t conversion = iconv_open("UTF-8", encoding);
  if (conversion == iconv_t(-1)) return std::nullopt;
  std::string text(most, '\0');
  char *in = const_cast<char*>(bytes.data()), *out = text.data();  // iconv changes only where it points
  std::size_t left = bytes.size(), room = text.size();
  const bool whole = iconv(conversion, &in, &left, &out, &room) != std::size_t(-1);
  iconv_close(conversion);
  if (!whole) return std::nullopt;
  text.resize(text.size() - room);
  return text;
}

}  // namespace

std::string make_utf8(Content& content) {
  if (const char* utf16 = utf16_of(content.bytes)) {
    std::optional<std::string> text = converted(content.bytes, utf16, 2 * content.bytes.size());
    if (!text || is_no_text(*text))
      throw DataError(content.origin + ": begins as UTF-16, but is not text in it; UTF-8 is expected");
    content.bytes = std::move(*text);
    return "UTF-16";
  }
  const std::size_t beyond = bytes_beyond_ascii(content.bytes);
  if (beyond == 0 || !is_of_single_bytes(content.bytes) || is_no_text(content.bytes)) return "";
  std::optional<std::string> text = converted(content.bytes, "WINDOWS-1252", content.bytes.size() + 2 * beyond);
  if (!text) return "";
  content.bytes = std::move(*text);
  return "Windows-1252";
}

}  // namespace elmx
