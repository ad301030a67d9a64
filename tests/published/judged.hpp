#pragma once

#include <string>
#include <vector>

#include "base/config/fields.hpp"
#include "base/files/files.hpp"
#include "published/paper.hpp"
#include "support/paths.hpp"
#include "support/records.hpp"

namespace elmx {

inline Json config_named(const std::string& file) {
  const auto path = source_dir() / "configs/paper" / file;
  return parse_json(read_file(path), path.string());
}

inline Published table_named(const std::string& file) { return read_published(source_dir() / "data/paper", {file}); }

/// Returns the records in `runs` (odd) repeats that differ by `part` of themselves, with unchanged means.
inline std::vector<Record> in_runs(const std::vector<Record>& records, arma::uword runs = 3, double part = 1e-6) {
  std::vector<Record> all;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const Record& record = records[i];
    for (arma::uword r = 0; r < runs; ++r) {
      // The difference of two records is another one in each run.
      const auto place = static_cast<double>((r + i) % runs);
      const double factor = 1 + part * (place - static_cast<double>(runs - 1) / 2);
      Record& run = all.emplace_back(record);
      run.repeat = record.repeat * runs + r;
      run.key += " " + std::to_string(r);
      for (StepRecord& step : run.steps) {
        for (auto& [name, value] : step.metrics) value *= factor;
        for (auto& [name, values] : step.trace) {
          for (double& value : values) value *= factor;
        }
        step.step.mean *= factor;
        step.total_seconds *= factor;
      }
    }
  }
  return all;
}

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
