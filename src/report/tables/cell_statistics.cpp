#include "report/tables/cell_statistics.hpp"

#include <algorithm>
#include <numeric>

#include "base/error.hpp"
#include "base/numbers.hpp"
#include "report/frame/quantities.hpp"

namespace elmx {
namespace {

using Numbers = std::vector<double>;

double mean(const Summary& all, const Numbers&, Better) { return all.mean; }
double sd(const Summary& all, const Numbers&, Better) { return all.sd; }
double count(const Summary&, const Numbers& values, Better) { return static_cast<double>(values.size()); }
double sum(const Summary&, const Numbers& values, Better) { return std::accumulate(values.begin(), values.end(), 0.0); }
template <int percent>
double quantile_at(const Summary&, const Numbers& values, Better) {
  return quantile(values, percent / 100.0);
}
double iqr(const Summary&, const Numbers& values, Better) { return quantile(values, 0.75) - quantile(values, 0.25); }
double best(const Summary&, const Numbers& values, Better better) {
  return quantile(values, better == Better::lower ? 0 : 1);
}

Display with_digits(Display display, int digits) {
  display.digits = display.notation == Display::Notation::scientific ? std::max(0, digits - 1) : digits;
  return display;
}

}  // namespace

const std::vector<CellStatistic>& cell_statistics() {
  using enum StatisticKind;
  static const std::vector<CellStatistic> statistics = {
      {"mean_sd", "mean ± sd", level, "mean and sample standard deviation", mean, true},
      {"mean", "mean", level, "mean", mean},
      {"sd", "sd", spread, "sample standard deviation", sd},
      {"median", "median", level, "median", quantile_at<50>},
      {"min", "min", level, "least value", quantile_at<0>},
      {"max", "max", level, "greatest value", quantile_at<100>},
      {"best", "best", level, "least or greatest value, as the metric has it", best},
      {"q25", "q25", level, "first quartile, by linear interpolation", quantile_at<25>},
      {"q75", "q75", level, "third quartile, by linear interpolation", quantile_at<75>},
      {"iqr", "iqr", spread, "third less first quartile", iqr},
      {"sum", "sum", level, "sum", sum},
      {"count", "count", StatisticKind::count, "number of values", ::elmx::count},
  };
  return statistics;
}

const CellStatistic& find_cell_statistic(const std::string& name) {
  return named_row(cell_statistics(), name, "--stat " + name, "unknown statistic");
}

Cell statistic_cell(const CellStatistic& statistic, const Quantity& quantity, const RecordRow& row,
                    std::optional<int> digits) {
  const bool counts = statistic.kind == StatisticKind::count;
  const Display display = digits ? with_digits(quantity.display, *digits) : quantity.display;
  if (is_pooled(quantity.name)) {
    const bool level = statistic.kind == StatisticKind::level;
    return number_cell(level ? pooled_value(row, quantity.name).value : nan, display);
  }
  std::vector<double> values;
  for (const RecordedStep& recorded : observations(row.steps, quantity.name)) {
    if (const auto value = value_of(recorded, quantity.name)) values.push_back(*value);
  }
  if (counts) return number_cell(row.trials() > 0 ? static_cast<double>(values.size()) : nan);
  if (values.empty()) return number_cell(nan, display);
  const Summary all = summary_of(row, quantity.name);
  const double value = statistic.of(all, values, quantity.better.value_or(Better::lower));
  return statistic.with_sd ? spread_cell(value, all.sd, display) : number_cell(value, display);
}

}  // namespace elmx
