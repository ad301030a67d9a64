#pragma once

#include <map>
#include <string>
#include <vector>

#include "experiment/config/spec.hpp"

namespace elmx {

/// What the data sets of an experiment are called in its results: a set by its name, a file by the shortest
/// end of its path that is the name of no other data set: "d.csv", or "A/d.csv" and "B/d.csv".
class DataNames {
 public:
  explicit DataNames(const std::vector<CaseSpec>& specs);

  const std::string& of(const DataOptions& data) const { return names_.at(key(data)); }

 private:
  static std::string key(const DataOptions& data);

  std::map<std::string, std::string> names_;
};

}  // namespace elmx
