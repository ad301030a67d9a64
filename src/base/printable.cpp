#include "base/printable.hpp"

#include <fmt/format.h>
#include <utf8cpp/utf8.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

namespace elmx {
namespace {

constexpr std::string_view kLeftOut = " ... ";

unsigned char byte_of(std::string_view text, std::size_t i) { return static_cast<unsigned char>(text[i]); }

std::string escaped_byte(unsigned char byte) {
  if (byte == '\n') return "\\n";
  if (byte == '\r') return "\\r";
  if (byte == '\t') return "\\t";
  return fmt::format("\\x{:02x}", byte);
}

char32_t code_point(std::string_view character) { return utf8::peek_next(character.begin(), character.end()); }

/// Returns true for letters and digits, "+", "-" and ".". Beyond Latin-1, everything but punctuation and
/// blanks is taken for a letter.
bool may_be_in_file_name(char32_t c) {
  if (c < 0x80) return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '+' || c == '-' || c == '.';
  return c >= 0xc0 && c != 0xd7 && c != 0xf7 && !(c >= 0x2000 && c <= 0x206f) && c != 0x3000 && c != 0xfeff;
}

/// Returns at most the last `size` bytes of `text`, starting at a whole character.
std::string_view tail(std::string_view text, std::size_t size) {
  text.remove_prefix(text.size() - size);
  while (!text.empty() && utf8_bytes(text) == 0) text.remove_prefix(1);
  return text;
}

/// Escapes a word for use between the quotes of $'...'.
std::string escaped_for_shell(const std::string& word) {
  std::string text;
  for (const char c : word) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = byte >= ' ' && byte < 0x7f && c != '\'' && c != '\\';
    text += plain ? std::string(1, c) : fmt::format("\\x{:02x}", byte);
  }
  return text;
}

}  // namespace

std::size_t utf8_bytes(std::string_view text) {
  for (std::size_t bytes = 1; bytes <= std::min<std::size_t>(4, text.size()); ++bytes) {
    if (utf8::is_valid(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(bytes))) return bytes;
  }
  return 0;
}

bool is_control(std::string_view character) {
  const char32_t c = code_point(character);
  return c < 0x20 || (c >= 0x7f && c < 0xa0) || (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

std::string printable(std::string_view text, std::size_t most) {
  std::string line;
  while (!text.empty()) {
    const std::size_t bytes = utf8_bytes(text);
    const std::string_view character = text.substr(0, bytes);
    if (bytes > 1 && is_control(character))
      line += fmt::format("\\u{:04x}", static_cast<unsigned>(code_point(character)));
    else if (bytes == 0 || is_control(character))
      line += escaped_byte(byte_of(text, 0));
    else
      line += character;
    text.remove_prefix(std::max<std::size_t>(bytes, 1));
  }
  if (line.size() <= most) return line;
  const std::size_t kept = most - std::min(most, kLeftOut.size());
  std::size_t begin = kept - kept / 4;
  while (begin > 0 && (line[begin] & 0xc0) == 0x80) --begin;
  return line.substr(0, begin) + std::string(kLeftOut) + std::string(tail(line, kept / 4));
}

std::string counted(std::size_t count, const std::string& noun) {
  const char* plural = noun.ends_with('s') ? "es" : "s";
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : plural);
}

std::string first_few(const std::vector<std::string>& texts, std::size_t most, const char* separator,
                      std::size_t beyond) {
  const std::size_t count = std::min(texts.size(), most), more = texts.size() - count + beyond;
  return fmt::format("{}{}", fmt::join(texts.begin(), texts.begin() + static_cast<std::ptrdiff_t>(count), separator),
                     more == 0 ? "" : fmt::format(" and {} more", more));
}

std::string shortest(double number) {
  std::array<char, 32> text{};
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), number).ptr};
}

bool is_utf8(std::string_view text) { return utf8::is_valid(text.begin(), text.end()); }

std::string shell_word(const std::string& word) {
  if (printable(word) != word) return "$'" + escaped_for_shell(word) + "'";
  const auto plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("-_./=,:+@%").find(c) != std::string_view::npos;
  };
  if (!word.empty() && std::all_of(word.begin(), word.end(), plain)) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string file_name(const std::string& text, std::size_t longest) {
  std::string name;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view character = rest.substr(0, std::max<std::size_t>(utf8_bytes(rest), 1));
    rest.remove_prefix(character.size());
    const bool is_kept = utf8_bytes(character) > 0 && may_be_in_file_name(code_point(character));
    const std::string_view next = is_kept ? character : "_";
    if (name.empty()) name = next == "." || next == "-" ? "_" : "";
    if (name.size() + next.size() > longest) break;
    if (is_kept || !name.ends_with('_')) name += next;
  }
  return name.empty() ? "_" : name;
}

}  // namespace elmx
