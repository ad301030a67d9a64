#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace elmx {

/// JSON whose keys keep the order in which they were written.
using Json = nlohmann::ordered_json;

/// Parses JSON with // and /* */ comments. Throws ConfigError for malformed text, with line and column, and
/// for a duplicate key of an object, with its place. `origin` starts the messages.
Json parse_json(const std::string& text, const std::string& origin);

Json read_json_file(const std::filesystem::path& path);

/// Merges `over` into `base`: objects are merged key by key; all other values, including series (see
/// expand_series), are replaced.
void merge(Json& base, const Json& over);

/// Sets the value at "model.ridge" or "/model/ridge". The text after '=' is JSON, or otherwise a string.
/// Throws ConfigError.
void set_by_path(Json& config, const std::string& assignment);

/// Expands {"range": [first, last, step]} (the default step is 1) and {"logspace": [from, to, count]} (powers
/// of ten) to a list. Returns any other value unchanged.
Json expand_series(const Json& value, const std::string& place);

}  // namespace elmx
