#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace elmx {

struct Dataset;
struct FromDisk;
struct DataSource;

/// A file format that data sets are read from.
struct DataFormat {
  std::string name;
  std::string doc;
  /// from_disk: when inputs stay in their file, if the format has the option "from_disk"
  std::function<Dataset(const DataSource& source, const FromDisk& from_disk)> load;
  /// keys that not every format has; a format that does not have them refuses them
  std::vector<std::string> options;
  /// Endings of files that are taken for this format by default.
  std::vector<std::string> extensions = {};

  bool has_option(const std::string& key) const;
};

/// Every format there is.
const std::vector<DataFormat>& data_formats();

/// The format of that name, one of the table.
const DataFormat& data_format(const std::string& name);

std::vector<std::string> data_format_names();

/// The format that the first bytes of a file's content say, or else the end of its name.
std::string format_of_content(std::string_view head, const std::filesystem::path& path);

/// The format that the end of a file's name says, before .gz or .Z; delimited text where it says none.
const DataFormat& data_format_of(const std::filesystem::path& path);

}  // namespace elmx
