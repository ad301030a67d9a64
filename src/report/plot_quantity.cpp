#include "report/plot_quantity.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "metrics/registry.hpp"

namespace elmx {
namespace {

/// Abbreviations of the registry's headings, spelt out on an axis.
std::string spelt_out(const Metric& metric) {
  static const std::vector<std::pair<std::string, std::string>> words = {
      {"acc", "accuracy"}, {"sn", "sensitivity"}, {"pe", "precision"}, {"mcc", "Matthews correlation"}};
  const auto found = std::find_if(words.begin(), words.end(), [&](const auto& word) { return word.first == metric.name; });
  return found == words.end() ? metric.heading : found->second;
}

const std::vector<PlotQuantity>& times() {
  static const std::vector<PlotQuantity> quantities = {{"step_seconds", "time of a step (s)", significant(3), true},
                                                       {"total_seconds", "training time (s)", significant(3), true},
                                                       {"test_seconds", "testing time (s)", significant(3), true}};
  return quantities;
}

}  // namespace

std::vector<PlotQuantity> plot_quantities() {
  std::vector<PlotQuantity> quantities;
  for (const std::string part : {"test", "unlabelled", "train"}) {
    for (const Metric& metric : metrics()) {
      if (metric.kind != MetricKind::regression && metric.kind != MetricKind::classification) continue;
      const Display display = metric.kind == MetricKind::regression ? significant(4) : fixed_point(4);
      quantities.push_back({part + "_" + metric.name, part + " " + spelt_out(metric), display});
    }
  }
  for (const Metric& metric : metrics()) {
    if (metric.kind == MetricKind::ledger) quantities.push_back({metric.name, metric.heading, scientific(1), true});
    if (metric.kind == MetricKind::structure) quantities.push_back({metric.name, metric.heading, fixed_point(1)});
  }
  quantities.insert(quantities.end(), times().begin(), times().end());
  return quantities;
}

PlotQuantity find_plot_quantity(const std::string& name) {
  std::vector<std::string> known;
  for (const PlotQuantity& quantity : plot_quantities()) {
    if (quantity.name == name || quantity.name == "test_" + name) return quantity;
    known.push_back(quantity.name.starts_with("test_") && !is_time(quantity.name) ? quantity.name.substr(5) : quantity.name);
  }
  throw ConfigError("--metric \"" + name + "\": unknown" + suggest(name, known));
}

bool is_time(const std::string& quantity) {
  return std::any_of(times().begin(), times().end(), [&](const PlotQuantity& time) { return time.name == quantity; });
}

}  // namespace elmx
