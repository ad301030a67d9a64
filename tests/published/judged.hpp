#pragma once

#include <string>
#include <vector>

#include "base/config/fields.hpp"
#include "published/paper.hpp"
#include "support/records.hpp"

namespace elmx {

using Texts = std::vector<std::string>;

inline PaperComparison judged(const std::string& json, const std::string& table, const std::vector<Record>& records) {
  PaperOptions options;
  read_options(parse_json(json, "test"), "/paper", options);
  return compare_with_paper(options, parse_published(table, "test"), records);
}

inline Texts texts(const PaperComparison& comparison) {
  Texts all;
  for (const auto& row : comparison.table.rows) all.push_back(row.back().text);
  return all;
}

/// Adds one record per run of an algorithm with the metric m.
inline void add_runs(std::vector<Record>& records, const std::string& algorithm, const std::vector<double>& values,
                     const std::string& name = "set") {
  for (std::size_t run = 0; run < values.size(); ++run) {
    records.push_back(one_step_record(name, algorithm, 0, 3, {{"m", values[run]}}));
    records.back().repeat = run;
    records.back().key += std::to_string(run);
  }
}

}  // namespace elmx
