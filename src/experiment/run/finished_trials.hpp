#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "experiment/records/record.hpp"

namespace elmx {

/// Records by key, from which stacks read the choices of their members.
class FinishedTrials {
 public:
  explicit FinishedTrials(const std::vector<Record>& records) {
    for (const Record& record : records) by_key_.insert_or_assign(record.key, record);  // the last wins
  }

  /// Returns the function for FoldTask::finished, which is valid as long as the object.
  std::function<const Record*(const std::string&)> finder() const {
    return [this](const std::string& key) -> const Record* {
      const auto found = by_key_.find(key);
      return found == by_key_.end() ? nullptr : &found->second;
    };
  }

 private:
  std::map<std::string, Record> by_key_;
};

}  // namespace elmx
