#include "published/paper_cells.hpp"

#include <algorithm>
#include <sstream>

#include "report/frame/dimensions.hpp"
#include "report/tables/speed_ups.hpp"

namespace elmx {
namespace {

using Rows = std::vector<RecordRow>;

std::string translated(const Json& names, const std::string& text) {
  for (const auto& [from, to] : names.items()) {
    if (lower_case(from) == lower_case(text)) return to.get<std::string>();
  }
  return text;
}

/// Returns the filled-in pattern; for "" the value of the column, or `otherwise` if there is none.
std::string fill_in_or(const std::string& pattern, const std::string& column, const std::string& otherwise,
                       const PublishedRow& row) {
  if (!pattern.empty()) return fill_in(pattern, row, "/paper/" + column);
  const auto found = row.find(column);
  return found == row.end() ? otherwise : found->second;
}

/// Returns the sum in a text such as "500" or "60+3000"; none for "".
std::optional<std::size_t> sum_in(const std::string& text, const std::string& place) {
  if (text.empty()) return std::nullopt;
  double sum = 0;
  std::istringstream terms(text);
  for (std::string term; std::getline(terms, term, '+');) {
    const auto number = number_in(term);
    if (!number || *number < 0)
      throw ConfigError(place, "expected numbers that are added with +, found \"" + text + "\"");
    sum += *number;
  }
  return static_cast<std::size_t>(sum);
}

/// Returns an object with its values filled in from the row.
std::map<std::string, std::string> filled_in(const Json& object, const PublishedRow& row, const std::string& place) {
  require_object(object, place);
  std::map<std::string, std::string> filled;
  for (const auto& [member, value] : object.items())
    filled[member] = fill_in(value.is_string() ? value.get<std::string>() : value.dump(), row, place);
  return filled;
}

std::string statistic_of(const PublishedRow& row) {
  const std::string name = lower_case(fill_in_or("", "statistic", "mean", row));
  if (name == "mean") return name;
  if (name == "sd" || name == "std" || name == "variance") return "sd";
  throw ConfigError("/paper/published", "expected the statistic mean, sd, std or variance, found \"" + name + "\"");
}

PaperQuestion question_of(const PaperOptions& options, const PublishedRow& row) {
  PaperQuestion asked;
  const auto algorithm = [&](const std::string& name) { return translated(options.algorithm_names, name); };
  asked.experiment_case = fill_in(options.experiment_case, row, "/paper/case");
  asked.algorithm = algorithm(fill_in_or(options.algorithm, "algorithm", "standard", row));
  asked.best_size = options.nodes == "best";
  if (!asked.best_size) asked.nodes = sum_in(fill_in_or(options.nodes, "nodes", "", row), "/paper/nodes");
  asked.iterations = sum_in(fill_in_or("", "iterations", "", row), "/paper/iterations");
  asked.reference = algorithm(fill_in(options.reference, row, "/paper/reference"));
  asked.published_metric = lower_case(fill_in(options.metric, row, "/paper/metric"));
  asked.metric = translated(options.metric_names, asked.published_metric);
  asked.statistic = statistic_of(row);
  asked.point = filled_in(options.point, row, "/paper/point");
  asked.chosen = kBestOnTest;
  return asked;
}

/// Returns the same question under the conditions of `beside`.
PaperQuestion under(const PaperBeside& beside, PaperQuestion asked, const PublishedRow& row) {
  auto point = filled_in(beside.point, row, "/paper/beside");
  if (!point.empty()) asked.point = std::move(point);
  if (const std::string chosen = fill_in(beside.chosen, row, "/paper/beside"); !chosen.empty()) asked.chosen = chosen;
  return asked;
}

bool fits(const RecordRow& row, const PaperQuestion& asked) {
  const auto at = [&](const auto& entry) {
    const auto found = row.point.find(entry.first);
    return found != row.point.end() && same_value(found->second, entry.second);
  };
  const std::string& name = row.experiment_case.empty() ? row.dataset : row.experiment_case;
  return lower_case(name) == lower_case(asked.experiment_case) && row.algorithm == asked.algorithm &&
         (!asked.nodes || row.nodes == asked.nodes) && (!asked.iterations || row.iterations == *asked.iterations) &&
         std::ranges::all_of(asked.point, at) && (row.chosen == asked.chosen || row.chosen.empty());
}

void refuse_another(const RecordRow& found, const RecordRow& row, const PaperQuestion& asked) {
  if (found.dataset == row.dataset && found.point == row.point) return;
  throw ConfigError("/paper", "case \"" + asked.experiment_case + "\" with " + asked.algorithm +
                                  " was run on several data sets or sweep points; name one of them with \"case\" and "
                                  "\"point\"");
}

/// Returns the row that answers the question; null if the run has none.
const RecordRow* find_row(const Rows& rows, const PaperQuestion& asked) {
  const RecordRow* found = nullptr;
  for (const RecordRow& row : rows) {
    if (!fits(row, asked)) continue;
    if (found != nullptr) refuse_another(*found, row, asked);
    const auto better = [&] {
      if (row.chosen != found->chosen) return row.chosen == asked.chosen;
      if (!asked.best_size) return std::tie(row.nodes, row.iterations) > std::tie(found->nodes, found->iterations);
      const auto merit = [&](const RecordRow& size) {
        const Summary summary = summary_of(size, asked.metric);
        return std::tuple(summary.n == size.trials(), summary.n > 0, summary.n > 0 ? summary.mean : 0);
      };
      return merit(row) > merit(*found);
    };
    if (found == nullptr || better()) found = &row;
  }
  return found;
}

/// Adds the trials that failed at the measured row; without a row, those that failed anywhere.
Measurement with_failures(Measurement what, const Rows& rows, PaperQuestion asked) {
  const auto add = [&](const RecordRow& row) {
    const auto too_large = std::ranges::count_if(row.steps, [&](const RecordedStep& recorded) {
      const auto note = recorded.step->notes.find(asked.metric);
      return note != recorded.step->notes.end() && note->second == kNotFinite;
    });
    const auto numeric = std::ranges::count_if(
        row.failures, [](const RecordTrial& trial) { return trial.status.kind == TrialStatus::Kind::numeric; });
    what.failed = std::max(what.failed, static_cast<std::size_t>(numeric + too_large));
    what.broken = std::max(what.broken, row.failed() - static_cast<std::size_t>(numeric));
  };
  if (what.row != nullptr) {
    add(*what.row);
    return what;
  }
  const std::optional<std::size_t> nodes = asked.nodes;
  asked.iterations.reset();
  for (const RecordRow& row : rows) {
    asked.nodes = row.nodes ? nodes : row.nodes;
    if (fits(row, asked)) add(row);
  }
  return what;
}

/// Returns the measurement that answers the question, with the failed trials.
Measurement measure(const Rows& rows, const SpeedUps& speed_ups, const PaperQuestion& asked) {
  Measurement what;
  what.row = find_row(rows, asked);
  if (what.row != nullptr) {
    const bool mean = asked.statistic == "mean", speed_up = is_speed_up(asked.metric),
               epochs = asked.metric == "epochs_to_reach";
    what.quantity = speed_up ? time_of_speed_up(asked.metric) : epochs ? "train_loss" : asked.metric;
    what.kind = speed_up ? MeasuredKind::speed_up
                : epochs ? MeasuredKind::epochs_to_reach
                : mean   ? MeasuredKind::mean
                         : MeasuredKind::sd;
    if (speed_up || epochs) what.reference = speed_ups.counterpart(*what.row, asked.reference);
    if (mean || what.kind == MeasuredKind::sd) what = with_value(what);
  }
  return with_failures(std::move(what), rows, asked);
}

/// Returns the published mean in the row times the scale; none if its spread or the number of runs is
/// unknown.
std::optional<KnownMean> known_mean(const PaperOptions& options, const Published& published, const PublishedRow& row,
                                    double scale) {
  const auto mean = number_in(row.at(options.value));
  if (!mean || options.published_runs < 2 || statistic_of(row) != "mean") return std::nullopt;
  for (const PublishedRow& other : published.rows) {
    if (statistic_of(other) != "sd") continue;
    PublishedRow same = other;
    for (const std::string& column : {options.value, std::string("statistic")}) same[column] = row.at(column);
    const auto sd = number_in(other.at(options.value));
    if (same == row && sd && *sd > 0)
      return KnownMean{*mean * scale, *sd * scale, options.published_runs, options.published_spread != "folds"};
  }
  return std::nullopt;
}

bool is_scaled_down(const PaperOptions& options, const PublishedRow& row) {
  const Json& which = options.scaled_down;
  if (which.is_boolean()) return which.get<bool>();
  const std::string place = "/paper/scaled_down";
  require_object(which, place);
  return matches(which, row, place);
}

/// Returns the cell named by the relative_to of the rule of `cell`.
const PaperCell& base_of(const PaperCell& cell, const std::vector<PaperCell>& cells) {
  const std::string place = "/paper/rules";
  const Json match = filled_in(cell.rule.relative_to, *cell.row, place);
  std::vector<const PaperCell*> found;
  for (const PaperCell& other : cells) {
    if (other.asked.published_metric == cell.asked.published_metric && other.asked.statistic == cell.asked.statistic &&
        matches(match, *other.row, place))
      found.push_back(&other);
  }
  if (found.size() == 1) return *found[0];
  throw ConfigError(place, "relative_to " + match.dump() + " must match exactly one cell of " +
                               cell.asked.published_metric + ", found " + std::to_string(found.size()));
}

}  // namespace

const PaperRule* rule_for(const PaperOptions& options, const PublishedRow& row) {
  const auto found = std::ranges::find_if(
      options.rules, [&](const PaperRule& rule) { return matches(rule.match, row, "/paper/rules"); });
  return found == options.rules.end() ? nullptr : &*found;
}

std::vector<RecordRow> rows_over_settings(const std::vector<RecordRow>& rows, const std::vector<std::string>& places) {
  using Point = std::map<std::string, Json>;
  std::map<Point, std::size_t> settings;  // the values of the places -> their number
  std::size_t folds = 1;
  const auto setting_of = [&](const RecordRow& row) {
    Point setting = row.point;
    std::erase_if(setting, [&](const auto& entry) { return !std::ranges::count(places, entry.first); });
    return setting;
  };
  for (const RecordRow& row : rows) {
    settings.try_emplace(setting_of(row), settings.size());
    for (const RecordedStep& step : row.steps) folds = std::max(folds, step.fold + 1);
  }
  std::vector<RecordRow> means;
  for (const RecordRow& row : rows) {
    const Point setting = setting_of(row);
    if (places.empty() || setting.size() < places.size()) continue;
    RecordRow mean = row;
    for (const std::string& place : places) mean.point[place] = "all";
    for (RecordedStep& step : mean.steps) step.fold += folds * settings.at(setting);
    const auto identity = [](const RecordRow& one) {
      return std::tie(one.experiment_case, one.dataset, one.point, one.nodes, one.algorithm, one.iterations,
                      one.chosen);
    };
    const auto known = std::ranges::find(means, identity(mean), identity);
    if (known == means.end()) {
      means.push_back(std::move(mean));
      continue;
    }
    known->steps.insert(known->steps.end(), mean.steps.begin(), mean.steps.end());
    known->failures.insert(known->failures.end(), mean.failures.begin(), mean.failures.end());
  }
  for (RecordRow& mean : means) {
    mean.parameters.clear();
    std::ranges::sort(mean.steps, {}, [](const RecordedStep& step) { return std::pair(step.repeat, step.fold); });
  }
  return means;
}

std::vector<PaperCell> match_cells(const PaperOptions& options, const Published& published,
                                   const std::vector<RecordRow>& rows, const SymbolicCells& symbols) {
  std::vector<PaperCell> cells;
  const SpeedUps speed_ups(rows, {});
  for (const PublishedRow& row : published.rows) {
    if (!matches(options.where, row, "/paper/where")) continue;
    PaperCell& cell = cells.emplace_back();
    cell.row = &row;
    cell.table = fill_in_or("", "table", "", row);
    cell.asked = question_of(options, row);
    if (const PaperRule* rule = rule_for(options, row)) cell.rule = *rule;
    cell.scaled_down = is_scaled_down(options, row);
    cell.published_text = text_in(row, options.value, "/paper/value");
    if (const auto number = number_in(cell.published_text)) cell.published = *number * cell.rule.scale;
    cell.known = known_mean(options, published, row, cell.rule.scale);
    cell.measured = measure(rows, speed_ups, cell.asked);
    for (const PaperBeside& beside : options.beside)
      cell.beside.push_back(measure(rows, speed_ups, under(beside, cell.asked, row)));
    const auto symbol = symbols.find({cell.asked.algorithm, cell.asked.metric});
    if (symbol != symbols.end()) cell.measured_text = symbol->second;
  }
  const std::vector<PaperCell> undivided = cells;
  for (PaperCell& cell : cells) {
    if (cell.rule.relative_to.empty()) continue;
    const PaperCell& base = base_of(cell, undivided);
    const bool both = cell.published && base.published && *base.published != 0;
    cell.published = both ? std::optional(*cell.published / *base.published) : std::nullopt;
    cell.measured = quotient(cell.measured, base.measured);
    for (std::size_t i = 0; i < cell.beside.size(); ++i) cell.beside[i] = quotient(cell.beside[i], base.beside[i]);
  }
  return cells;
}

}  // namespace elmx
