#include "statistics/time_ratio.hpp"

#include <algorithm>
#include <cmath>

#include "statistics/summary.hpp"

namespace elmx {
namespace {

constexpr std::size_t kFewBatches = 5, kMostBatches = 10, kRoundsOfBatch = 4, kFewTimes = 10;
constexpr double kFar = 14.826, kLeastSpread = 0.01, kSlow = 2;

double median(std::vector<double> values) { return quantile(std::move(values), 0.5); }

/// Returns true if there are numbers, and all of them are positive and finite.
bool positive(const std::vector<double>& numbers) {
  return !numbers.empty() && std::ranges::all_of(numbers, [](double x) { return x > 0 && std::isfinite(x); });
}

/// Returns one ratio per round; one in total if the two were not measured in turn.
std::vector<double> ratios_of(const TimesOfTrial& times) {
  if (times.a.size() != times.b.size()) return {median(times.a) / median(times.b)};
  std::vector<double> ratios;
  for (std::size_t r = 0; r < times.a.size(); ++r) ratios.push_back(times.a[r] / times.b[r]);
  return ratios;
}

/// Returns the medians of batches of neighbouring rounds.
std::vector<double> batches_of(const std::vector<double>& ratios) {
  const std::size_t count =
      std::min(ratios.size(), std::clamp(ratios.size() / kRoundsOfBatch, kFewBatches, kMostBatches));
  std::vector<double> medians;
  for (std::size_t i = 0; i < count; ++i) {
    const auto edge = [&](std::size_t k) {
      return ratios.begin() + static_cast<std::ptrdiff_t>(k * ratios.size() / count);
    };
    medians.push_back(median({edge(i), edge(i + 1)}));
  }
  return medians;
}

}  // namespace

Ratio time_ratio(const std::vector<TimesOfTrial>& trials) {
  std::vector<std::vector<double>> of_trials;
  for (const TimesOfTrial& times : trials) {
    if (!positive(times.a) || !positive(times.b)) continue;
    std::vector<double> ratios = ratios_of(times);
    if (positive(ratios)) of_trials.push_back(std::move(ratios));  // a ratio may overflow
  }
  std::vector<double> blocks;
  for (const std::vector<double>& ratios : of_trials) blocks.push_back(median(ratios));
  if (of_trials.size() == 1) blocks = batches_of(of_trials.front());
  if (blocks.empty()) return {nan, std::nullopt};
  if (std::ranges::count(blocks, blocks.front()) == std::ranges::ssize(blocks)) {  // exp(log(x)) is not x
    const double value = blocks.front();
    if (blocks.size() < 2) return {value, std::nullopt, of_trials.size()};
    return {value, Interval{value, value}, of_trials.size(), 0};
  }
  for (double& block : blocks) block = std::log(block);
  const Summary logs = summary_of(blocks);
  const auto n = static_cast<double>(logs.n);
  const double c = of_trials.size() == 1 ? kOfSingleTrial : kOfRuns;
  const double v = logs.sd * logs.sd / n, variance = v + c * c;
  // Welch's exponent of 2 trusts a v that is small by chance: it covers 88 %, not 95 %, for two trials.
  const double freedom = (n - 1) * std::pow(variance / v, std::min(2.0, (n - 1) / 2));
  const double half = student_bound(0.05, freedom) * std::sqrt(variance);
  return {std::exp(logs.mean), Interval{std::exp(logs.mean - half), std::exp(logs.mean + half)}, of_trials.size(),
          std::sqrt(variance), freedom};
}

std::size_t count_outliers(const std::vector<double>& seconds) {
  if (seconds.size() < kFewTimes) return 0;
  const double middle = median(seconds);
  std::vector<double> off;
  for (const double s : seconds) off.push_back(std::abs(s - middle));
  const double bound = kFar * std::max(median(off), kLeastSpread * std::abs(middle));
  return static_cast<std::size_t>(std::ranges::count_if(off, [&](double o) { return o > bound; }));
}

bool slow_at_first(const std::vector<double>& seconds) {
  return seconds.size() > 2 && seconds.front() > kSlow * *std::max_element(seconds.begin() + 1, seconds.end());
}

}  // namespace elmx
