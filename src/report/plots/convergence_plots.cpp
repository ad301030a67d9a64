#include <fmt/format.h>

#include <cmath>
#include <map>
#include <set>

#include "report/frame/dimensions.hpp"
#include "report/plots/row_plots.hpp"

namespace elmx {
namespace {

struct TraceQuantity {
  const char* name;  ///< in StepRecord::trace
  const char* label;
  const char* moment;  ///< unit of the trace: one value per epoch or iteration
  bool log;
  double most;  ///< upper bound; the lower bound of all quantities is 0
};

/// The plotted quantities of the traces.
constexpr TraceQuantity kQuantities[] = {
    {"train_loss", "training loss, mean over an epoch", "epoch", true, INFINITY},
    {"test_loss", "test loss", "epoch", true, INFINITY},
    {"test_acc", "test accuracy", "epoch", false, 1},
    {"objective", "objective", "iteration", true, INFINITY},
};

/// The training of one network in one repeat and fold, as far as it was traced.
struct Training {
  std::vector<double> trace;
  bool diverged = false;
  bool failed = false;
  bool thinned = false;  ///< its trace is not used because it skips iterations
};

/// Returns true if value i of the trace belongs to iteration i + 1: the trace is as long as the training, or
/// the training ended early.
bool one_value_an_iteration(const StepRecord& step, std::size_t values) {
  const bool ended = step.status != Status::ok && step.iterations > 0 && values + 1 >= step.iterations;
  const auto counted = step.metrics.find("iterations");
  return values == step.iterations || ended || step.method.ends_with(fmt::format(" at {}", values)) ||
         (counted != step.metrics.end() && counted->second == static_cast<double>(values));
}

/// Adds a step to a training, which keeps the longest trace of its steps.
void add_step(Training& training, const StepRecord& step, const char* quantity) {
  training.diverged = training.diverged || step.status == Status::not_finite;
  const auto found = step.trace.find(quantity);
  if (found == step.trace.end() || found->second.size() <= training.trace.size()) return;
  training.thinned = !one_value_an_iteration(step, found->second.size());
  if (training.thinned) return;
  training.trace = found->second;
  training.diverged =
      training.diverged || !std::ranges::all_of(training.trace, [](double v) { return std::isfinite(v); });
}

/// Returns the trainings of the rows in the order of repeats and folds.
std::vector<Training> trainings_of(const std::vector<const RecordRow*>& rows, const char* quantity) {
  std::map<std::pair<arma::uword, arma::uword>, Training> trainings;
  const auto training_of = [&](const Record& record) -> Training& {
    Training& training = trainings[{record.repeat, record.fold}];
    training.failed = !record.status.ok();
    return training;
  };
  for (const RecordRow* row : rows) {
    for (const RecordedStep& recorded : row->steps) add_step(training_of(*recorded.record), *recorded.step, quantity);
    for (const RecordTrial& trial : row->failures) {
      Training& training = training_of(*trial.record);
      for (const StepRecord& step : trial.record->steps) {
        if (step.status != Status::ok && step.nodes == row->nodes) add_step(training, step, quantity);
      }
    }
  }
  std::vector<Training> all;
  for (auto& [place, training] : trainings) all.push_back(std::move(training));
  return all;
}

/// Returns value i of the trace of a training; a training that converged earlier keeps its last value.
double value_at(const Training& training, std::size_t i) {
  if (i < training.trace.size()) return training.trace[i];
  return training.trace.empty() || training.diverged || training.failed ? NAN : training.trace.back();
}

std::vector<CurvePoint> points_of(const std::vector<Training>& trainings) {
  std::size_t longest = 0;
  for (const Training& training : trainings) longest = std::max(longest, training.trace.size());
  std::vector<CurvePoint> points;
  for (std::size_t i = 0; i < longest; ++i) {
    std::vector<double> values;
    for (const Training& training : trainings) {
      if (const double value = value_at(training, i); std::isfinite(value)) values.push_back(value);
    }
    points.push_back(point_of(static_cast<double>(i + 1), summary_of(values)));
  }
  return points;
}

/// Returns a curve whose name ends in notes such as " (diverged in 2 of 3, failed in 1 of 3, its trace leaves
/// iterations out)". The curve has neither points nor notes if a working algorithm does not trace the
/// quantity.
Curve curve_of(const std::string& name, const std::vector<Training>& trainings) {
  const auto count = [&](const auto& what) { return std::ranges::count_if(trainings, what); };
  const auto diverged = count([](const Training&t) { return t.diverged; }),
             failed = count([](const Training&t) { return t.failed && !t.diverged; });
  const bool thinned = count([](const Training& t) { return t.thinned && t.trace.empty(); }) > 0;
  Curve curve{name, points_of(trainings), diverged > 0};
  if (curve.points.empty() && !thinned && diverged + failed < std::ssize(trainings)) return curve;
  std::vector<std::string> losses;
  if (diverged > 0) losses.push_back(fmt::format("diverged in {} of {}", diverged, trainings.size()));
  if (failed > 0) losses.push_back(fmt::format("failed in {} of {}", failed, trainings.size()));
  if (thinned) losses.emplace_back("its trace leaves iterations out");
  if (!losses.empty()) curve.name += fmt::format(" ({})", fmt::join(losses, ", "));
  return curve;
}

}  // namespace

std::vector<Plot> convergence_plots(const Frame& frame, const std::string& prefix) {
  std::vector<Plot> plots;
  std::set<std::string> names;
  for (const std::span<const RecordRow> of_set : by_data_set(frame.rows())) {
    const Dimensions dimensions(of_set);
    std::vector<const RecordRow*> shown;  // choices among sweep points repeat the steps of these
    for (const RecordRow& row : of_set) {
      if (row.over.empty() && !row.imported) shown.push_back(&row);
    }
    const std::vector<EntryRows> entries = by_entry(shown, dimensions, [](const Dimension& dimension) {
      return dimension.kind == DimensionKind::swept || dimension.kind == DimensionKind::nodes;
    });
    const std::string title = plot_title(of_set[0].experiment_case, of_set[0].dataset);
    for (const TraceQuantity& quantity : kQuantities) {
      std::vector<Curve> curves;
      for (const EntryRows& entry : entries) {
        const std::string name = entry.name();
        curves.push_back(curve_of(name, trainings_of(entry.rows, quantity.name)));
        if (curves.back().points.empty() && curves.back().name == name) curves.pop_back();
      }
      if (std::ranges::none_of(curves, [](const Curve& curve) { return curve.values() > 1; })) continue;
      const std::string name = (prefix.empty() ? "" : prefix + "_") + file_name(title, 80) + "_" + quantity.name;
      plots.push_back({unused_name(file_name(name), names),
                       title,
                       {quantity.moment, false, true},
                       {quantity.label, quantity.log, false, 0, quantity.most},
                       std::move(curves)});
      limit_points(plots.back());
    }
  }
  return plots;
}

}  // namespace elmx
