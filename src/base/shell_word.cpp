#include "base/shell_word.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "base/printable.hpp"

namespace elmx {
namespace {

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

}  // namespace elmx
