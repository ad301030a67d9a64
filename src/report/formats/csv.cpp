#include <charconv>
#include <set>
#include <string_view>

#include "base/printable.hpp"
#include "report/formats/table_formats.hpp"

namespace elmx {
namespace {

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

/// Returns true for signed numbers such as "-1" and "+.5e3".
bool is_signed_number(std::string_view text) {
  const std::string_view digits = text.substr(1);
  double value = 0;
  return (text[0] == '-' || text[0] == '+') &&
         std::string_view("0123456789.").find(digits[0]) != std::string_view::npos &&
         std::from_chars(digits.data(), digits.data() + digits.size(), value).ptr == digits.data() + digits.size();
}

/// Returns a text as printable text that no spreadsheet runs as a formula. A sign alone, which stands for
/// "none", and a number are not formulas.
std::string csv_text(const std::string& text) {
  const std::string shown = printable(text);
  const bool is_formula = shown.size() > 1 && std::string_view("=+-@").find(shown[0]) != std::string_view::npos;
  return (is_formula && !is_signed_number(shown) ? "'" : "") + shown;
}

std::string number(const std::optional<double>& value) { return value ? show(*value) : "NA"; }

/// Returns the footnotes of a row, each once.
std::string notes_of(const Table& table, const std::vector<Cell>& row) {
  std::set<std::size_t> seen{0};  // no footnote
  std::string notes;
  for (const Cell& cell : row) {
    if (seen.insert(cell.note).second) notes += (notes.empty() ? "" : "; ") + table.footnotes.at(cell.note - 1);
  }
  return notes;
}

}  // namespace

std::string csv_line(const std::vector<std::string>& fields) {
  std::string line;
  for (std::size_t j = 0; j < fields.size(); ++j) line += (j == 0 ? "" : ",") + quoted(fields[j]);
  return line + "\n";
}

std::string to_csv(const Table& table) {
  std::vector<std::string> fields;
  for (std::size_t j = 0; j < table.columns.size(); ++j) {
    fields.push_back(csv_text(table.columns[j].name));
    if (has_sd(table, j)) fields.push_back(csv_text(table.columns[j].name + "_sd"));
  }
  if (!table.footnotes.empty()) fields.push_back("note");

  std::string out = csv_line(fields);
  for (const auto& row : table.rows) {
    fields.clear();
    for (std::size_t j = 0; j < row.size(); ++j) {
      fields.push_back(row[j].kind == Cell::Kind::text ? csv_text(row[j].text) : number(row[j].value));
      if (has_sd(table, j)) fields.push_back(number(row[j].sd));
    }
    if (!table.footnotes.empty()) fields.push_back(csv_text(notes_of(table, row)));
    out += csv_line(fields);
  }
  return out;
}

}  // namespace elmx
