#include "table_formats/html_text.hpp"

#include <algorithm>

namespace elmx {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

/// Bytes of the character that `text` begins with, 0 where that is not valid UTF-8 (RFC 3629): overlong, a surrogate,
/// above U+10FFFF, cut off.
std::size_t length_of_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned>(static_cast<unsigned char>(text[i])); };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xC2 && first <= 0xDF   ? 2
                             : first >= 0xE0 && first <= 0xEF ? 3
                             : first >= 0xF0 && first <= 0xF4 ? 4
                                                              : 0;
  if (length == 0 || text.size() < length) return 0;
  const unsigned least = first == 0xE0   ? 0xA0
                         : first == 0xF0 ? 0x90
                                         : 0x80,
                 most = first == 0xED   ? 0x9F
                        : first == 0xF4 ? 0x8F
                                        : 0xBF;
  if (byte(1) < least || byte(1) > most) return 0;
  for (std::size_t i = 2; i < length; ++i) {
    if (byte(i) < 0x80 || byte(i) > 0xBF) return 0;
  }
  return length;
}

bool in_xml(std::string_view character) {
  const char c = character[0];
  const bool control = static_cast<unsigned char>(c) < ' ' && c != '\n' && c != '\t';
  return !control && c != '\x7f' && character != "\xEF\xBF\xBE" && character != "\xEF\xBF\xBF";
}

}  // namespace

std::string valid_text(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = length_of_character(text);
    out += length > 0 && in_xml(text.substr(0, length)) ? text.substr(0, length) : kReplacement;
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

std::string html_text(std::string_view text) {
  std::string out;
  for (const char c : valid_text(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string html_element(const std::string& name, const std::string& content, const std::string& attributes) {
  return "<" + name + attributes + ">" + content + "</" + name + ">";
}

}  // namespace elmx
