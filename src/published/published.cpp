#include "published/published.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/files/fsio.hpp"
#include "results/number.hpp"

namespace elmx {
namespace {

/// The fields of one line; `open` is left true where a quote is not closed.
std::vector<std::string> fields_of(std::string_view line, bool& open) {
  std::vector<std::string> fields(1);
  open = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool doubled = open && line[i] == '"' && i + 1 < line.size() && line[i + 1] == '"';
    if (doubled) {
      fields.back() += line[i++];
    } else if (line[i] == '"') {
      open = !open;
    } else if (line[i] == ',' && !open) {
      fields.emplace_back();
    } else {
      fields.back() += line[i];
    }
  }
  return fields;
}

std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

const std::string& column_of(const PublishedRow& row, const std::string& column, const std::string& place) {
  const auto found = row.find(column);
  if (found != row.end()) return found->second;
  std::vector<std::string> columns;
  for (const auto& [name, text] : row) columns.push_back(name);
  throw ConfigError(place + ": the published table has no column \"" + column + "\"" + suggest(column, columns));
}

}  // namespace

Published parse_published(std::string_view text, const std::string& origin) {
  Published table;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::string_view line = take_line(text);
    if (line.empty()) continue;
    bool open = false;
    const std::vector<std::string> fields = fields_of(line, open);
    const std::string place = origin + ": line " + std::to_string(number) + ": ";
    if (open) throw DataError(place + "a quote is not closed; allowed: \"...\" within one line");
    if (table.columns.empty()) {
      table.columns = fields;
      continue;
    }
    if (fields.size() != table.columns.size()) {
      throw DataError(place + std::to_string(fields.size()) +
                      " fields; allowed: " + std::to_string(table.columns.size()) + ", as in the header");
    }
    PublishedRow& row = table.rows.emplace_back();
    for (std::size_t j = 0; j < fields.size(); ++j) row[table.columns[j]] = fields[j];
  }
  if (table.rows.empty()) throw DataError(origin + ": no rows; allowed: a header line and at least one row");
  return table;
}

Published read_published(const std::filesystem::path& path) { return parse_published(read_file(path), path.string()); }

std::string fill_in(const std::string& pattern, const PublishedRow& row, const std::string& place) {
  std::string out;
  for (std::size_t i = 0; i < pattern.size();) {
    const std::size_t close = pattern[i] == '{' ? pattern.find('}', i) : std::string::npos;
    if (close == std::string::npos) {
      out += pattern[i++];
    } else {
      out += column_of(row, pattern.substr(i + 1, close - i - 1), place);
      i = close + 1;
    }
  }
  return out;
}

bool matches(const Json& match, const PublishedRow& row, const std::string& place) {
  for (const auto& [column, wanted] : match.items()) {
    const std::string& text = column_of(row, column, place);
    const Json list = wanted.is_array() ? wanted : Json::array({wanted});
    if (std::none_of(list.begin(), list.end(), [&](const Json& value) { return same_value(value, text); }))
      return false;
  }
  return true;
}

bool same_value(const Json& wanted, const std::string& text) {
  const std::string written = wanted.is_string() ? wanted.get<std::string>() : wanted.dump();
  const auto a = number_in(written);
  const auto b = number_in(text);
  return a && b ? *a == *b : lower_case(written) == lower_case(text);
}

std::string lower_case(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

}  // namespace elmx
