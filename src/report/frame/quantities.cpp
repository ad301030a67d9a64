#include "report/frame/quantities.hpp"

#include <algorithm>
#include <set>

#include "base/error.hpp"
#include "models/trainer.hpp"

namespace elmx {
namespace {

Display display_of(const Metric& metric) {
  const MetricKind kind = metric.kind;
  const std::string_view name = metric.name;
  if (name.starts_with("chosen_") || name == "weight") return significant(2);  // not a count
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

}  // namespace

const std::vector<Quantity>& known_quantities() {
  static const std::vector<Quantity> known = all_known();
  return known;
}

const std::vector<Quantity>& pooled_quantities() {
  static const std::vector<Quantity> pooled = all_pooled();
  return pooled;
}

Quantity quantity_of(const std::string& name) {
  for (const auto* known : {&known_quantities(), &pooled_quantities()}) {
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

Quantity find_quantity(const std::string& name) {
  if (const std::size_t end = name.find('['); is_of_target(name) && end != std::string::npos)
    return quantity_of(find_quantity(name.substr(0, end)).name + name.substr(end));
  std::vector<std::string> known;
  for (const Quantity& quantity : known_quantities()) {
    if (quantity.name == name || quantity.name == "test_" + name) return quantity;
    known.push_back(quantity.name.starts_with("test_") && quantity.kind ? quantity.name.substr(5) : quantity.name);
  }
  throw ConfigError("--metric " + name, "unknown metric" + suggest(name, known, "elmx list metrics"));
}

bool is_time(const std::string& quantity) {
  return std::ranges::any_of(known_quantities(),
                             [&](const Quantity& one) { return one.name == quantity && !one.kind; });
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
    if (std::ranges::count(known, name) == 0)
      throw ConfigError("--metric " + name, "not in the records" + suggest(name, known));
    found.push_back(quantity_of(name));
  }
  return found;
}

}  // namespace elmx
