#pragma once

#include <string>

namespace elmx {

/// In single quotes where a shell would read more into it than its text.
std::string shell_word(const std::string& word);

}  // namespace elmx
