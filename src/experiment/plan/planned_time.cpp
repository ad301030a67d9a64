#include "experiment/plan/planned_time.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "data/catalogue.hpp"
#include "data/synthetic.hpp"
#include "linalg/speed.hpp"

namespace elmx {
namespace {

/// What a second does.
struct Rates {
  double flops, bytes, calls;
};

constexpr Rates kFastest{1e13, 1e12, 1e8}, kOrdinary{2e10, 1e10, 1e6};
constexpr double kTrialSeconds = 1e-3;  // judging a trial and writing its record
constexpr std::size_t kSamples = 1000;  // points whose cost stands for all

double seconds(const Cost& cost, const Rates& rates) {
  return cost.flops / rates.flops + cost.bytes_moved / rates.bytes + cost.calls / rates.calls;
}

/// Measured where that takes less time than what is planned.
Rates rates_for(const Cost& work) {
  if (seconds(work, kOrdinary) < 5) return kOrdinary;
  return {gemm_rate<double>(768), read_bandwidth(64e6), kOrdinary.calls};
}

Cost work_of(const Plan& plan) {
  Cost sum;
  for (const PlannedCase& c : plan.cases) {
    const auto tasks = static_cast<double>(c.tasks());
    sum.flops += tasks * c.cost.flops;
    sum.bytes_moved += tasks * c.cost.bytes_moved;
    sum.calls += tasks * c.cost.calls;
  }
  return sum;
}

/// At least half of the samples train, where one knows them.
Sizes least_sizes(const ExperimentOptions& options, const std::vector<CatalogueEntry>& known) {
  const DataOptions& data = options.data;
  Sizes sizes{1, 1, 1, 1, 0};
  const auto generated = std::ranges::find(generated_sets(), data.set, &GeneratedSet::name);
  const auto published = std::ranges::find(known, data.set, &CatalogueEntry::name);
  if (generated != generated_sets().end()) {
    sizes.train = data.generated.samples / 2;
    sizes.inputs = generated->sequence ? data.length.value_or(generated->features / 2) * 2 : generated->features;
  } else if (published != known.end() && published->rows > 1) {
    sizes.train = published->rows / 2;
    sizes.inputs = std::max<std::size_t>(1, published->features);
  }
  if (options.split.kind == "labelled") sizes.train = 1;
  if (options.split.train_samples) sizes.train = *options.split.train_samples;
  return sizes;
}

/// Of all folds of one point.
double least_of(const CaseSpec& spec, const std::vector<CatalogueEntry>& known) {
  const ExperimentOptions& options = spec.options;
  const double folds = static_cast<double>(options.repeats) * static_cast<double>(options.split.told_folds());
  try {
    return folds * seconds(spec.model->cost(1, least_sizes(options, known)), kFastest);
  } catch (const ConfigError&) {
    return 0;  // what fits its data only
  }
}

std::vector<CatalogueEntry> known_sets() {
  try {
    return shipped_catalogue().sets;
  } catch (const UserError&) {
    return {};
  }
}

}  // namespace

double planned_seconds(const Plan& plan) {
  const Cost work = work_of(plan);
  return plan.load_seconds + kTrialSeconds * static_cast<double>(plan.trials()) + seconds(work, rates_for(work));
}

double least_seconds(const std::vector<CaseSpec>& specs) {
  const std::vector<CatalogueEntry> known = known_sets();
  const std::size_t stride = std::max<std::size_t>(1, specs.size() / kSamples);
  double sum = 0;
  for (std::size_t i = 0; i < specs.size(); i += stride) sum += least_of(specs[i], known);
  return sum * static_cast<double>(stride);
}

void refuse_beyond_time(double seconds) {
  if (seconds <= kMostSeconds) return;
  throw ConfigError(
      fmt::format("/model: the trials are planned to take {}; allowed: at most {} (fewer repeats, sweep points, "
                  "epochs, steps or repetitions)",
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
