#include "published/paper_match.hpp"

#include <algorithm>
#include <cmath>

#include "metrics/measurements.hpp"
#include "published/paper_relative.hpp"
#include "results/best_on_test.hpp"
#include "results/number.hpp"
#include "results/quantities.hpp"
#include "tables/speed_ups.hpp"

namespace elmx {
namespace {

using Rows = std::vector<RecordRow>;

/// What one published row asks of the run.
struct Wanted {
  std::string experiment_case;
  std::string dataset;
  std::string algorithm;
  std::optional<arma::uword> nodes;  ///< none: the largest reported, or the best
  bool best = false;
  std::optional<arma::uword> iterations;  ///< none: the most reported
  std::string published_metric;           ///< in lower case
  std::string metric;
  std::string statistic;
  std::string reference;  ///< algorithm that a speed-up is over, or that is to be reached
  std::map<std::string, std::string> point;
  std::string chosen;  ///< an algorithm without a grid has nothing to choose and fits too
};

/// The pattern filled in; "" stands for {column} where the table has it, else for `otherwise`.
std::string fill_in_or(const std::string& pattern, const std::string& column, const std::string& otherwise,
                       const PublishedRow& row, const std::string& place) {
  if (!pattern.empty()) return fill_in(pattern, row, place);
  const auto found = row.find(column);
  return found == row.end() ? otherwise : found->second;
}

std::string translated(const Json& names, const std::string& text) {
  for (const auto& [from, to] : names.items()) {
    if (lower_case(from) == lower_case(text)) return to.get<std::string>();
  }
  return text;
}

/// "500" or "60+3000"; none for "".
std::optional<arma::uword> sum_in(const std::string& text, const std::string& place) {
  if (text.empty()) return std::nullopt;
  double sum = 0;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('+', begin), text.size());
    const auto term = number_in(std::string_view(text).substr(begin, end - begin));
    if (!term || *term < 0) throw ConfigError(place + ": \"" + text + "\"; allowed: numbers, added with +");
    sum += *term;
    begin = end + 1;
  }
  return static_cast<arma::uword>(sum);
}

std::map<std::string, std::string> point_of(const Json& point, const PublishedRow& row, const std::string& place) {
  std::map<std::string, std::string> filled;
  for (const auto& [member, value] : point.items()) {
    filled[member] = fill_in(value.is_string() ? value.get<std::string>() : value.dump(), row, place);
  }
  return filled;
}

std::string chosen_by(const std::string& pattern, const PublishedRow& row, const std::string& place) {
  const std::string chosen = fill_in(pattern, row, place);
  return chosen.empty() ? kBestOnTest : chosen;
}

Wanted wanted_by(const PaperOptions& options, const PublishedRow& row) {
  Wanted wanted;
  wanted.experiment_case = fill_in(options.experiment_case, row, "/paper/case");
  wanted.dataset = fill_in(options.dataset, row, "/paper/dataset");
  wanted.algorithm = translated(options.algorithm_names,
                                fill_in_or(options.algorithm, "algorithm", "standard", row, "/paper/algorithm"));
  wanted.best = options.nodes == "best";
  if (!wanted.best) wanted.nodes = sum_in(fill_in_or(options.nodes, "nodes", "", row, "/paper/nodes"), "/paper/nodes");
  wanted.iterations =
      sum_in(fill_in_or(options.iterations, "iterations", "", row, "/paper/iterations"), "/paper/iterations");
  wanted.reference = translated(options.algorithm_names, fill_in(options.reference, row, "/paper/reference"));
  wanted.published_metric = lower_case(fill_in(options.metric, row, "/paper/metric"));
  wanted.metric = translated(options.metric_names, wanted.published_metric);
  wanted.statistic =
      translated(options.statistic_names, fill_in_or(options.statistic, "statistic", "mean", row, "/paper/statistic"));
  if (wanted.statistic != "mean" && wanted.statistic != "sd") {
    throw ConfigError("/paper/statistic_names: \"" + wanted.statistic + "\" is neither; allowed: mean, sd");
  }
  wanted.point = point_of(options.point, row, "/paper/point");
  wanted.chosen = chosen_by(options.chosen, row, "/paper/chosen");
  return wanted;
}

/// The same cell under the conditions of `beside`.
Wanted under(const PaperBeside& beside, Wanted wanted, const PublishedRow& row) {
  if (!beside.experiment_case.empty()) wanted.experiment_case = fill_in(beside.experiment_case, row, "/paper/beside");
  if (!beside.point.empty()) wanted.point = point_of(beside.point, row, "/paper/beside");
  if (!beside.chosen.empty()) wanted.chosen = chosen_by(beside.chosen, row, "/paper/beside");
  return wanted;
}

bool at_point(const RecordRow& row, const std::map<std::string, std::string>& point) {
  return std::all_of(point.begin(), point.end(), [&](const auto& entry) {
    const auto found = row.point.find(entry.first);
    return found != row.point.end() && same_value(found->second, entry.second);
  });
}

/// However its parameters were chosen.
bool is_of_cell(const RecordRow& row, const Wanted& wanted) {
  const std::string& name = row.experiment_case.empty() ? row.dataset : row.experiment_case;
  return lower_case(name) == lower_case(wanted.experiment_case) && row.algorithm == wanted.algorithm &&
         (wanted.dataset.empty() || lower_case(row.dataset) == lower_case(wanted.dataset)) &&
         (!wanted.nodes || row.nodes == wanted.nodes) && (!wanted.iterations || row.iterations == *wanted.iterations) &&
         at_point(row, wanted.point);
}

bool fits(const RecordRow& row, const Wanted& wanted) {
  return is_of_cell(row, wanted) && (row.chosen == wanted.chosen || row.chosen.empty());
}

void refuse_another(const RecordRow& found, const RecordRow& row, const Wanted& wanted) {
  if (found.dataset == row.dataset && found.point == row.point) return;
  throw ConfigError("/paper: case \"" + wanted.experiment_case + "\" with " + wanted.algorithm +
                    " was run on several data sets or sweep points; allowed: one, named by \"dataset\" and \"point\"");
}

/// The point that is best in the metric of the cell itself, of the largest size with the most iterations;
/// null without a grid.
const RecordRow* best_in_its_metric(const Rows& grids, const Wanted& wanted) {
  std::vector<const RecordRow*> points;
  for (const RecordRow& row : grids) {
    if (!is_of_cell(row, wanted)) continue;
    const auto size = [](const RecordRow& one) { return std::pair(one.nodes, one.iterations); };
    if (!points.empty()) refuse_another(*points[0], row, wanted);
    if (!points.empty() && size(row) < size(*points[0])) continue;
    if (!points.empty() && size(row) > size(*points[0])) points.clear();
    points.push_back(&row);
  }
  if (points.empty()) return nullptr;
  if (!quantity_of(wanted.metric).better || is_time(wanted.metric)) {
    throw ConfigError(std::string("/paper: \"") + kBestInItsMetric + "\" for " + wanted.metric +
                      "; allowed: for metrics of which one knows whether lower or higher is better");
  }
  return &best_point(points, wanted.metric);
}

/// The one row that `wanted` means; null where the run has none.
const RecordRow* find_row(const Rows& rows, const Rows& grids, const Wanted& wanted) {
  if (wanted.chosen == kBestInItsMetric) {
    if (const RecordRow* best = best_in_its_metric(grids, wanted)) return best;
  }
  const RecordRow* found = nullptr;
  for (const RecordRow& row : rows) {
    if (!fits(row, wanted)) continue;
    if (found != nullptr) refuse_another(*found, row, wanted);
    const auto better = [&] {
      if (row.chosen != found->chosen) return row.chosen == wanted.chosen;
      if (!wanted.best) return std::tie(row.nodes, row.iterations) > std::tie(found->nodes, found->iterations);
      const auto merit = [&](const RecordRow& size) {
        const Summary summary = summary_of(size, wanted.metric);
        return std::tuple(summary.n == size.trials(), summary.n > 0, summary.n > 0 ? summary.mean : 0);
      };
      return merit(row) > merit(*found);
    };
    if (found == nullptr || better()) found = &row;
  }
  return found;
}

/// Trials that succeeded and whose `metric` is larger than any number.
arma::uword too_large(const RecordRow& row, const std::string& metric) {
  return static_cast<arma::uword>(std::ranges::count_if(row.steps, [&](const RecordedStep& recorded) {
    const auto note = recorded.step->notes.find(metric);
    return note != recorded.step->notes.end() && note->second == kNotFinite;
  }));
}

/// With the trials that failed where it was measured; without a row, anywhere on their way.
Measurement with_failures(Measurement what, const Rows& rows, const Rows& grids, Wanted wanted) {
  const auto add = [&](const RecordRow& row) {
    what.failed = std::max(what.failed, row.failed_in_numbers() + too_large(row, wanted.metric));
    what.broken = std::max(what.broken, row.failed() - row.failed_in_numbers());
  };
  if (what.row != nullptr) {
    add(*what.row);
    return what;
  }
  const std::optional<arma::uword> nodes = wanted.nodes;
  wanted.iterations.reset();
  for (const Rows* some : {&rows, &grids}) {
    for (const RecordRow& row : *some) {
      wanted.nodes = row.nodes ? nodes : row.nodes;
      if (fits(row, wanted)) add(row);
    }
    if (wanted.chosen != kBestInItsMetric) break;
  }
  return what;
}

/// What `wanted` means in the records, with its value where they have it.
Measurement value_for(const Rows& rows, const Rows& grids, const Wanted& wanted) {
  const RecordRow* row = find_row(rows, grids, wanted);
  if (row == nullptr) return {};
  const bool mean = wanted.statistic == "mean";
  if (wanted.metric == "step_speedup" || wanted.metric == "total_speedup") {
    const std::string seconds = wanted.metric == "step_speedup" ? "step_seconds" : "total_seconds";
    const Measurement what{MeasuredKind::speed_up, seconds, row, counterpart(rows, *row, wanted.reference), nullptr};
    return mean ? with_value(what) : what;
  }
  if (wanted.metric == "epochs_to_reach") {
    const RecordRow* reference = counterpart(rows, *row, wanted.reference);
    const Measurement what{MeasuredKind::epochs_to_reach, "train_loss", row, reference, nullptr};
    return mean ? with_value(what) : what;
  }
  return with_value({mean ? MeasuredKind::mean : MeasuredKind::sd, wanted.metric, row, nullptr, nullptr});
}

Measurement measure(const Rows& rows, const Rows& grids, const Wanted& wanted) {
  return with_failures(value_for(rows, grids, wanted), rows, grids, wanted);
}

PaperRule rule_for(const PaperOptions& options, const PublishedRow& row, const Wanted& wanted) {
  for (const PaperRule& rule : options.rules) {
    const bool metric = rule.metrics.empty() || std::any_of(rule.metrics.begin(), rule.metrics.end(), [&](auto& name) {
                          return lower_case(name) == wanted.published_metric;
                        });
    const bool nodes = rule.nodes.empty() || (wanted.nodes && std::find(rule.nodes.begin(), rule.nodes.end(),
                                                                        *wanted.nodes) != rule.nodes.end());
    if (metric && nodes && matches(rule.match, row, "/paper/rules")) return rule;
  }
  return {};
}

Json key_of(const Wanted& wanted) {
  Json key = {wanted.experiment_case, wanted.dataset, wanted.published_metric, wanted.statistic, wanted.chosen};
  if (wanted.nodes) key.push_back(*wanted.nodes);
  return key;
}

/// The row without its value and its statistic: what a published mean and its deviation have in common.
PublishedRow cell_of(const PaperOptions& options, PublishedRow row) {
  row.erase(options.value);
  row.erase("statistic");
  return row;
}

/// The published standard deviations by cell_of, as printed; none where the options do not say of how many
/// runs.
std::map<PublishedRow, double> published_deviations(const PaperOptions& options, const Published& published) {
  std::map<PublishedRow, double> deviations;
  if (options.published_runs < 2) return deviations;
  for (const PublishedRow& row : published.rows) {
    const auto statistic = row.find("statistic");
    if (statistic == row.end() || translated(options.statistic_names, statistic->second) != "sd") continue;
    const auto sd = number_in(fill_in("{" + options.value + "}", row, "/paper/value"));
    if (sd && *sd > 0) deviations[cell_of(options, row)] = *sd;
  }
  return deviations;
}

}  // namespace

std::vector<PaperCell> match_cells(const PaperOptions& options, const Published& published,
                                   const std::vector<RecordRow>& rows, const std::vector<RecordRow>& grids,
                                   const SymbolicCells& symbols) {
  std::vector<PaperCell> cells;
  const std::map<PublishedRow, double> deviations = published_deviations(options, published);
  for (const PublishedRow& row : published.rows) {
    if (!matches(options.where, row, "/paper/where")) continue;
    const Wanted wanted = wanted_by(options, row);
    PaperCell cell;
    cell.row = &row;
    if (const auto table = row.find("table"); table != row.end()) cell.table = table->second;
    cell.group = Json({key_of(wanted), wanted.point}).dump();
    cell.grid = Json({key_of(wanted), wanted.algorithm}).dump();
    cell.series = wanted.published_metric + " " + wanted.statistic;
    cell.algorithm = wanted.algorithm;
    cell.rule = rule_for(options, row, wanted);
    cell.published_text = fill_in("{" + options.value + "}", row, "/paper/value");
    if (const auto number = number_in(cell.published_text)) cell.published = *number * cell.rule.scale;
    const auto deviation = deviations.find(cell_of(options, row));
    if (deviation != deviations.end() && wanted.statistic == "mean") {
      cell.published_sd = deviation->second * cell.rule.scale;
      cell.published_runs = options.published_runs;
    }
    cell.measured = measure(rows, grids, wanted);
    for (const PaperBeside& beside : options.beside)
      cell.beside.push_back(measure(rows, grids, under(beside, wanted, row)));
    const auto symbol = symbols.find({wanted.algorithm, wanted.metric});
    if (symbol != symbols.end()) cell.measured_text = symbol->second;
    cells.push_back(std::move(cell));
  }
  return relative_cells(std::move(cells));
}

}  // namespace elmx
