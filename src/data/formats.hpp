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
  /// Loads a data set. from_disk: the condition under which inputs stay in their file, if the format supports
  /// it.
  std::function<Dataset(const DataSource& source, const FromDisk& from_disk)> load;
  /// Keys of this format that not every format has; other formats refuse them.
  std::vector<std::string> options;
  /// File name extensions that select this format by default.
  std::vector<std::string> extensions = {};

  bool has_option(const std::string& key) const;
};

/// Returns all formats.
const std::vector<DataFormat>& data_formats();

/// Returns the format of that name, which must exist.
const DataFormat& data_format(const std::string& name);

/// Infers the format from the first bytes of a file's content, else from the extension of its name.
std::string format_of_content(std::string_view head, const std::filesystem::path& path);

/// Returns the format for the extension of a file name before .gz or .Z; delimited text for an unknown
/// extension.
const DataFormat& data_format_of(const std::filesystem::path& path);

}  // namespace elmx
