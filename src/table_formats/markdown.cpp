#include "table_formats/markdown.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace elmx {
namespace {

/// Characters, not bytes, of UTF-8: continuation bytes are 10xxxxxx.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

std::string cell_text(const Cell& cell) {
  const std::string mark = cell.best ? "**" : "";
  return mark + escaped(plain_text(cell)) + mark + (cell.note > 0 ? " [" + std::to_string(cell.note) + "]" : "");
}

std::string padded(const std::string& text, std::size_t columns, bool right) {
  const std::string blanks(columns - width(text), ' ');
  return right ? blanks + text : text + blanks;
}

}  // namespace

std::string to_markdown(const Table& whole) {
  const Table table = joined_rows(whole);
  std::vector<std::vector<std::string>> lines(1 + table.rows.size());
  for (const Column& column : table.columns) lines[0].push_back(escaped(column.heading));
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    expects(table.rows[i].size() == table.columns.size(), "to_markdown: one cell a column");
    for (const Cell& cell : table.rows[i]) lines[i + 1].push_back(cell_text(cell));
  }

  std::string rule = "|";
  for (std::size_t j = 0; j < table.columns.size(); ++j) {
    const bool right = is_numeric(table, j);
    std::size_t widest = 3;
    for (const auto& line : lines) widest = std::max(widest, width(line[j]));
    for (auto& line : lines) line[j] = padded(line[j], widest, right);
    rule += (right ? "-" : ":") + std::string(widest, '-') + (right ? ":|" : "-|");
  }

  std::string out = table.title.empty() ? "" : "### " + table.title + "\n\n";
  for (std::size_t i = 0; i < lines.size(); ++i) {
    out += "|";
    for (const std::string& text : lines[i]) out += " " + text + " |";
    out += "\n" + (i == 0 ? rule + "\n" : "");
  }
  if (!table.remarks.empty() || !table.footnotes.empty()) out += "\n";
  // Two blanks at the end: markdown's line break.
  for (const std::string& remark : table.remarks) out += remark + "  \n";
  for (std::size_t i = 0; i < table.footnotes.size(); ++i) {
    out += "[" + std::to_string(i + 1) + "] " + table.footnotes[i] + "  \n";
  }
  return out;
}

}  // namespace elmx
