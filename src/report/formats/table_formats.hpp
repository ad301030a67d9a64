#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/config/json.hpp"
#include "report/formats/table.hpp"

namespace elmx {

struct TableFormat {
  const char* name;  ///< also the extension of its files
  const char* doc;
  std::string (*write)(const Table& table);
  bool marks_best;           ///< shows Cell::best
  const char* first = "";    ///< written before several tables in one output
  const char* between = "";  ///< written between two tables
  const char* after = "\n";  ///< written after each table
  const char* last = "";     ///< written after the last table
};

/// Returns all formats of tables. A new format is added here only.
const std::vector<TableFormat>& table_formats();

/// Throws ConfigError that suggests the nearest known name.
const TableFormat& find_table_format(const std::string& name);

/// Returns FOLDER/tables/NAME.FORMAT.
std::filesystem::path table_file(const std::filesystem::path& folder, const Table& table, const std::string& format);

/// Writes the files of every table in every format.
void write_tables(const std::filesystem::path& folder, const std::vector<Table>& tables);

/// Renames headings and values of tables, in every format. A change "HEADING=TEXT" renames a column, a field
/// that heads rows, or a metric; "FIELD.VALUE=TEXT" renames a value of a field, in its column or in the
/// headings of a pivot. Throws ConfigError if no table has the name (the message suggests the nearest one) or
/// two columns would get one name.
void rename_in(std::vector<Table>& tables, const std::vector<std::string>& changes);

/// Writes GitHub-flavoured Markdown that is also readable on a terminal: columns are padded, numbers aligned
/// to the right. A footnote is marked [n] in its cell and follows the table.
std::string to_markdown(const Table& table);

/// Writes comma-separated values (RFC 4180 quoting, lines end in \n) at full precision. A column with
/// standard deviations is followed by NAME_sd; footnotes are in a last column "note". Title and remarks are
/// left out. Texts are printable; an apostrophe precedes texts that a spreadsheet would run as a formula,
/// such as "=1+1" or "@name".
std::string to_csv(const Table& table);

/// Returns one line of unchanged texts, quoted if necessary. Use it for files that programs read back, such
/// as predictions and folds, because an added apostrophe would change a class label.
std::string csv_line(const std::vector<std::string>& fields);

/// Writes {"name", "title", "columns": [{"name", "heading"}], "rows": [{column name: cell}], "footnotes",
/// "remarks"} at full precision. A column of a pivot also has "labels": [{"field", "value", "text"}]. A cell
/// is a text, a number (null = NA, "inf" if infinite) or, in a column with standard deviations, {"mean",
/// "sd"}. A row with footnotes has their numbers under "notes": {column name: number}.
std::string to_json_text(const Table& table);

/// Reads such a table, or none from other texts; longer numbers are shown with four digits.
std::optional<Table> table_from_json_text(const std::string& text);

/// Returns the value as valid JSON for any bytes: invalid UTF-8 becomes U+FFFD, control characters are
/// escaped. `indent`: see Json::dump.
std::string json_text(const Json& json, int indent = -1);

/// Writes a table for a page: a <div class="table"> with the table, its caption, remarks and footnotes. A
/// wide table scrolls within the <div>. The output is also well-formed XML.
std::string to_html(const Table& table);

struct TerminalStyle {
  std::size_t width = 80;
  bool colour = false;     ///< use escape codes; without them the best is marked *
  std::string whole = {};  ///< location of the whole table: "all columns are in DIR/tables/time.csv"
};

/// Writes a table for a terminal: no line is wider than the terminal, columns are aligned, the best values
/// are highlighted. If the table is too wide
///
///     rows that begin with the same text become a block, if most blocks have several rows
///     values that all rows of a block share move to its heading; columns with only "-" or NA are left out
///     headings and texts are wrapped
///     columns that still do not fit are left out, the least important first, and named below
///
/// Control characters are escaped, so a name from a file cannot control the terminal.
std::string to_terminal(const Table& table, const TerminalStyle& style);

/// Replaces invalid UTF-8, control characters except \n and \t, and characters that XML forbids by U+FFFD.
std::string valid_text(std::string_view text);

/// Escapes & < > " ' in a valid text for element content or quoted attributes in HTML and XML.
std::string html_text(std::string_view text);

/// Returns "<p>content</p>"; content: HTML; `attributes` begins with a blank, " class=\"note\"".
std::string html_element(const std::string& name, const std::string& content, const std::string& attributes = "");

}  // namespace elmx
