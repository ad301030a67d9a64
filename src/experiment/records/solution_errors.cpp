#include "experiment/records/solution_errors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

namespace elmx {
namespace {

using CaseAndPoint = std::pair<std::string, std::string>;

CaseAndPoint place_of(const std::string& name, const std::map<std::string, Json>& point) {
  return {name, Json(point).dump()};
}

std::set<CaseAndPoint> single_precision(const Plan& plan) {
  std::set<CaseAndPoint> places;
  for (const PlannedCase& c : plan.cases) {
    if (!c.spec().model->single_precision()) continue;
    for (const CaseSpec& spec : c.specs) places.insert(place_of(spec.name, spec.point));
  }
  return places;
}

template <class T>
double half_the_digits() {
  return std::sqrt(static_cast<double>(std::numeric_limits<T>::epsilon()));
}

}  // namespace

SolutionErrors solution_errors(const std::vector<Record>& records, const Plan& plan) {
  const std::set<CaseAndPoint> single = single_precision(plan);
  SolutionErrors errors;
  for (const Record& record : records) {
    if (!solves_ridge_problem(record.family, record.algorithm)) continue;
    const bool is_single = !single.empty() && single.contains(place_of(record.experiment_case, record.point));
    const double bound = is_single ? half_the_digits<float>() : half_the_digits<double>();
    for (const StepRecord& step : record.steps) {
      const auto error = step.metrics.find("backward_error");
      if (step.status != Status::ok) {
        ++errors.failed;
      } else if (error == step.metrics.end()) {
        ++errors.unknown;
      } else {
        ++errors.solutions;
        errors.too_large += error->second > bound;
        errors.largest = std::max(errors.largest, error->second);
      }
    }
  }
  return errors;
}

}  // namespace elmx
