#include "data/content/bytes.hpp"

#include <fmt/core.h>

namespace elmx {

std::string hexadecimal(std::string_view bytes) {
  std::string text = "0x";
  for (const char byte : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return text;
}

}  // namespace elmx
