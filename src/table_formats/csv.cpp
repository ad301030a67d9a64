#include "table_formats/csv.hpp"

#include <algorithm>

namespace elmx {
namespace {

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

std::string number(const std::optional<double>& value) { return value ? show(*value) : "NA"; }

/// The footnotes of a row, each once.
std::string notes_of(const Table& table, const std::vector<Cell>& row) {
  std::vector<std::size_t> seen;
  std::string notes;
  for (const Cell& cell : row) {
    if (cell.note == 0 || std::find(seen.begin(), seen.end(), cell.note) != seen.end()) continue;
    seen.push_back(cell.note);
    notes += (notes.empty() ? "" : "; ") + table.footnotes.at(cell.note - 1);
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
    fields.push_back(table.columns[j].name);
    if (has_sd(table, j)) fields.push_back(table.columns[j].name + "_sd");
  }
  if (!table.footnotes.empty()) fields.push_back("note");

  std::string out = csv_line(fields);
  for (const auto& row : table.rows) {
    fields.clear();
    for (std::size_t j = 0; j < row.size(); ++j) {
      fields.push_back(row[j].kind == Cell::Kind::text ? row[j].text : number(row[j].value));
      if (has_sd(table, j)) fields.push_back(number(row[j].sd));
    }
    if (!table.footnotes.empty()) fields.push_back(notes_of(table, row));
    out += csv_line(fields);
  }
  return out;
}

}  // namespace elmx
