#include "plots/convergence_plots.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "results/dimensions.hpp"

namespace elmx {
namespace {

struct TraceQuantity {
  const char* name;  ///< in StepRecord::trace
  const char* label;
  const char* moment;  ///< what the trace has one value of
  bool log;
  double most;  ///< none of them can be negative
};

/// What is plotted of the traces: one row a quantity.
constexpr TraceQuantity kQuantities[] = {
    {"train_loss", "training loss, mean over an epoch", "epoch", true, INFINITY},
    {"test_loss", "test loss", "epoch", true, INFINITY},
    {"test_acc", "test accuracy", "epoch", false, 1},
    {"objective", "objective", "iteration", true, INFINITY},
};

using Records = std::vector<const Record*>;
using Nodes = std::optional<arma::uword>;
using Sizes = std::set<Nodes>;

/// Training of one network, as far as it was traced.
struct Training {
  std::vector<double> trace;
  bool diverged = false;
  bool failed = false;
  bool thinned = false;  ///< its trace is left out, for it leaves iterations out
};

/// The trainings that a curve is the mean of: (sweep point, algorithm, nodes) in the order of the records.
struct Group {
  RecordRow row;  ///< none of its steps
  std::vector<Training> trainings;
};

/// Whether value i of the trace is that of iteration i + 1: it is as long as the training, unless that ended earlier.
bool one_value_an_iteration(const StepRecord& step, std::size_t values) {
  const bool ended = step.status != Status::ok && step.iterations > 0 && values + 1 >= step.iterations;
  const auto counted = step.metrics.find("iterations");
  const std::string ending = " at " + std::to_string(values);
  return values == step.iterations || ended || (step.method.size() >= ending.size() && step.method.ends_with(ending)) ||
         (counted != step.metrics.end() && counted->second == static_cast<double>(values));
}

Training training_of(const Record& record, const Nodes& nodes, const char* quantity) {
  Training training;
  training.failed = record.status != "ok";
  for (const StepRecord& step : record.steps) {
    if (nodes && step.nodes != *nodes) continue;
    training.diverged = training.diverged || step.status == Status::not_finite;
    const auto found = step.trace.find(quantity);
    if (found == step.trace.end() || found->second.size() <= training.trace.size()) continue;
    training.thinned = !one_value_an_iteration(step, found->second.size());
    if (!training.thinned) training.trace = found->second;
  }
  training.diverged = training.diverged || std::any_of(training.trace.begin(), training.trace.end(),
                                                       [](double v) { return !std::isfinite(v); });
  return training;
}

/// The sizes that the quantity was traced at; none where a record failed before.
Sizes sizes_in(const Record& record, const char* quantity) {
  Sizes sizes;
  for (const StepRecord& step : record.steps) {
    if (step.trace.count(quantity) > 0) sizes.insert(step.nodes);
  }
  return sizes;
}

std::vector<Group> groups_of(const Records& records, const char* quantity) {
  std::vector<Group> groups;
  for (auto begin = records.begin(); begin != records.end();) {
    const auto end = std::find_if(begin, records.end(), [&](const Record* r) {
      return r->algorithm != (*begin)->algorithm || r->point != (*begin)->point;
    });
    Sizes sizes;
    for (auto i = begin; i != end; ++i) sizes.merge(sizes_in(**i, quantity));
    const bool none_worked = std::none_of(begin, end, [](const Record* r) { return r->status == "ok"; });
    if (sizes.empty() && none_worked) sizes.insert(std::nullopt);
    for (const Nodes& nodes : sizes) {
      groups.push_back({row_of(**begin, nodes), {}});
      for (auto i = begin; i != end; ++i) groups.back().trainings.push_back(training_of(**i, nodes, quantity));
    }
    begin = end;
  }
  return groups;
}

/// What a training has at value i of its trace: one that converged before stays where it ended.
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
    const Summary summary = summary_of(values);
    points.push_back({static_cast<double>(i + 1), summary.mean, summary.sd, summary.n});
  }
  return points;
}

/// "diverged in 2 of 3, failed in 1 of 3, its trace leaves iterations out"; "" where all went well.
std::string losses(const std::vector<Training>& trainings) {
  const auto count = [&](const auto& what) { return std::count_if(trainings.begin(), trainings.end(), what); };
  std::string text;
  for (const auto& [what, number] :
       {std::pair("diverged", count([](const Training& t) { return t.diverged; })),
        std::pair("failed", count([](const Training& t) { return t.failed && !t.diverged; }))}) {
    if (number == 0) continue;
    text += (text.empty() ? "" : ", ") + std::string(what) + " in " + std::to_string(number) + " of " +
            std::to_string(trainings.size());
  }
  const bool thinned = std::ranges::any_of(trainings, [](const Training& t) { return t.thinned && t.trace.empty(); });
  return text + (!thinned ? "" : (text.empty() ? "" : ", ") + std::string("its trace leaves iterations out"));
}

/// "rls+m, k = 0.1, 20 nodes".
std::string name_of(const RecordRow& row, const Dimensions& dimensions, bool several_sizes) {
  std::string name = row.algorithm;
  for (const Trait& trait : traits_of(row, dimensions)) {
    if (several_sizes || trait.dimension->kind != DimensionKind::nodes) name += ", " + trait.text;
  }
  return name;
}

std::vector<Curve> curves_of(const std::vector<Group>& groups) {
  Sizes sizes;
  std::vector<RecordRow> rows;
  for (const Group& group : groups) {
    if (group.row.nodes) sizes.insert(group.row.nodes);
    rows.push_back(group.row);
  }
  const Dimensions dimensions(rows);
  std::vector<Curve> curves;
  for (const Group& group : groups) {
    Curve curve{name_of(group.row, dimensions, sizes.size() > 1), points_of(group.trainings)};
    const std::string lost = losses(group.trainings);
    if (curve.points.empty() && lost.empty()) continue;
    if (!lost.empty()) curve.name += " (" + lost + ")";
    curve.may_leave =
        std::any_of(group.trainings.begin(), group.trainings.end(), [](const Training& t) { return t.diverged; });
    curves.push_back(std::move(curve));
  }
  return curves;
}

bool shows_a_course(const std::vector<Curve>& curves) {
  return std::any_of(curves.begin(), curves.end(), [](const Curve& curve) {
    return std::count_if(curve.points.begin(), curve.points.end(), [](const CurvePoint& p) { return p.n > 0; }) > 1;
  });
}

}  // namespace

std::vector<Plot> convergence_plots(const Frame& frame, const std::string& prefix) {
  const std::vector<Record> records = frame.records();
  const Records all = sorted_records(records, frame.run().order);
  std::vector<Plot> plots;
  PlotNames names;
  for (auto begin = all.begin(); begin != all.end();) {
    const auto end = std::find_if(begin, all.end(), [&](const Record* r) {
      return r->experiment_case != (*begin)->experiment_case || r->dataset != (*begin)->dataset;
    });
    for (const TraceQuantity& quantity : kQuantities) {
      std::vector<Curve> curves = curves_of(groups_of({begin, end}, quantity.name));
      if (!shows_a_course(curves)) continue;
      const std::string title = plot_title((*begin)->experiment_case, (*begin)->dataset);
      const std::string name =
          file_name((prefix.empty() ? "" : prefix + "_") + file_name(title, 80) + "_" + quantity.name);
      plots.push_back({names(name),
                       title,
                       {quantity.moment, false, true},
                       {quantity.label, quantity.log, false, 0, quantity.most},
                       std::move(curves)});
      limit_points(plots.back());
    }
    begin = end;
  }
  return plots;
}

}  // namespace elmx
