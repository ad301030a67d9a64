#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace elmx {

struct Dataset;
struct FromDisk;
struct Source;

/// A file format that data sets are read from.
struct DataFormat {
  std::string name;
  std::string doc;
  Dataset (*load)(const Source& source);
  std::vector<std::string> options;  ///< keys that not every format has; a format that does not have them refuses them
  std::vector<std::string> extensions = {};  ///< of files that are taken for this format where nothing is said
  /// with inputs that stay in their file; nothing where that is not wanted. Null: they cannot
  std::optional<Dataset> (*load_from_disk)(const Source& source, const FromDisk& from_disk) = nullptr;

  bool has_option(const std::string& key) const;
};

/// Every format there is.
const std::vector<DataFormat>& data_formats();

/// The format of that name, one of the table.
const DataFormat& data_format(const std::string& name);

std::vector<std::string> data_format_names();

/// The format that the end of a file's name says, before .gz or .Z; delimited text where it says none.
const DataFormat& data_format_of(const std::filesystem::path& path);

}  // namespace elmx
