#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/config/json.hpp"

namespace elmx {

/// One observation: column -> text as printed.
using PublishedRow = std::map<std::string, std::string>;

/// A published table, one observation per row.
struct Published {
  std::vector<std::string> columns;
  std::vector<PublishedRow> rows;
};

/// Parses comma-separated values with a header line; fields may be in double quotes. Throws DataError
/// with the place "origin:line".
Published parse_published(std::string_view text, const std::string& origin);
/// Reads the rows of all files of a folder, one after another. Throws DataError if their columns differ.
Published read_published(const std::filesystem::path& folder, const std::vector<std::string>& files);

/// Returns the text in a column. Throws ConfigError if the column is unknown.
const std::string& text_in(const PublishedRow& row, const std::string& column, const std::string& place);

/// Fills columns into a pattern, "{dataset} {activation}". Throws ConfigError if a column is unknown.
std::string fill_in(const std::string& pattern, const PublishedRow& row, const std::string& place);

/// Returns true if every column in `match` has the given value, or one of a list of values. Numbers compare
/// as numbers, texts without case. Throws ConfigError if a column is unknown.
bool matches(const Json& match, const PublishedRow& row, const std::string& place);

/// Compares `wanted` (a text or a number) with a printed text: numbers as numbers, texts without case.
bool same_value(const Json& wanted, const std::string& text);

std::string lower_case(std::string text);

}  // namespace elmx
