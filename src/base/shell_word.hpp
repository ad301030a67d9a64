#pragma once

#include <string>

namespace elmx {

/// Quotes a word if a shell would interpret its characters.
std::string shell_word(const std::string& word);

}  // namespace elmx
