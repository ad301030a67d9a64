#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/config/json.hpp"
#include "table_formats/table.hpp"

namespace elmx {

struct TableFormat {
  const char* name;  ///< also the extension of its files
  const char* doc;
  std::string (*write)(const Table& table);
  bool marks_best;           ///< shows Cell::best
  const char* first = "";    ///< before several tables in one output
  const char* between = "";  ///< two of them
  const char* after = "\n";  ///< each
  const char* last = "";     ///< behind them all
};

/// All formats of tables: the one place where a format is added.
const std::vector<TableFormat>& table_formats();

/// Throws ConfigError with the nearest known name.
const TableFormat& find_table_format(const std::string& name);

/// FOLDER/tables/NAME.FORMAT.
std::filesystem::path table_file(const std::filesystem::path& folder, const Table& table, const std::string& format);

/// "tables/NAME.FORMAT" of every table in every format.
std::vector<std::string> table_names(const std::vector<Table>& tables);

/// Writes the files of every table in every format.
void write_tables(const std::filesystem::path& folder, const std::vector<Table>& tables);

/// Gives names of tables other texts, in every format. A change "HEADING=TEXT" names a column, a field that
/// heads rows, or a metric; "FIELD.VALUE=TEXT" names a value of a field, in its column or in the headings of
/// a pivot. Throws ConfigError: a name that no table has, with the nearest one; two columns that would have
/// one name.
void rename_in(std::vector<Table>& tables, const std::vector<std::string>& changes);

/// GitHub-flavoured markdown that is also readable in a terminal: columns padded, numbers to the right. A
/// footnote is marked [n] in its cell and stands below the table.
std::string to_markdown(const Table& table);

/// Comma-separated values (RFC 4180 quoting, lines end in \n) at full precision: a column with standard
/// deviations is followed by NAME_sd; footnotes stand in a last column "note". Title and remarks have no
/// place here. Texts are printable, and one that a spreadsheet would run as a formula, as "=1+1" or "@name",
/// begins with an apostrophe.
std::string to_csv(const Table& table);

/// One line of texts as they are, quoted where that is needed. What programs read back, predictions and
/// folds, is written with it alone: an apostrophe would make another class of a label.
std::string csv_line(const std::vector<std::string>& fields);

/// {"name", "title", "columns": [{"name", "heading"}], "rows": [{column name: cell}], "footnotes",
/// "remarks"} at full precision. A column of a pivot has "labels": [{"field", "value", "text"}] too. A cell
/// is a text, a number (null = NA, "inf" where infinite) or, in a column with standard deviations, {"mean",
/// "sd"}; a row with footnotes has their numbers under "notes": {column name: number}.
std::string to_json_text(const Table& table);

/// Such a table again, its numbers shown with four digits where they have more; none where the text is no
/// such table.
std::optional<Table> table_from_json_text(const std::string& text);

/// The value as text that is JSON whatever the bytes: what is no UTF-8 becomes U+FFFD, control characters are
/// escaped. `indent` as of Json::dump.
std::string json_text(const Json& json, int indent = -1);

/// The table for a page: a <div class="table"> of the table with its caption, its remarks and its footnotes.
/// Well-formed as XML too.
std::string to_html(const Table& table);

}  // namespace elmx
