#include "experiment/records/solution_errors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace elmx {
namespace {

using CaseAndPoint = std::pair<std::string, std::string>;

CaseAndPoint place_of(const std::string& name, const std::map<std::string, Json>& point) {
  return {name, Json(point).dump()};
}

std::map<CaseAndPoint, ModelPtr> models_of(const std::vector<CaseSpec>& specs) {
  std::map<CaseAndPoint, ModelPtr> models;
  for (const CaseSpec& spec : specs) models.emplace(place_of(spec.name, spec.point), spec.model);
  return models;
}

template <class T>
double half_the_digits() {
  return std::sqrt(static_cast<double>(std::numeric_limits<T>::epsilon()));
}

}  // namespace

SolutionErrors solution_errors(const std::vector<Record>& records, const std::vector<CaseSpec>& specs) {
  const std::map<CaseAndPoint, ModelPtr> models = models_of(specs);
  SolutionErrors errors;
  for (const Record& record : records) {
    const auto found = models.find(place_of(record.experiment_case, record.point));
    const ModelPtr model = found == models.end() ? nullptr : found->second;
    if (!(model ? model->solves_ridge_problem(record.algorithm)
                : algorithm_of(record.family, record.algorithm).ridge_solution))
      continue;
    const double bound = model && model->single_precision() ? half_the_digits<float>() : half_the_digits<double>();
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
