#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
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

Json number_or_null(const std::optional<double>& value) {
  if (!value) return nullptr;
  return std::isfinite(*value) ? Json(*value) : Json(show(*value));
}

Json json_of(const Table& table, const std::vector<Cell>& row) {
  Json object = Json::object();
  Json notes = Json::object();
  for (std::size_t j = 0; j < row.size(); ++j) {
    const Cell& cell = row[j];
    Json& field = object[table.columns[j].name];
    if (cell.kind == Cell::Kind::text)
      field = cell.text;
    else if (has_sd(table, j))
      field = {{"mean", number_or_null(cell.value)}, {"sd", number_or_null(cell.sd)}};
    else
      field = number_or_null(cell.value);
    if (cell.note > 0) notes[table.columns[j].name] = cell.note;
  }
  if (!notes.empty()) object["notes"] = notes;
  return object;
}

/// Shows a number as papers print it if the computation gave more digits than are useful.
Display readable(double value) {
  if (show(value).size() <= 7) return Display{};
  return value != 0 && std::abs(value) < 1e-3 ? scientific(1) : significant(4);
}

double number_of(const Json& json) {
  return json.is_number() ? json.get<double>() : std::numeric_limits<double>::quiet_NaN();
}

Cell cell_of(const Json& field) {
  if (field.is_string()) return text_cell(field.get<std::string>());
  const double mean = number_of(field.is_object() ? field.at("mean") : field);
  return field.is_object() ? spread_cell(mean, number_of(field.at("sd")), significant(4))
                           : number_cell(mean, readable(mean));
}

Table table_of(const Json& json) {
  Table table{json.at("name"), json.at("title"), {}, {}, json.at("footnotes"), json.at("remarks")};
  for (const Json& column : json.at("columns")) {
    table.columns.push_back({column.at("name"), column.at("heading")});
    for (const Json& label : column.value("labels", Json::array()))
      table.columns.back().labels.push_back({label.at("field"), label.at("value"), label.at("text")});
  }
  for (const Json& row : json.at("rows")) {
    std::vector<Cell>& cells = table.rows.emplace_back();
    for (const Column& column : table.columns) cells.push_back(cell_of(row.at(column.name)));
    const Json notes = row.value("notes", Json::object());
    for (std::size_t j = 0; j < cells.size(); ++j) cells[j].note = notes.value(table.columns[j].name, std::size_t{0});
  }
  return table;
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

std::string json_text(const Json& json, int indent) {
  const std::string dumped = json.dump(indent, ' ', false, Json::error_handler_t::replace);
  std::string out;
  for (std::string_view text = dumped; !text.empty();) {
    const std::string_view character = text.substr(0, std::max<std::size_t>(1, utf8_bytes(text)));
    // Json::dump escapes ASCII control characters except DEL. Line feeds only separate values.
    if (character == "\x7f")
      out += "\\u007f";
    else if (character.size() > 1 && is_control(character))
      out += printable(character);
    else
      out += character;
    text.remove_prefix(character.size());
  }
  return out;
}

std::optional<Table> table_from_json_text(const std::string& text) {
  try {
    return table_of(Json::parse(text));
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

std::string to_json_text(const Table& table) {
  Json columns = Json::array();
  for (const Column& column : table.columns) {
    columns.push_back({{"name", column.name}, {"heading", column.heading}});
    if (column.labels.empty()) continue;
    Json& labels = columns.back()["labels"] = Json::array();
    for (const ColumnLabel& label : column.labels)
      labels.push_back({{"field", label.field}, {"value", label.value}, {"text", label.text}});
  }
  Json rows = Json::array();
  for (const auto& row : table.rows) rows.push_back(json_of(table, row));
  const Json json = {{"name", table.name}, {"title", table.title},         {"columns", columns},
                     {"rows", rows},       {"footnotes", table.footnotes}, {"remarks", table.remarks}};
  return json_text(json, 1) + "\n";
}

}  // namespace elmx
