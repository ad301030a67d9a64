#include "experiment/plan/planned_time.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "data/catalogue.hpp"
#include "data/synthetic.hpp"
#include "linalg/speed.hpp"
#include "models/ridge/over_ranks.hpp"

namespace elmx {
namespace {

/// The work that a machine does per second.
struct Rates {
  double flops, bytes, calls;
};

constexpr Rates kFastest{1e13, 1e12, 1e8};
// two cores with AVX2; with AVX-512 the products are 1.5 times as fast
constexpr Rates kOrdinary{6e10, 2e10, 1e6};
constexpr double kTrialSeconds = 1e-3;  // judging a trial and writing its record
constexpr std::size_t kSamples = 1000;  // number of points from which the total cost is estimated
constexpr std::size_t kLikelyClasses = 10;

double seconds(const Cost& cost, const Rates& rates) {
  return cost.flops / rates.flops + cost.bytes_moved / rates.bytes + cost.calls / rates.calls +
         cost.bytes_sent / kRankBytes;
}

/// Returns measured rates, or for short work, which takes less time than a measurement, the ordinary rates.
Rates rates_for(const Cost& work) {
  if (seconds(work, kOrdinary) < 5) return kOrdinary;
  return {gemm_rate<double>(768), read_bandwidth(64e6), kOrdinary.calls};
}

void add_times(double times, const Cost& cost, Cost& sum) {
  sum.flops += times * cost.flops;
  sum.bytes_moved += times * cost.bytes_moved;
  sum.calls += times * cost.calls;
  sum.bytes_sent += times * cost.bytes_sent;
}

/// The mean number of networks of a planned case that are trained again: of all points of a case on a data
/// set each fold takes one for each algorithm.
std::vector<double> kept_networks(const Plan& plan) {
  std::map<std::pair<std::string, const Dataset*>, double> parts;
  for (const PlannedCase& c : plan.cases) ++parts[{c.spec().name, c.data.get()}];
  std::vector<double> kept;
  for (const PlannedCase& c : plan.cases)
    kept.push_back(static_cast<double>(c.tasks() * c.spec().model->algorithms().size()) /
                   parts[{c.spec().name, c.data.get()}]);
  return kept;
}

/// Work of all trials and of the models that are saved.
Cost work_of(const Plan& plan) {
  Cost sum;
  const std::vector<double> kept = kept_networks(plan);
  for (std::size_t i = 0; i < plan.cases.size(); ++i) {
    const PlannedCase& c = plan.cases[i];
    add_times(static_cast<double>(c.tasks()), c.cost, sum);
    add_times(kept[i], c.kept_cost, sum);
    add_times(1, c.final_cost, sum);
  }
  return sum;
}

std::vector<CatalogueEntry> known_sets() {
  try {
    return shipped_catalogue().sets;
  } catch (const UserError&) {
    return {};
  }
}

/// Returns the sizes of a data set as known before it is read; nothing is known about files.
Sizes whole_set(const DataOptions& data, const std::vector<CatalogueEntry>& known) {
  Sizes sizes{1, 1, 1, 1, 0};
  const auto generated = std::ranges::find(generated_sets(), data.set, &GeneratedSet::name);
  const auto published = std::ranges::find(known, data.set, &CatalogueEntry::name);
  if (generated != generated_sets().end()) {
    sizes.train = data.generated.samples;
    sizes.inputs = generated->sequence ? data.length.value_or(generated->features / 2) * 2 : generated->features;
  } else if (published != known.end() && published->rows > 1) {
    sizes.train = published->rows;
    sizes.inputs = std::max<std::size_t>(1, published->features);
  }
  return sizes;
}

/// Returns lower bounds of the sizes: at least half of the known samples are training samples.
Sizes least_sizes(const ExperimentOptions& options, const std::vector<CatalogueEntry>& known) {
  Sizes sizes = whole_set(options.data, known);
  sizes.train = std::max<std::size_t>(1, sizes.train / 2);
  if (options.split.kind == "labelled") sizes.train = 1;
  if (options.split.train_samples) sizes.train = *options.split.train_samples;
  return sizes;
}

/// Estimates the sizes of the parts that the split makes; a published split is assumed to train on four
/// fifths.
Sizes likely_sizes(const ExperimentOptions& options, const std::vector<CatalogueEntry>& known) {
  Sizes sizes = whole_set(options.data, known);
  const SplitOptions& split = options.split;
  const arma::uword all = sizes.train;
  const double folds = static_cast<double>(split.told_folds());
  const double tested = split.kind == "labelled" ? 1 : folds > 1 ? 1 / folds : split.test_fraction.value_or(0.2);
  sizes.test = std::max<arma::uword>(1, static_cast<arma::uword>(tested * static_cast<double>(all)));
  sizes.train = std::max<arma::uword>(1, all - std::min(all, sizes.test));
  if (split.test_samples) sizes.test = *split.test_samples;
  if (split.train_samples) sizes.train = *split.train_samples;
  if (split.kind == "labelled") {
    sizes.train = kLikelyClasses * split.labelled.value_or(2);
    sizes.unlabelled = all;
  }
  const auto set = std::ranges::find(known, options.data.set, &CatalogueEntry::name);
  if (set != known.end() && set->task == "classification") sizes.outputs = kLikelyClasses;
  return sizes;
}

using SizesOf = Sizes (*)(const ExperimentOptions& options, const std::vector<CatalogueEntry>& known);

/// Points that are computed together.
struct Together {
  const CaseSpec* first;
  std::size_t points = 0;
};

std::vector<Together> computed_together(const std::vector<CaseSpec>& specs) {
  std::map<std::size_t, std::size_t> place;
  std::vector<Together> groups;
  for (const CaseSpec& spec : specs) {
    const auto [found, is_new] = place.try_emplace(spec.together, groups.size());
    if (is_new) groups.push_back({&spec});
    ++groups[found->second].points;
  }
  return groups;
}

/// Sums the time of all folds of all points at these sizes; for many points, extrapolates from a sample.
double sum_of_seconds(const std::vector<CaseSpec>& specs, SizesOf sizes_of, const Rates& rates) {
  const std::vector<CatalogueEntry> known = known_sets();
  const std::vector<Together> groups = computed_together(specs);
  const std::size_t stride = std::max<std::size_t>(1, groups.size() / kSamples);
  double sum = 0;
  for (std::size_t i = 0; i < groups.size(); i += stride) {
    const CaseSpec& spec = *groups[i].first;
    const double folds = static_cast<double>(spec.options.repeats * spec.options.split.told_folds());
    try {
      sum += folds * seconds(spec.model->cost(groups[i].points, sizes_of(spec.options, known)), rates);
    } catch (const ConfigError&) {
      // These options fit the sizes of the real data only.
    }
  }
  return sum * static_cast<double>(stride);
}

}  // namespace

double planned_seconds(const Plan& plan) {
  const Cost work = work_of(plan);
  double reading = 0;
  for (const PlannedCase& c : plan.cases) reading += c.read_seconds();
  return plan.load_seconds + reading + kTrialSeconds * static_cast<double>(plan.trials()) +
         seconds(work, rates_for(work));
}

double ordinary_seconds(const Cost& cost, std::size_t trials) {
  return seconds(cost, kOrdinary) + kTrialSeconds * static_cast<double>(trials);
}

double trial_seconds(const PlannedCase& planned) {
  const auto trials = static_cast<std::size_t>(planned.trials() / planned.tasks());
  return ordinary_seconds(planned.cost, trials) / static_cast<double>(trials);
}

double all_rows_seconds(const PlannedCase& planned) {
  return planned.spec().options.save_model ? ordinary_seconds(planned.final_cost, planned.specs.size()) : 0;
}

FinalSeconds final_seconds(const Plan& plan) {
  FinalSeconds sum;
  const std::vector<double> kept = kept_networks(plan);
  for (std::size_t i = 0; i < plan.cases.size(); ++i) {
    sum.folds += kept[i] * seconds(plan.cases[i].kept_cost, kOrdinary);
    sum.all_rows += all_rows_seconds(plan.cases[i]);
  }
  return sum;
}

double least_seconds(const std::vector<CaseSpec>& specs) { return sum_of_seconds(specs, least_sizes, kFastest); }

double likely_seconds(const std::vector<CaseSpec>& specs) { return sum_of_seconds(specs, likely_sizes, kOrdinary); }

void refuse_beyond_time(double seconds) {
  if (seconds <= kMostSeconds) return;
  throw ConfigError("/model", fmt::format("the trials are planned to take {}, more than {}. Use fewer repeats, sweep "
                                          "points, epochs, steps or repetitions",
                                          show_seconds(seconds), show_seconds(kMostSeconds)));
}

std::string show_seconds(double seconds) {
  constexpr double kYear = 365.25 * 86400;
  if (seconds >= 2 * kYear) return fmt::format("{:.3g} years", seconds / kYear);
  if (seconds >= 2 * kLongSeconds) return fmt::format("{:.0f} days", seconds / 86400);
  const long s = std::lround(std::ceil(seconds));
  if (s < 60) return std::to_string(s) + " s";
  if (s < 3600) return fmt::format("{} min {} s", s / 60, s % 60);
  return fmt::format("{} h {} min", s / 3600, s % 3600 / 60);
}

}  // namespace elmx
