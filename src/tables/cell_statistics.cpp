#include "tables/cell_statistics.hpp"

#include <algorithm>
#include <numeric>

#include "base/named_row.hpp"
#include "base/nan.hpp"
#include "results/pooled.hpp"

namespace elmx {
namespace {

using Numbers = std::vector<double>;

double mean(const Summary& all, const Numbers&, Better) { return all.mean; }
double sd(const Summary& all, const Numbers&, Better) { return all.sd; }
double count(const Summary&, const Numbers& values, Better) { return static_cast<double>(values.size()); }
double sum(const Summary&, const Numbers& values, Better) { return std::accumulate(values.begin(), values.end(), 0.0); }
double least(const Summary&, const Numbers& values, Better) { return *std::min_element(values.begin(), values.end()); }
double most(const Summary&, const Numbers& values, Better) { return *std::max_element(values.begin(), values.end()); }
double q25(const Summary&, const Numbers& values, Better) { return quantile(values, 0.25); }
double median(const Summary&, const Numbers& values, Better) { return quantile(values, 0.5); }
double q75(const Summary&, const Numbers& values, Better) { return quantile(values, 0.75); }
double iqr(const Summary& all, const Numbers& values, Better better) {
  return q75(all, values, better) - q25(all, values, better);
}
double best(const Summary& all, const Numbers& values, Better better) {
  return better == Better::lower ? least(all, values, better) : most(all, values, better);
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
      {"median", "median", level, "median", median},
      {"min", "min", level, "least value", least},
      {"max", "max", level, "greatest value", most},
      {"best", "best", level, "least or greatest value, as the metric has it", best},
      {"q25", "q25", level, "first quartile, by linear interpolation", q25},
      {"q75", "q75", level, "third quartile, by linear interpolation", q75},
      {"iqr", "iqr", spread, "third less first quartile", iqr},
      {"sum", "sum", level, "sum", sum},
      {"count", "count", StatisticKind::count, "number of values", ::elmx::count},
  };
  return statistics;
}

const CellStatistic& find_cell_statistic(const std::string& name) {
  return named_row(cell_statistics(), name, "--stat " + name + ": no statistic");
}

Cell statistic_cell(const CellStatistic& statistic, const Quantity& quantity, const RecordRow& row,
                    std::optional<int> digits) {
  if (is_pooled(quantity.name)) {
    const bool level = statistic.kind == StatisticKind::level;
    return number_cell(level ? pooled_value(row.steps, quantity.name).value : nan,
                       digits ? with_digits(quantity.display, *digits) : quantity.display);
  }
  std::vector<double> values;
  for (const RecordedStep& recorded : observations(row.steps, quantity.name)) {
    if (const auto value = value_of(recorded, quantity.name)) values.push_back(*value);
  }
  const Display display = statistic.kind == StatisticKind::count ? Display{}
                          : digits                               ? with_digits(quantity.display, *digits)
                                                                 : quantity.display;
  const bool counts = statistic.kind == StatisticKind::count && row.trials() > 0;
  if (values.empty() && !counts) return number_cell(nan, display);
  const Summary all = summary_of(row, quantity.name);
  const double value = statistic.of(all, values, quantity.better.value_or(Better::lower));
  return statistic.with_sd ? spread_cell(value, all.sd, display) : number_cell(value, display);
}

}  // namespace elmx
