#pragma once

#include <map>
#include <string>
#include <vector>

#include "experiment/config/spec.hpp"

namespace elmx {

/// The names of the data sets of an experiment in its results: the name of a set, or the shortest unique end
/// of the path of a file: "d.csv", or "A/d.csv" and "B/d.csv".
class DataNames {
 public:
  explicit DataNames(const std::vector<CaseSpec>& specs);

  const std::string& of(const DataOptions& data) const { return names_.at(key(data)); }

 private:
  static std::string key(const DataOptions& data);

  std::map<std::string, std::string> names_;
};

}  // namespace elmx
