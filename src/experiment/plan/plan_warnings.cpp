#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "base/printable.hpp"
#include "experiment/plan/plan.hpp"

namespace elmx {
namespace {

/// Adds a warning about a case once.
void add(const CaseSpec& spec, const std::string& text, std::vector<std::string>& warnings) {
  const std::string whole = (spec.name.empty() ? "" : "case \"" + spec.name + "\": ") + text;
  if (!text.empty() && std::ranges::count(warnings, whole) == 0) warnings.push_back(whole);
}

/// Returns true if the data or their order determine all parts.
bool is_fixed(const SplitOptions& split) {
  return split.kind == "time_series" || split.kind == "given" || split.kind == "leave_one_group_out" ||
         (split.kind == "fixed" && !split.train_samples && !split.test_samples);
}

/// Warns if every repeat has the same parts for any data, and draws no random numbers for its networks.
std::string about_repeats(const CaseSpec& spec) {
  const SplitOptions& split = spec.options.split;
  const bool same = split.kind == "one_holdout" || !split.shuffle || (!split.validate && is_fixed(split));
  if (spec.options.repeats < 2 || spec.family->can.random || !same) return "";
  return fmt::format(
      "repeats: {} repeats of the same \"{}\" split give the same results, because family \"{}\" draws no random "
      "numbers. Use 1",
      spec.options.repeats, split.kind, spec.family->name);
}

std::string about_choice(const CaseSpec& spec) {
  const ExperimentOptions& options = spec.options;
  if (!options.select.wanted() || spec.members) return "";  // its members choose
  std::vector<std::string> without;
  for (const std::string& name : spec.model->algorithms) {
    if (!spec.model->solves_ridge_problem(name)) without.push_back(name);
  }
  if (without.empty()) return "";
  return fmt::format(
      "select.by: {} has no \"{}\", which only minimisers of the ridge problem have. Nothing is chosen for it, and "
      "tables show the point that is best on the test part (optimistic)",
      fmt::join(without, ", "), options.select.by);
}

/// Warns if "stratified": true has no effect on this kind of split.
std::string about_strata(const SplitOptions& split) {
  const bool asked = split.given.is_object() && split.given.value("stratified", Json()) == true;
  if (!asked || !is_fixed(split)) return "";
  return fmt::format("split.stratified: has no effect with kind \"{}\"", split.kind);
}

void add_config_warnings(const CaseSpec& spec, std::vector<std::string>& warnings) {
  add(spec, about_repeats(spec), warnings);
  add(spec, about_choice(spec), warnings);
  add(spec, about_strata(spec.options.split), warnings);
}

/// Warns of classes without a sample in some test parts.
std::string about_classes(const PlannedCase& planned) {
  const Dataset& data = *planned.data;
  if (data.task == Task::regression) return "";
  std::size_t all = 0, lacking = 0;
  std::set<arma::uword> classes;
  for (const std::vector<Fold>& folds : planned.folds) {
    for (const Fold& fold : folds) {
      std::vector<bool> there(data.classes.size(), false);
      for (const arma::uword row : fold.test) there[data.labels(row)] = true;
      const auto missing = static_cast<std::size_t>(std::ranges::count(there, false));
      for (std::size_t k = 0; k < there.size(); ++k) {
        if (!there[k]) classes.insert(k);
      }
      lacking += missing > 0;
      ++all;
    }
  }
  if (lacking == 0) return "";
  std::vector<std::string> names;
  for (const arma::uword k : classes) names.push_back('"' + data.classes[k] + '"');
  return fmt::format(
      "{}: {} of {} lack samples of a class ({}). Averages over classes (BAC, macro-F1, G-mean, SN, PE) leave "
      "them out",
      data.name, lacking, counted(all, "test part"), first_few(names, 3));
}

/// Warns of unscaled inputs that saturate hidden nodes. Skips inputs on disk.
std::string about_raw_inputs(const PlannedCase& planned) {
  constexpr double kLarge = 1e3;
  const Dataset& data = *planned.data;
  const Family& family = *planned.spec().family;
  const bool layers = family.can.states;  // a deep network, whose first layer may take word indices
  if (planned.spec().members) return "";  // the members of a stack scale their inputs themselves
  if (planned.spec().options.preprocess.inputs != "none" || !family.can.random || layers || data.X.is_empty())
    return "";
  const double largest = arma::abs(data.X).max();
  if (!(largest > kLarge)) return "";
  return fmt::format(
      "{}: preprocess.inputs is \"none\", but inputs reach {:.3g}, where hidden nodes saturate and iterations diverge. "
      "Use \"minus_one_one\" or \"standard\"",
      data.name, largest);
}

/// Warns of targets so far from 0 that a network without a constant term spends its weights on reaching them.
std::string about_offset(const PlannedCase& planned) {
  constexpr double kFar = 10;  // standard deviations
  const Dataset& data = *planned.data;
  const Family& family = *planned.spec().family;
  if (data.task == Task::classification || family.can.output_bias ||
      planned.spec().options.preprocess.targets.scale != "none")
    return "";
  for (arma::uword j = 0; j < data.Y.n_cols; ++j) {
    const double mean = arma::mean(data.Y.col(j)), sd = arma::stddev(data.Y.col(j));
    if (!(sd > 0) || std::abs(mean) <= kFar * sd) continue;
    return fmt::format(
        "{}: the targets have mean {:.4g} and standard deviation {:.3g}, but family \"{}\" has no constant term in its "
        "output. Set preprocess.targets.scale to \"standard\"",
        data.name, mean, sd, family.name);
  }
  return "";
}

/// Warns if the rows are in time order, but a model is tested on rows that are older than those it has
/// learnt.
std::string about_time_order(const PlannedCase& planned) {
  const SplitOptions& split = planned.spec().options.split;
  const bool in_order = split.kind == "time_series";
  if (!in_order && (is_fixed(split) || !split.needed_column().name.empty())) return "";
  const auto order = time_order_of(*planned.data);
  if (!order || (in_order && (!order->newest_first || split.order))) return "";
  return fmt::format("{}: {}: the rows are in time order{}; to test on later rows, set {}{}", planned.data->name,
                     order->column, order->newest_first ? ", newest first" : "",
                     in_order ? "" : "split.kind to \"time_series\"",
                     !order->newest_first ? ""
                     : in_order           ? "split.order to this column"
                                          : " and split.order to this column");
}

}  // namespace

std::vector<std::string> config_warnings(const std::vector<CaseSpec>& specs) {
  std::vector<std::string> warnings;
  for (const CaseSpec& spec : specs) add_config_warnings(spec, warnings);
  return warnings;
}

std::vector<std::string> plan_warnings(const Plan& plan) {
  std::vector<std::string> warnings;
  std::set<const void*> seen;  // the folds of several sweep points are one
  std::set<std::tuple<const void*, const Family*, std::string, std::string>> scalings_seen;
  for (const PlannedCase& planned : plan.cases) {
    add_config_warnings(planned.spec(), warnings);
    const PreprocessOptions& preprocess = planned.spec().options.preprocess;
    const auto scaling = std::tuple(static_cast<const void*>(planned.data.get()), planned.spec().family,
                                    preprocess.inputs, preprocess.targets.scale);
    if (scalings_seen.insert(scaling).second) {
      add(planned.spec(), about_offset(planned), warnings);
      add(planned.spec(), about_raw_inputs(planned), warnings);
    }
    if (!seen.insert(planned.folds.id()).second) continue;
    add(planned.spec(), about_classes(planned), warnings);
    add(planned.spec(), about_time_order(planned), warnings);
  }
  return warnings;
}

}  // namespace elmx
