#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "experiment/records/record.hpp"

namespace elmx {

/// Records by key, for stacks to see what their members have chosen.
class FinishedTrials {
 public:
  explicit FinishedTrials(const std::vector<Record>& records) {
    for (const Record& record : records) by_key_.insert_or_assign(record.key, record);  // the last one counts
  }

  /// FoldTask::finished; valid as long as the object.
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
