#include <algorithm>
#include <cctype>
#include <string_view>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "report/formats/lines_of_text.hpp"
#include "report/formats/table_formats.hpp"

namespace elmx {
namespace {

bool is_one_of(char c, std::string_view characters) { return characters.find(c) != std::string_view::npos; }

/// Returns true if character i would be markup of CommonMark or of GitHub (tables, ~~, formulas).
bool is_markup(const std::string& text, std::size_t i) {
  const auto is_letter = [&](std::size_t at) {
    return at < text.size() && std::isalpha(static_cast<unsigned char>(text[at])) != 0;
  };
  const char next = i + 1 < text.size() ? text[i + 1] : '\0';
  if (is_one_of(text[i], "|`*~$")) return true;
  switch (text[i]) {
    case '\\':  // literal before other characters
      return next == '\0' || std::ispunct(static_cast<unsigned char>(next)) != 0;
    case '_':  // starts no emphasis within a word
      return i == 0 || std::isalnum(static_cast<unsigned char>(text[i - 1])) == 0;
    case '<':
      return is_letter(i + 1) || is_one_of(next, "/!?");
    case '&':
      return (is_letter(i + 1) || next == '#') && text.find(';', i) != std::string::npos;
    case ']':
      return next == '(';
    default:
      return false;
  }
}

/// Returns a text as one line of Markdown text. Characters that are not markup at their place stay readable
/// on a terminal, as in "test_acc" and "p < 0.05".
std::string escaped(const std::string& text) {
  const std::string line = printable(text);
  std::string out;
  for (std::size_t i = 0; i < line.size(); ++i) out += (is_markup(line, i) ? "\\" : "") + std::string(1, line[i]);
  return out;
}

/// Does the same at the beginning of a line: for headings, quotations, lists and links, too.
std::string escaped_line(const std::string& text) {
  std::string out = escaped(text);
  const std::size_t first = out.find_first_not_of(' ');
  if (first != std::string::npos && is_one_of(out[first], "#>+-=[")) out.insert(first, "\\");
  return out;
}

std::string cell_text(const Cell& cell) {
  const std::string mark = cell.best ? "**" : "";
  return mark + escaped(plain_text(cell)) + mark + (cell.note > 0 ? " [" + std::to_string(cell.note) + "]" : "");
}

}  // namespace

std::string to_markdown(const Table& table) {
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
    for (const auto& line : lines) widest = std::max(widest, display_width(line[j]));
    for (auto& line : lines) line[j].insert(right ? 0 : line[j].size(), widest - display_width(line[j]), ' ');
    rule += (right ? "-" : ":") + std::string(widest, '-') + (right ? ":|" : "-|");
  }

  std::string out = table.title.empty() ? "" : "### " + escaped(table.title) + "\n\n";
  for (std::size_t i = 0; i < lines.size(); ++i) {
    out += "|";
    for (const std::string& text : lines[i]) out += " " + text + " |";
    out += "\n" + (i == 0 ? rule + "\n" : "");
  }
  if (!table.remarks.empty() || !table.footnotes.empty()) out += "\n";
  // Two blanks at the end of a line are a line break in Markdown.
  for (const std::string& remark : table.remarks) out += escaped_line(remark) + "  \n";
  for (std::size_t i = 0; i < table.footnotes.size(); ++i) {
    out += "[" + std::to_string(i + 1) + "] " + escaped(table.footnotes[i]) + "  \n";
  }
  return out;
}

}  // namespace elmx
