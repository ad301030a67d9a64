#pragma once

#include <filesystem>
#include <string>
#include <vector>

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

/// The files of every table in every format.
void write_tables(const std::filesystem::path& folder, const std::vector<Table>& tables);

}  // namespace elmx
