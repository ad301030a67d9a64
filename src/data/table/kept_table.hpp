#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "data/on_disk/array_rows.hpp"
#include "data/table/table.hpp"

namespace elmx {

/// The table of all files of a set, the rows of the training file first.
struct JoinedTable {
  RawTable table;
  std::size_t train_rows = 0;
};

/// Text of fewer bytes is read anew each time.
inline constexpr std::size_t kLargeText = std::size_t(16) << 20;

/// Where tables of large text files are kept in binary: $ELMX_CACHE, else $XDG_CACHE_HOME/elmx, else ~/.cache/elmx.
/// Empty: nowhere (ELMX_CACHE is set and empty, or there is no home).
std::filesystem::path folder_of_kept_tables();

/// The table that was kept under this key; nothing where there is none, or a damaged one.
std::optional<JoinedTable> kept_table(const std::string& key);

/// A kept table whose inputs stay in its file.
struct TableOnDisk {
  JoinedTable joined;  ///< its input columns have no values
  SharedFile file;
  std::vector<std::size_t> offsets;  ///< of the values of each input column, in the file
};

/// The same as kept_table, one pass over the file.
std::optional<TableOnDisk> kept_table_on_disk(const std::string& key);

/// Keeps it for the next run: one file, there as a whole or not at all. What has not been used for 30 days is removed.
/// Where this is not possible (no space, no permission), nothing is kept and nothing is said: only time is lost.
void keep_table(const JoinedTable& joined, const std::string& key);

/// Everything that the table of these files depends on: their checksums, how they are read, and the program itself.
std::string key_of_table(const std::vector<std::string>& checksums, const std::string& how);

}  // namespace elmx
