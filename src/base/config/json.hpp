#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace elmx {

/// Keys keep the order in which they were written.
using Json = nlohmann::ordered_json;

/// Parses JSON with // and /* */ comments. Malformed text is refused with line and column, a key that stands
/// twice in one object with its place. `origin` is the name that messages begin with. Throws ConfigError.
Json parse_json(const std::string& text, const std::string& origin);

Json read_json_file(const std::filesystem::path& path);

/// Lays `over` upon `base`: objects are merged key by key, everything else (a series too: see expand_series)
/// is replaced.
void merge(Json& base, const Json& over);

/// Sets the value at "model.ridge" or "/model/ridge"; the text after '=' is JSON, or else a string. Throws
/// ConfigError.
void set_by_path(Json& config, const std::string& assignment);

/// {"range": [first, last, step]} (step 1 may be left out) and {"logspace": [from, to, count]} (powers of
/// ten) as a list; anything else is returned as it is.
Json expand_series(const Json& value, const std::string& place);

}  // namespace elmx
