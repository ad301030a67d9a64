#include "base/files/file_name.hpp"

namespace elmx {

std::string file_name(const std::string& text, std::size_t longest) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' || c == '-' ||
           c == '.';
  };
  std::string name;
  for (const char c : text) {
    const char next = plain(c) ? c : '_';
    if (next != '_' || name.empty() || name.back() != '_') name += next;
  }
  if (name.empty() || name.front() == '.' || name.front() == '-') name.insert(0, "_");
  return name.substr(0, longest);
}

}  // namespace elmx
