#include "published/published.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "base/error.hpp"
#include "base/files/files.hpp"
#include "data/csv/fields.hpp"
#include "report/frame/dimensions.hpp"

namespace elmx {

Published parse_published(std::string_view text, const std::string& origin) {
  Published table;
  RowScanner rows(text, ',', '\n', 0, 1);
  while (rows.next_content("")) {
    const std::string place = origin + ":" + std::to_string(rows.line());
    if (rows.reached_end())
      throw DataError(place, "a quoted text does not end on its line; use \"...\" within one line");
    const auto& fields = rows.fields();
    if (table.columns.empty()) {
      table.columns.assign(fields.begin(), fields.end());
      continue;
    }
    if (fields.size() != table.columns.size())
      throw DataError(
          place, fmt::format("expected {} fields, as in the header, found {}", table.columns.size(), fields.size()));
    PublishedRow& row = table.rows.emplace_back();
    for (std::size_t j = 0; j < fields.size(); ++j) row[table.columns[j]] = fields[j];
  }
  if (table.rows.empty()) throw DataError(origin, "expected a header line and at least one row");
  return table;
}

Published read_published(const std::filesystem::path& folder, const std::vector<std::string>& files) {
  Published table;
  for (const std::string& name : files) {
    const std::filesystem::path file = folder / name;
    Published part = parse_published(read_file(file), file.string());
    if (!table.columns.empty() && part.columns != table.columns)
      throw DataError(file.string(), "expected the columns of " + (folder / files.front()).string());
    table.columns = std::move(part.columns);
    std::ranges::move(part.rows, std::back_inserter(table.rows));
  }
  return table;
}

const std::string& text_in(const PublishedRow& row, const std::string& column, const std::string& place) {
  const auto found = row.find(column);
  if (found != row.end()) return found->second;
  std::vector<std::string> columns;
  for (const auto& [name, text] : row) columns.push_back(name);
  throw ConfigError(place, "the published table has no column \"" + column + "\"" + suggest(column, columns));
}

std::string fill_in(const std::string& pattern, const PublishedRow& row, const std::string& place) {
  std::string out;
  for (std::size_t i = 0; i < pattern.size();) {
    const std::size_t close = pattern[i] == '{' ? pattern.find('}', i) : std::string::npos;
    if (close == std::string::npos) {
      out += pattern[i++];
    } else {
      out += text_in(row, pattern.substr(i + 1, close - i - 1), place);
      i = close + 1;
    }
  }
  return out;
}

bool matches(const Json& match, const PublishedRow& row, const std::string& place) {
  for (const auto& [column, wanted] : match.items()) {
    const std::string& text = text_in(row, column, place);
    const Json list = wanted.is_array() ? wanted : Json::array({wanted});
    if (std::ranges::none_of(list, [&](const Json& value) { return same_value(value, text); })) return false;
  }
  return true;
}

bool same_value(const Json& wanted, const std::string& text) {
  const std::string written = wanted.is_string() ? wanted.get<std::string>() : wanted.dump();
  const auto a = number_in(written), b = number_in(text);
  return a && b ? *a == *b : lower_case(written) == lower_case(text);
}

std::string lower_case(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

}  // namespace elmx
