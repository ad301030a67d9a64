#include "run/invocation.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "base/printable.hpp"

namespace elmx {
namespace {

/// What stands between the quotes of $'...'.
std::string escaped(const std::string& word) {
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
  if (printable(word) != word) return "$'" + escaped(word) + "'";
  const auto plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("-_./=,:+@%").find(c) != std::string_view::npos;
  };
  if (!word.empty() && std::all_of(word.begin(), word.end(), plain)) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string command_line(char** argv) {
  std::string command;
  for (char** word = argv; *word != nullptr; ++word) command += (command.empty() ? "" : " ") + shell_word(*word);
  return command;
}

Invocation invocation(const Common& common) {
  Invocation how;
  how.command = command_line(common.argv);
  std::error_code failed;
  const std::filesystem::path here = std::filesystem::current_path(failed);
  if (failed) throw ConfigError("the working folder: " + failed.message() + "; allowed: a folder that is there");
  how.folder = printable(here.string());
  how.data_folder = printable((here / common.data()).lexically_normal().string());
  return how;
}

}  // namespace elmx
