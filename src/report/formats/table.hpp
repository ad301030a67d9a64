#pragma once

#include <optional>
#include <string>
#include <vector>

namespace elmx {

/// The format of a number for people; csv and json always have full precision.
struct Display {
  enum class Notation { shortest, significant, fixed, scientific };
  Notation notation = Notation::shortest;
  int digits = 0;    ///< significant: digits in all; fixed, scientific: digits after the point
  double scale = 1;  ///< factor of the shown number: 100 for percent
  bool operator==(const Display&) const = default;
};

Display significant(int digits);
Display fixed_point(int digits);
Display scientific(int digits);

/// Returns "0.1", "2.43" or "4.8e-02"; shortest is the shortest text that reads back as the same number.
std::string show(double value, Display display = {});

/// A text, a number, or mean +- standard deviation. A number that is not available is shown as NA.
struct Cell {
  enum class Kind { text, number };
  Kind kind = Kind::text;
  std::string text = {};             ///< text of a text cell
  std::optional<double> value = {};  ///< number of a number cell; none = NA
  std::optional<double> sd = {};
  Display display = {};
  std::size_t note = 0;  ///< number of its footnote, counted from 1; 0 = none
  bool best = false;     ///< bold in md and tex
};

Cell text_cell(std::string text);
/// Returns a number cell; NaN becomes NA.
Cell number_cell(double value, Display display = {});
/// Returns a cell with mean and standard deviation; a NaN mean becomes NA, a NaN sd is left out.
Cell spread_cell(double mean, double sd, Display display);

/// The priority of a column on a narrow terminal: row names, results, details, settings, others.
enum class Worth { name, result, detail, setting, rest };

/// One level of the heading of a column of a pivot, such as the value "alg1" of the field "algorithm".
struct ColumnLabel {
  std::string field, value;
  std::string text;  ///< text shown in tables; "" = not shown
};

struct Column {
  std::string name;     ///< name in csv and json
  std::string heading;  ///< in md, on terminals, and in tex and html if the column has no labels
  Worth worth = Worth::name;
  std::vector<ColumnLabel> labels = {};  ///< in a pivot: from the outermost group to the column itself
};

/// Returns the column under these labels: its name joins their values, its heading joins their texts.
Column labelled_column(std::vector<ColumnLabel> labels);

/// Neighbouring columns [first, end) under one heading.
struct HeadingSpan {
  std::string text;
  std::size_t first, end;
};

/// The width of a table on a two-column page: one column, both, or the smaller of these that fits.
enum class PageWidth { fitting, one_column, two_column };

struct Table {
  std::string name;  ///< name of its files
  std::string title;
  std::vector<Column> columns = {};
  std::vector<std::vector<Cell>> rows = {};
  std::vector<std::string> footnotes = {};  ///< numbered from 1, as the cells refer to them
  std::vector<std::string> remarks = {};    ///< lines below the table that belong to no cell
  /// too long for a terminal, where only the name of its file is printed
  bool only_in_file = false;
  std::string label = {};                     ///< label for \ref in tex; "" = the name
  PageWidth page_width = PageWidth::fitting;  ///< in tex
};

/// Returns the number of the footnote with this text, which is added if it is new; 0 for "".
std::size_t footnote(Table& table, const std::string& text);

/// Returns the number of a cell with its digits, or "NA" if it has none; the text of a text cell.
std::string mean_text(const Cell& cell);

/// Returns the cell as Markdown and terminals show it, without its footnote: "NA", "0.8645 ± 0.0021".
std::string plain_text(const Cell& cell);

/// Returns true if column j has only numbers and is therefore aligned to the right.
bool is_numeric(const Table& table, std::size_t j);

/// Returns the number of leading columns that name a row; 0 if no other column follows.
std::size_t row_heads(const Table& table);

/// Returns the lines of headings of `columns`, groups first. The last line has a heading for each column;
/// above a column without labels there are empty ones. `first` and `end` count within `columns`.
std::vector<std::vector<HeadingSpan>> heading_lines(const Table& table, const std::vector<std::size_t>& columns);

/// Returns true if a cell of column j has a standard deviation.
bool has_sd(const Table& table, std::size_t j);

}  // namespace elmx
