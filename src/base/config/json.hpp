#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace elmx {

/// JSON whose keys keep the order in which they were written.
using Json = nlohmann::ordered_json;

/// Parses JSON with // and /* */ comments. Throws ConfigError for malformed text, with line and column, and
/// for a duplicate key of an object. The place of an error is `origin`, or `origin` and the key ("a.json:
/// model.ridge").
Json parse_json(const std::string& text, const std::string& origin);

Json read_json_file(const std::filesystem::path& path);

/// Merges `over` into `base`: objects are merged key by key; all other values, including series (see
/// expand_series), are replaced.
void merge(Json& base, const Json& over);

/// Sets the value at "model.ridge" or "/model/ridge". The text after '=' is JSON, or otherwise a string.
/// Returns the nested objects that hold this value alone. Throws ConfigError.
Json set_by_path(Json& config, const std::string& assignment);

/// Returns the longest leading part of a place ("/model/layers/0/kernel") that exists in the config. The
/// empty place "" is the whole config.
std::string existing_part(const Json& config, const std::string& place);

/// Returns a place as users see it: "model.layers[0].kernel" for "/model/layers/0/kernel".
std::string dotted(const std::string& place);

/// Expands {"range": [first, last, step]} (the default step is 1) and {"logspace": [from, to, count]} (powers
/// of ten) to a list. Returns any other value unchanged.
Json expand_series(const Json& value, const std::string& place);

/// Returns the text at a place ("/command/folder"), or "" if there is no text.
std::string text_in(const Json& value, const std::string& place);

/// Returns a count. Throws DataError for any value that is not a non-negative integer.
std::uint64_t count_from(const Json& value);

}  // namespace elmx
