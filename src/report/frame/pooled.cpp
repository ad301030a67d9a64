#include "report/frame/pooled.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/numbers.hpp"
#include "metrics/formulas.hpp"
#include "metrics/registry.hpp"
#include "report/frame/quantities.hpp"

namespace elmx {
namespace {

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

bool is_unbalanced(const arma::mat& confusion) {
  if (confusion.is_empty()) return false;
  const arma::vec rows = arma::sum(confusion, 1);
  return rows.max() >= kUnbalanced * rows.min();
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
