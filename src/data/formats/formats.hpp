#pragma once

#include <string>
#include <vector>

namespace elmx {

struct Dataset;
struct Source;

/// A file format that data sets are read from.
struct DataFormat {
  std::string name;
  std::string doc;
  Dataset (*load)(const Source& source);
  std::vector<std::string> options;  ///< keys that not every format has; a format that does not have them refuses them

  bool has_option(const std::string& key) const;
};

/// Every format there is.
const std::vector<DataFormat>& data_formats();

/// The format of that name, one of the table.
const DataFormat& data_format(const std::string& name);

std::vector<std::string> data_format_names();

}  // namespace elmx
