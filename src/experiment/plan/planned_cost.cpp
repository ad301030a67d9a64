#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <set>

#include "base/machine/machine.hpp"
#include "data/catalogue.hpp"
#include "data/synthetic.hpp"
#include "experiment/plan/plan.hpp"
#include "linalg/blas.hpp"
#include "models/ridge/over_ranks.hpp"

namespace elmx {
namespace {

constexpr double kProgramBytes = 45e6;    // code, libraries, thread stacks, BLAS buffers and heaps of threads
constexpr double kSmallTaskBytes = 64e6;  // a smaller fold gains more from jobs than from threads
// If times are not compared, a fold with fewer flops per byte than this gains more from jobs, too: half of
// its time is spent in metrics, sorting and copies, which use one thread.
constexpr double kThreadedFlops = 500;
// per point: its options, once in the plan and once in experiment.json
constexpr double kPointBytes = 10e3;
constexpr double kOfMembers = 0.1;   // share of the memory for the cache of stacks
constexpr double kTrialBytes = 4e3;  // per trial: its keys and its record
// heap fragmentation: share of the memory that is freed during the run, and its upper limit; and the share
// of the final model, which is trained in the heap that the trials left
constexpr double kHoles = 0.1, kMostHoles = 1e9, kFinalHoles = 0.5;

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
  const auto folds = static_cast<double>(split.explicit_folds()), all = static_cast<double>(rows);
  const double tested = folds > 1 ? 1 / folds : split.test_fraction.value_or(0.2);
  sizes.train = split.train_samples.value_or(static_cast<std::size_t>(std::ceil((1 - tested) * all)));
  sizes.test = split.test_samples.value_or(static_cast<std::size_t>(std::ceil(tested * all)));
  if (split.kind == "labelled") {
    sizes.train = kLikelyClasses * split.labelled.value_or(2);
    sizes.test = sizes.unlabelled = rows;
  }
  return sizes;
}

/// Returns the most bytes of the cache that trials share (SharedWork), which keeps what earlier tasks left.
double cached_bytes(const Plan& plan) {
  double one = 0, all = 0;
  std::set<std::string> counted;
  for (const PlannedCase& c : plan.cases) {
    if (c.cost.shared_bytes == 0) continue;
    one = std::max(one, c.cost.shared_bytes);
    const ExperimentOptions& options = c.spec().options;
    const double of_samples = c.cost.shared_bytes - c.cost.drawn_bytes;
    const bool all_samples = c.sizes.train + c.sizes.unlabelled == c.data->samples();  // in every task
    const std::string samples =
        fmt::format("{} {} {}", static_cast<const void*>(c.data.get()), options.preprocess.inputs, of_samples);
    if (counted.insert(samples).second) all += of_samples * static_cast<double>(all_samples ? 1 : c.tasks());
    if (counted.insert(fmt::format("{} {} {}", samples, options.seed, c.spec().model->json().dump())).second)
      all += c.cost.drawn_bytes * static_cast<double>(c.tasks());
  }
  return std::max(one, std::min(all, kCacheShare * plan.available));
}

/// Returns the memory of the largest tasks that run at once, of the small cases or of the others.
double largest_at_once(const std::vector<PlannedCase>& cases, bool small, int jobs) {
  std::vector<double> tasks;
  for (const PlannedCase& c : cases) {
    if (c.small() == small) tasks.insert(tasks.end(), std::min<std::size_t>(c.tasks(), jobs), c.cost.bytes);
  }
  std::ranges::sort(tasks, std::greater());
  tasks.resize(std::min<std::size_t>(tasks.size(), jobs));
  return std::accumulate(tasks.begin(), tasks.end(), 0.0);
}

}  // namespace

arma::uword Plan::trials() const {
  arma::uword sum = 0;
  for (const PlannedCase& c : cases) sum += c.trials();
  return sum;
}

double PlannedCase::passes() const {
  if (!data->on_disk) return 0;
  const std::string& scaling = spec().options.preprocess.inputs;
  const double fitting = (scaling == "none" || scaling == "byte" ? 0 : scaling == "standard" ? 2 : 1) + data->missing;
  return fitting + cost.passes + cost.test_passes;
}

double PlannedCase::read_seconds() const { return passes() * data->pass_seconds * static_cast<double>(tasks()); }

bool PlannedCase::small() const {
  const bool light = spec().options.budget && cost.flops < kThreadedFlops * cost.bytes;
  return (light || cost.bytes < kSmallTaskBytes) && !spec().model->measures_steps();
}

double Plan::peak_bytes(const Jobs& jobs) const {
  double largest = std::max(largest_at_once(cases, true, jobs.small), largest_at_once(cases, false, jobs.large)),
         common = 0;
  std::set<const void*> counted;
  for (const PlannedCase& c : cases) {
    largest = std::max(largest, (1 + kFinalHoles) * c.final_cost.bytes);
    common += kPointBytes * static_cast<double>(c.specs.size()) + kTrialBytes * static_cast<double>(c.trials()) +
              kFoldBytes * static_cast<double>(c.tasks());
    if (counted.insert(c.data.get()).second) common += c.data_bytes;
    if (counted.insert(c.folds.id()).second) common += c.fold_bytes;
  }
  const double arrays = common + largest + members_bytes();
  return kProgramBytes + cached_bytes(*this) + arrays + std::min(kHoles * arrays, kMostHoles);
}

double Plan::members_bytes() const {
  double sum = 0;
  for (const PlannedCase& c : cases) {
    if (!c.spec().members) continue;
    const auto n = static_cast<double>(c.sizes.train), outputs = static_cast<double>(c.sizes.outputs);
    const double one =
        n * (3 * outputs + static_cast<double>(c.sizes.inputs)) + static_cast<double>(c.sizes.test) * outputs;
    // all folds, then all rows
    sum += 8 * one * static_cast<double>(c.spec().members->size() * (c.tasks() + 1));
  }
  return sum <= kOfMembers * available ? sum : 0;
}

Work Plan::work() const {
  Work sum;
  for (const PlannedCase& c : cases) sum += static_cast<double>(c.tasks()) * c.cost;
  return sum;
}

void refuse_what_cannot_fit(const Plan& plan, const Jobs& jobs) {
  const double needed = plan.peak_bytes(jobs);
  if (needed <= plan.available) return;
  const auto bytes_of = [](const PlannedCase& c) {
    return std::max(c.cost.bytes, c.final_cost.bytes) + c.cost.shared_bytes;
  };
  const auto largest = std::ranges::max_element(plan.cases, {}, bytes_of);
  throw ConfigError(
      "/model/nodes",
      fmt::format("{}the run needs {} of memory, but only {} are available; use fewer nodes or fewer samples",
                  largest->spec().name.empty() ? "" : "case \"" + largest->spec().name + "\": ", show_bytes(needed),
                  show_available_memory(plan.available)));
}

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
  const std::vector<CatalogueEntry> known = shipped_catalogue().sets;
  std::map<std::size_t, std::vector<const CaseSpec*>> tasks;  // points that are computed together
  for (const CaseSpec& spec : specs) tasks[spec.together].push_back(&spec);
  double sum = 0;
  for (const auto& [together, points] : tasks) {
    const CaseSpec& spec = *points.front();
    const auto folds = static_cast<double>(spec.options.repeats * spec.options.split.explicit_folds());
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
