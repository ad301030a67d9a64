#include "experiment/plan/plan.hpp"

namespace elmx {

std::vector<PlannedTask> tasks_of(const Plan& plan) {
  std::vector<PlannedTask> tasks;
  const std::span<const PlannedCase> cases(plan.cases);
  for (std::size_t begin = 0, end = 0; begin < cases.size(); begin = end) {
    const auto together = [&](const PlannedCase& c) { return c.spec().together == cases[begin].spec().together; };
    while (end < cases.size() && together(cases[end])) ++end;
    const Folds& folds = cases[begin].folds;
    for (std::size_t repeat = 0; repeat < folds.size(); ++repeat) {
      for (std::size_t fold = 0; fold < folds[repeat].size(); ++fold)
        tasks.push_back({cases.subspan(begin, end - begin), repeat, fold});
    }
  }
  return tasks;
}

std::vector<std::string> trial_keys(const PlannedTask& task) {
  std::vector<std::string> keys;
  for (std::size_t a = 0; a < task.cases.front().spec().model->algorithms.size(); ++a) {
    for (const PlannedCase& c : task.cases) {
      const auto of_algorithm = c.keys(task.repeat, task.fold).subspan(a * c.specs.size(), c.specs.size());
      keys.insert(keys.end(), of_algorithm.begin(), of_algorithm.end());
    }
  }
  return keys;
}

}  // namespace elmx
