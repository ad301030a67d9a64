#include "experiment/plan/planned_time.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "data/catalogue.hpp"
#include "data/synthetic.hpp"
#include "linalg/blas.hpp"
#include "models/ridge/over_ranks.hpp"

namespace elmx {
namespace {

/// The work that a machine does per second.
struct Rates {
  double flops, bytes, calls;
};

// two cores with AVX2; with AVX-512 the products are 1.5 times as fast
constexpr Rates kOrdinary{6e10, 2e10, 1e6};
constexpr double kTrialSeconds = 1e-3;  // judging a trial and writing its record
constexpr double kShort = 5;            // seconds of work for which measuring the machine takes too long
constexpr std::size_t kLikelyClasses = 10;

double seconds(const Work& work, const Rates& rates) {
  return work.flops / rates.flops + work.bytes_moved / rates.bytes + work.calls / rates.calls +
         work.bytes_sent / kRankBytes;
}

std::vector<CatalogueEntry> known_sets() {
  try {
    return shipped_catalogue().sets;
  } catch (const UserError&) {
    return {};
  }
}

/// Estimates the sizes of the parts that the split makes; a published split is assumed to train on four
/// fifths. Nothing is known about files.
Sizes likely_sizes(const ExperimentOptions& options, const std::vector<CatalogueEntry>& known) {
  const DataOptions& data = options.data;
  const SplitOptions& split = options.split;
  Sizes sizes{1, 1, 1, 1, 0};
  std::size_t rows = 1;
  const auto generated = std::ranges::find(generated_sets(), data.set, &GeneratedSet::name);
  const auto published = std::ranges::find(known, data.set, &CatalogueEntry::name);
  if (generated != generated_sets().end()) {
    rows = data.generated.samples;
    sizes.inputs = generated->sequence ? data.length.value_or(generated->features / 2) * 2 : generated->features;
  } else if (published != known.end()) {
    rows = std::max<std::size_t>(1, published->rows);
    sizes.inputs = std::max<std::size_t>(1, published->features);
    if (published->task == "classification") sizes.outputs = kLikelyClasses;
  }
  const auto folds = static_cast<double>(split.told_folds()), all = static_cast<double>(rows);
  const double tested = folds > 1 ? 1 / folds : split.test_fraction.value_or(0.2);
  sizes.train = split.train_samples.value_or(static_cast<std::size_t>(std::ceil((1 - tested) * all)));
  sizes.test = split.test_samples.value_or(static_cast<std::size_t>(std::ceil(tested * all)));
  if (split.kind == "labelled") {
    sizes.train = kLikelyClasses * split.labelled.value_or(2);
    sizes.test = sizes.unlabelled = rows;
  }
  return sizes;
}

}  // namespace

double planned_seconds(const Plan& plan) {
  Work work = plan.work();
  double others = plan.load_seconds + kTrialSeconds * static_cast<double>(plan.trials());
  for (const PlannedCase& c : plan.cases) {
    work += c.kept_work;
    work += c.final_cost;
    others += c.read_seconds();
  }
  if (seconds(work, kOrdinary) < kShort) return others + seconds(work, kOrdinary);
  return others + seconds(work, {gemm_rate<double>(768), read_bandwidth(64e6), kOrdinary.calls});
}

double ordinary_seconds(const Work& work, std::size_t trials) {
  return seconds(work, kOrdinary) + kTrialSeconds * static_cast<double>(trials);
}

double trial_seconds(const PlannedCase& planned) {
  const auto trials = static_cast<std::size_t>(planned.trials() / planned.tasks());
  return ordinary_seconds(planned.cost, trials) / static_cast<double>(trials);
}

double likely_seconds(const std::vector<CaseSpec>& specs) {
  const std::vector<CatalogueEntry> known = known_sets();
  std::map<std::size_t, std::vector<const CaseSpec*>> tasks;  // points that are computed together
  for (const CaseSpec& spec : specs) tasks[spec.together].push_back(&spec);
  double sum = 0;
  for (const auto& [together, points] : tasks) {
    const CaseSpec& spec = *points.front();
    const auto folds = static_cast<double>(spec.options.repeats * spec.options.split.told_folds());
    try {
      sum += folds * seconds(spec.model->cost(points.size(), likely_sizes(spec.options, known)), kOrdinary);
    } catch (const ConfigError&) {
      // These options fit the sizes of the real data only.
    }
  }
  return sum;
}

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
