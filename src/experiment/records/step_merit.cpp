#include "experiment/records/step_merit.hpp"

#include "metrics/registry.hpp"

namespace elmx {

std::optional<StepMerit> merit_of(const Record& record, const StepRecord& step, const std::string& metric) {
  const auto value = step.metrics.find(metric);
  if (value == step.metrics.end()) return std::nullopt;
  const auto ridge = record.point.find("/model/ridge");
  const bool swept = ridge != record.point.end() && ridge->second.is_number();
  const double sign = metric_named(metric).better == Better::higher ? 1 : -1;
  return StepMerit{sign * value->second, -static_cast<double>(step.nodes), swept ? ridge->second.get<double>() : 0};
}

}  // namespace elmx
