#include "table_formats/table_formats.hpp"

#include "base/files/fsio.hpp"
#include "base/files/own_files.hpp"
#include "base/named_row.hpp"
#include "table_formats/tex.hpp"

namespace elmx {

const std::vector<TableFormat>& table_formats() {
  static const std::vector<TableFormat> formats = {
      {"md", "markdown, aligned for a terminal", to_markdown, true},
      {"csv", "comma-separated values at full precision, standard deviations in columns of their own", to_csv, false},
      {"tex", "LaTeX for the booktabs package", to_tex, true},
      {"json", "JSON at full precision, several tables as one list", to_json_text, false, "[\n", ",\n", "", "]\n"},
      {"html", "HTML, a part of a page", to_html, true},
  };
  return formats;
}

const TableFormat& find_table_format(const std::string& name) {
  return named_row(table_formats(), name, "table format \"" + name + "\"");
}

std::filesystem::path table_file(const std::filesystem::path& folder, const Table& table, const std::string& format) {
  return folder / "tables" / (table.name + "." + format);
}

std::vector<std::string> table_names(const std::vector<Table>& tables) {
  std::vector<std::string> names;
  for (const Table& table : tables) {
    for (const TableFormat& format : table_formats()) names.push_back("tables/" + table.name + "." + format.name);
  }
  return names;
}

std::string label_in(const std::filesystem::path& folder, const Table& table) {
  const std::filesystem::path whole = std::filesystem::absolute(folder / "x").lexically_normal();
  return whole.parent_path().filename().string() + '-' + (table.label.empty() ? table.name : table.label);
}

void write_tables(const std::filesystem::path& folder, std::vector<Table> tables) {
  claim_files(folder, table_names(tables));
  for (Table& table : tables) {
    table.label = label_in(folder, table);
    for (const TableFormat& format : table_formats()) {
      update_file(table_file(folder, table, format.name), format.write(table));
    }
  }
}

}  // namespace elmx
