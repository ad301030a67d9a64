#include "table_formats/html_text.hpp"

#include <algorithm>

#include "base/printable.hpp"

namespace elmx {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

bool is_text(std::string_view character) {
  const bool control = is_control(character) && character != "\n" && character != "\t";
  return !control && character != "\xEF\xBF\xBE" && character != "\xEF\xBF\xBF";
}

}  // namespace

std::string valid_text(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = utf8_bytes(text);
    out += length > 0 && is_text(text.substr(0, length)) ? text.substr(0, length) : kReplacement;
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
