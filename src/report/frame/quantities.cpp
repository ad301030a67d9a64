#include "report/frame/quantities.hpp"

#include <fmt/core.h>
#include <strings.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "base/error.hpp"
#include "base/numbers.hpp"
#include "metrics/formulas.hpp"
#include "models/trainer.hpp"

namespace elmx {
namespace {

Display display_of(const Metric& metric) {
  const MetricKind kind = metric.kind;
  const std::string_view name = metric.name;
  if (name.starts_with("chosen_") || name == "weight") return significant(2);     // not a count
  if (name == "average_accuracy" || name == "forgetting") return fixed_point(4);  // fractions
  if (kind == MetricKind::diagnostics) return scientific(1);
  if (kind == MetricKind::selection || kind == MetricKind::regression) return significant(4);
  return fixed_point(kind == MetricKind::classification ? 4 : 1);
}

/// Returns true if values of the metric change with the unit of the targets. Errors of a solution and of its
/// leave-one-out outputs are in the units in which the network is trained.
bool in_target_units(const Metric& metric) {
  if (metric.of_outputs == nullptr)
    return metric.kind == MetricKind::diagnostics || metric.kind == MetricKind::selection;
  const arma::mat T{1, 2, 4}, P{1, 3, 3};
  return metric.of_outputs(T.t(), P.t()).value != metric.of_outputs(2 * T.t(), 2 * P.t()).value;
}

void append_kind(MetricKind kind, const std::string& part, std::vector<Quantity>& all) {
  for (const Metric& metric : metrics()) {
    if (metric.kind != kind) continue;
    const std::string prefix = part.empty() ? "" : part + "_";
    const std::string before = part.empty() ? "" : part + " ";
    const std::string label = before + (metric.spelt_out != nullptr ? metric.spelt_out : metric.heading);
    all.push_back({prefix + metric.name, before + metric.heading, display_of(metric), metric.better, kind, label,
                   in_target_units(metric), kind == MetricKind::diagnostics});
  }
}

std::vector<Quantity> all_known() {
  std::vector<Quantity> all;
  for (const MetricKind kind : {MetricKind::diagnostics, MetricKind::selection}) append_kind(kind, "", all);
  for (const MetricKind kind : {MetricKind::regression, MetricKind::classification}) {
    for (const std::string part : {"test", "unlabelled", "train"}) append_kind(kind, part, all);
  }
  append_kind(MetricKind::structure, "", all);
  const auto add_time = [&](const char* name, const char* heading, const char* label) {
    all.push_back({name, heading, significant(3), Better::lower, std::nullopt, label, false, true});
  };
  add_time("step_seconds", "step (s)", "time of a step (s)");
  add_time("total_seconds", "total (s)", "training time (s)");
  add_time("test_seconds", "testing (s)", "testing time (s)");
  add_time("feature_seconds", "features (s)", "time of the random features (s)");
  return all;
}

/// Returns the pooled quantities that test parts determine: from confusion matrices, or means over samples.
std::vector<Quantity> all_pooled() {
  std::vector<Quantity> all;
  for (const MetricKind kind : {MetricKind::regression, MetricKind::classification}) append_kind(kind, "pooled", all);
  std::erase_if(all, [](const Quantity& quantity) {
    const std::string name = quantity.name.substr(kPooled.size());
    return name == "median_ae" || metric_named(name).of_scores != nullptr;
  });
  return all;
}

constexpr const char* kSeveralSets = "its trials are of several data sets";

bool of_one_data_set(const std::vector<RecordedStep>& steps) {
  return std::ranges::all_of(steps,
                             [&](const RecordedStep& one) { return one.record->dataset == steps[0].record->dataset; });
}

/// Returns "2 of 5 trials lack the numbers to pool", or "" if no trial lacks it.
template <class Has>
std::string lacking(const std::vector<RecordedStep>& steps, Has has) {
  const auto without = static_cast<std::size_t>(std::ranges::count_if(steps, std::not_fn(has)));
  return without == 0 ? "" : fmt::format("{} of {} trials lack the numbers to pool", without, steps.size());
}

double samples_of(const RecordedStep& one) { return static_cast<double>(one.record->test_part.samples); }

/// Returns the mean over all test samples of a metric that is itself a mean over samples.
Measured pooled_mean(const std::vector<RecordedStep>& steps, const std::string& metric) {
  const auto has = [&](const RecordedStep& one) { return samples_of(one) > 0 && value_of(one, metric); };
  if (const std::string note = lacking(steps, has); !note.empty()) return {nan, note};
  double sum = 0, samples = 0;
  for (const RecordedStep& one : steps) {
    sum += samples_of(one) * *value_of(one, metric);
    samples += samples_of(one);
  }
  return {sum / samples};
}

/// Returns 1 - MSE / variance about the mean of all test samples, averaged over the targets that vary.
Measured pooled_r2(const std::vector<RecordedStep>& steps) {
  const std::vector<TestPart::Target>& first = steps[0].record->test_part.targets;
  const auto has = [&](const RecordedStep& one) {
    return !first.empty() && one.record->test_part.targets.size() == first.size();
  };
  if (const std::string note = lacking(steps, has); !note.empty()) return {nan, note};
  double sum_of_r2 = 0, varying = 0;
  for (std::size_t j = 0; j < first.size(); ++j) {
    const Measured mse = pooled_mean(steps, "test_mse" + (first.size() > 1 ? "[" + first[j].name + "]" : ""));
    if (std::isnan(mse.value)) return mse;
    const auto target = [&](const RecordedStep& one) { return one.record->test_part.targets[j]; };
    double samples = 0, sum = 0, squares = 0, largest = 0;
    for (const RecordedStep& one : steps) {
      samples += samples_of(one);
      sum += samples_of(one) * target(one).mean;
    }
    for (const RecordedStep& one : steps) {
      squares += target(one).squares + samples_of(one) * std::pow(target(one).mean - sum / samples, 2);
      largest = std::max(largest, std::abs(target(one).mean));
    }
    const double rounding = 16 * std::numeric_limits<double>::epsilon() * largest;
    if (squares / samples <= rounding * rounding) continue;  // a constant target
    sum_of_r2 += 1 - mse.value / (squares / samples);
    ++varying;
  }
  if (varying == 0) return {nan, "the targets are constant"};
  const bool all = varying == static_cast<double>(first.size());
  return {sum_of_r2 / varying, all ? "" : "constant targets are left out of the average"};
}

}  // namespace

const std::vector<Quantity>& known_quantities() {
  static const std::vector<Quantity> known = all_known();
  return known;
}

const std::vector<Quantity>& pooled_quantities() {
  static const std::vector<Quantity> pooled = all_pooled();
  return pooled;
}

const std::vector<Quantity>& speed_up_quantities() {
  static const std::vector<Quantity> quantities = {
      {"step_speedup", "step speed-up", significant(3), Better::higher, std::nullopt, "step speed-up", false, true},
      {"total_speedup", "total speed-up", significant(3), Better::higher, std::nullopt, "total speed-up", false, true}};
  return quantities;
}

Quantity quantity_of(const std::string& name) {
  for (const auto* known : {&known_quantities(), &pooled_quantities(), &speed_up_quantities()}) {
    const auto found = std::ranges::find(*known, name, &Quantity::name);
    if (found != known->end()) return *found;
  }
  if (is_of_target(name)) {
    const std::string target = name.substr(std::min(name.find('['), name.size()));
    Quantity one = quantity_of(name.substr(0, name.size() - target.size()));
    for (std::string* text : {&one.name, &one.heading, &one.label}) *text += (text == &one.name ? "" : " ") + target;
    return one;
  }
  return {name, name, significant(4), std::nullopt, std::nullopt, name};
}

std::string meant_among(const std::string& name, const std::vector<std::string>& known) {
  if (std::ranges::count(known, name) > 0) return name;
  for (const std::string& meant : {"test_" + name, name}) {
    const auto found = std::ranges::find_if(
        known, [&](const std::string& one) { return ::strcasecmp(one.c_str(), meant.c_str()) == 0; });
    if (found != known.end()) return *found;
  }
  return "";
}

Quantity find_quantity(const std::string& name) {
  if (const std::size_t end = name.find('['); is_of_target(name) && end != std::string::npos)
    return quantity_of(find_quantity(name.substr(0, end)).name + name.substr(end));
  std::vector<std::string> known, shown;
  for (const Quantity& quantity : known_quantities()) {
    known.push_back(quantity.name);
    shown.push_back(quantity.name.starts_with("test_") && quantity.kind ? quantity.name.substr(5) : quantity.name);
  }
  if (const std::string meant = meant_among(name, known); !meant.empty()) return quantity_of(meant);
  throw ConfigError("--metric " + name, "unknown metric" + suggest(name, shown, "elmx list metrics"));
}

bool is_time(const std::string& quantity) {
  return std::ranges::any_of(known_quantities(),
                             [&](const Quantity& one) { return one.name == quantity && !one.kind; });
}

Cell summary_cell(const RecordRow& row, const std::string& quantity, Display display) {
  const Summary summary = summary_of(row, quantity);
  return spread_cell(summary.mean, summary.sd, display);
}

void append_interval(std::vector<Cell>& cells, const std::optional<Interval>& interval, Display display) {
  for (const double bound : {interval ? interval->low : nan, interval ? interval->high : nan})
    cells.push_back(number_cell(bound, display));
}

std::vector<std::string> quantities_in(const std::vector<RecordRow>& rows) {
  const auto same_name = [](const auto& a, const auto& b) { return a.first == b.first; };
  std::set<std::string> metrics, times;
  for (const RecordRow& row : rows) {
    const std::map<std::string, double>* before = nullptr;
    for (const RecordedStep& recorded : row.steps) {
      const auto& here = recorded.step->metrics;
      for (const auto& [name, why] : recorded.step->notes) {
        if (name != kWeights && name != kGraph && name != kRidge && name != kCause) metrics.insert(name);
      }
      if (before != nullptr && std::ranges::equal(*before, here, same_name)) continue;  // the usual case
      for (const auto& [name, value] : here) metrics.insert(name);
      before = &here;
    }
    for (const Quantity& quantity : known_quantities()) {
      if (!row.steps.empty() && !quantity.kind && value_of(row.steps.front(), quantity.name))
        times.insert(quantity.name);
    }
  }
  std::vector<std::string> names;
  for (const Quantity& quantity : known_quantities()) {
    if (metrics.erase(quantity.name) > 0 || times.count(quantity.name) > 0) names.push_back(quantity.name);
  }
  names.insert(names.end(), metrics.begin(), metrics.end());
  return names;
}

std::vector<Quantity> find_quantities(const std::vector<std::string>& names, const std::vector<std::string>& known) {
  std::vector<Quantity> found;
  for (const std::string& name : names) {
    const std::string meant = meant_among(name, known);
    if (meant.empty())
      throw ConfigError("--metric " + name, "the results do not have this metric" + suggest(name, known));
    found.push_back(quantity_of(meant));
  }
  return found;
}

PooledConfusion pooled_confusion(const std::vector<RecordedStep>& steps) {
  const std::vector<RecordedStep> distinct = observations(steps, "confusion");
  if (distinct.empty()) return {};
  if (!of_one_data_set(distinct)) return {{}, kSeveralSets};
  const std::size_t size = distinct[0].step->confusion.size();
  const auto has = [&](const RecordedStep& one) {
    return size > 0 && one.step->confusion.size() == size && samples_of(one) > 0;
  };
  if (const std::string note = lacking(distinct, has); !note.empty()) return {{}, note};
  arma::vec sum(size, arma::fill::zeros);
  for (const RecordedStep& one : distinct) sum += arma::conv_to<arma::vec>::from(one.step->confusion);
  const auto classes = static_cast<arma::uword>(std::lround(std::sqrt(static_cast<double>(size))));
  return {arma::reshape(sum, classes, classes).t(), ""};
}

Measured pooled_value(const RecordRow& row, const std::string& quantity) {
  const std::vector<RecordedStep>& steps = row.steps;
  const Metric& metric = metric_named(quantity.substr(kPooled.size()));
  if (steps.empty()) return {};
  if (metric.of_counts != nullptr) {
    const PooledConfusion all = pooled_confusion(steps);
    return all.C.is_empty() ? Measured{nan, all.note} : metric.of_counts({all.C, steps[0].record->test_part.positive});
  }
  if (!row.units.empty()) return {nan, "every training part scales the targets in its own way"};
  const std::vector<RecordedStep> distinct = observations(steps, quantity);
  if (!of_one_data_set(distinct)) return {nan, kSeveralSets};
  if (quantity == "pooled_r2") return pooled_r2(distinct);
  if (quantity == "pooled_mae") return pooled_mean(distinct, "test_mae");
  Measured mse = pooled_mean(distinct, "test_mse");
  if (quantity == "pooled_rmse") mse.value = std::sqrt(mse.value);
  return mse;
}

}  // namespace elmx
