#pragma once

#include <vector>

#include "experiment/records/record.hpp"

namespace elmx {

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

}  // namespace elmx
