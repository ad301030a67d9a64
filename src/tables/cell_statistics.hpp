#pragma once

#include <string>
#include <vector>

#include "results/quantities.hpp"

namespace elmx {

/// What a statistic says: a value that is better the better the quantity is; how far values are apart; how
/// many they are.
enum class StatisticKind { level, spread, count };

struct CellStatistic {
  const char* name;
  const char* heading;
  StatisticKind kind;
  const char* doc;
  /// `all` is the summary of `values`, of the measurements behind them in the case of step_seconds; there is
  /// a value.
  double (*of)(const Summary& all, const std::vector<double>& values, Better better);
  bool with_sd = false;  ///< the sample standard deviation stands beside it
};

/// All statistics of a cell: the one place where one is added.
const std::vector<CellStatistic>& cell_statistics();

/// Throws ConfigError with the nearest known name.
const CellStatistic& find_cell_statistic(const std::string& name);

/// The statistic of one quantity over the steps of `row`; NA where none has it. `digits` in place of those of
/// the quantity. A pooled quantity is one number without a spread.
Cell statistic_cell(const CellStatistic& statistic, const Quantity& quantity, const RecordRow& row,
                    std::optional<int> digits);

}  // namespace elmx
