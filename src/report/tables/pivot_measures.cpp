#include "report/tables/pivot_measures.hpp"

#include <algorithm>
#include <numeric>

#include "base/numbers.hpp"
#include "report/frame/quantities.hpp"
#include "report/tables/speed_ups.hpp"

namespace elmx {
namespace {

using Numbers = std::vector<double>;

template <int percent>
double quantile_at(const Summary&, const Numbers& values, Better) {
  return quantile(values, percent / 100.0);
}

/// Returns all statistics of a cell. A new statistic is added here only.
const std::vector<CellStatistic>& cell_statistics() {
  using enum StatisticKind;
  const auto mean = [](const Summary& all, const Numbers&, Better) { return all.mean; };
  const auto sd = [](const Summary& all, const Numbers&, Better) { return all.sd; };
  const auto iqr = [](const Summary&, const Numbers& values, Better) {
    return quantile(values, 0.75) - quantile(values, 0.25);
  };
  const auto sum = [](const Summary&, const Numbers& values, Better) {
    return std::accumulate(values.begin(), values.end(), 0.0);
  };
  const auto best = [](const Summary&, const Numbers& values, Better better) {
    return quantile(values, better == Better::lower ? 0 : 1);
  };
  static const std::vector<CellStatistic> statistics = {
      {"mean_sd", level, mean},
      {"mean", level, mean},
      {"sd", spread, sd},
      {"median", level, quantile_at<50>},
      {"min", level, quantile_at<0>},
      {"max", level, quantile_at<100>},
      {"best", level, best},
      {"q25", level, quantile_at<25>},
      {"q75", level, quantile_at<75>},
      {"iqr", spread, iqr},
      {"sum", level, sum},
      {"count", count, nullptr},
  };
  return statistics;
}

Display with_digits(Display display, int digits) {
  display.digits = display.notation == Display::Notation::scientific ? std::max(0, digits - 1) : digits;
  return display;
}

/// Returns the quantity of that name: from the records, a pooled one, or a speed-up.
Quantity found_quantity(const std::string& name, const std::vector<RecordRow>& rows) {
  std::vector<std::string> known = quantities_in(rows);
  for (const auto* derived : {&speed_up_quantities(), &pooled_quantities()}) {
    for (const Quantity& one : *derived) {
      const bool pooled = is_pooled(one.name);
      const std::string from = pooled ? "test_" + one.name.substr(kPooled.size()) : time_of_speed_up(one.name);
      if (std::ranges::count(known, from) > 0) known.push_back(one.name);
    }
  }
  return find_quantities({name}, known)[0];
}

Quantity in_percent(Quantity quantity) {
  quantity.heading += " (%)";
  quantity.display.scale = 100;
  if (quantity.display.notation == Display::Notation::fixed)
    quantity.display.digits = std::max(0, quantity.display.digits - 2);
  return quantity;
}

void refuse_contradictions(const PivotOptions& options, const std::vector<Measure>& measures) {
  const auto refuse_unknown = [&](const std::string& option, const std::string& metric) {
    if (std::ranges::count(options.metrics, metric) == 0)
      throw ConfigError(option + " " + metric, "not in --metric" + suggest(metric, options.metrics));
  };
  for (const std::string& metric : options.percent) refuse_unknown("--percent", metric);
  for (const Condition& one : options.only) refuse_unknown("--only", one.field);
  if (options.best == BestBy::row && options.columns.empty())
    throw ConfigError("--best", "a row has only one value without --cols; use --best together with --cols");
  if (options.best == BestBy::column && options.rows.empty())
    throw ConfigError("--best-by column",
                      "a column has only one value without --rows; use --best-by column together with --rows");
  if (options.best && std::ranges::none_of(measures, &Measure::can_be_best))
    throw ConfigError("--best",
                      "no column says whether lower or higher is better; use --stat mean, median, ... of a metric of "
                      "`elmx list metrics`");
}

}  // namespace

const CellStatistic& find_cell_statistic(const std::string& name) {
  return named_row(cell_statistics(), name, "--stat " + name, "unknown statistic");
}

Cell statistic_cell(const CellStatistic& statistic, const Quantity& quantity, const RecordRow& row,
                    std::optional<int> digits) {
  const Display display = digits ? with_digits(quantity.display, *digits) : quantity.display;
  if (is_pooled(quantity.name))
    return number_cell(statistic.kind == StatisticKind::level ? pooled_value(row, quantity.name).value : nan, display);
  std::vector<double> values;
  for (const RecordedStep& recorded : observations(row.steps, quantity.name)) {
    if (const auto value = value_of(recorded, quantity.name)) values.push_back(*value);
  }
  if (statistic.kind == StatisticKind::count)
    return number_cell(row.trials() > 0 ? static_cast<double>(values.size()) : nan);
  if (values.empty()) return number_cell(nan, display);
  const Summary all = summary_of(row, quantity.name);
  const double value = statistic.of(all, values, quantity.better.value_or(Better::lower));
  return statistic.with_sd() ? spread_cell(value, all.sd, display) : number_cell(value, display);
}

PivotOptions with_full_names(PivotOptions options, const std::vector<RecordRow>& rows) {
  for (std::string& metric : options.metrics) metric = found_quantity(metric, rows).name;
  const auto complete = [&](std::string& name) {
    if (const std::string meant = meant_among(name, options.metrics); !meant.empty()) name = meant;
  };
  for (std::string& metric : options.percent) complete(metric);
  for (Condition& one : options.only) complete(one.field);
  return options;
}

std::vector<Measure> measures_of(const PivotOptions& options, const std::vector<RecordRow>& rows) {
  std::vector<Measure> measures;
  for (const std::string& metric : options.metrics) {
    Quantity quantity = found_quantity(metric, rows);
    if (std::ranges::count(options.percent, metric) > 0) {
      if (quantity.in_target_units || quantity.name.ends_with("_seconds") || is_speed_up(quantity.name))
        throw ConfigError("--percent " + metric, "expected a metric between 0 and 1, such as an accuracy");
      quantity = in_percent(quantity);
    }
    for (const std::string& name : options.statistics) {
      const Measure measure{quantity, &find_cell_statistic(name), metric, metric};
      const bool one_number = is_speed_up(quantity.name) || is_pooled(quantity.name);
      if (one_number && name != "mean_sd" && name != "mean")
        throw ConfigError("--stat " + name,
                          quantity.name + " is one number over all trials of a cell; use --stat mean");
      if (name == "best" && !quantity.better)
        throw ConfigError("--stat best",
                          "it is unknown whether a lower or higher " + quantity.name + " is better; use min or max");
      const bool over_each = is_speed_up(quantity.name) && options.references.size() > 1;
      for (std::size_t i = 0; i < (over_each ? options.references.size() : 1); ++i) {
        Measure& one = measures.emplace_back(measure);
        const std::string over = over_each ? " over " + options.references[i] : "";
        one.name += over;
        one.quantity.heading += over;
        one.reference = i;
      }
    }
  }
  refuse_contradictions(options, measures);
  return measures;
}

}  // namespace elmx
