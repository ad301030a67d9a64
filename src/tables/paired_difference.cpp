#include "tables/paired_difference.hpp"

#include <algorithm>
#include <cmath>

#include "statistics/ties.hpp"

namespace elmx {

PairedDifference paired_difference(const Comparison& comparison, const RecordRow& row, const MatchedSteps& steps,
                                   const std::string& metric) {
  const auto values = matched_values(steps, metric);
  std::vector<double> differences;
  for (std::size_t i = 0; i < values[0].size(); ++i) differences.push_back(values[1][i] - values[0][i]);
  const Summary d = summary_of(differences);
  Summary widened = d;  // as t_test sees it
  if (comparison.test->needs_split && d.n > 0)
    widened.sd *= std::sqrt(1 + static_cast<double>(d.n) * comparison.test_over_train(row));
  const std::vector<double> without_rounding = differences_of(values[0], values[1]);
  const bool alike = !without_rounding.empty() && without_rounding.front() != 0 &&
                     std::ranges::count(without_rounding, without_rounding.front()) == std::ssize(without_rounding);
  return {summary_of(values[0]), summary_of(values[1]), d,
          alike ? std::nullopt : interval_of_mean(widened, comparison.alpha),
          comparison.finding(row, values[0], values[1])};
}

}  // namespace elmx
