#include "published/data_sizes.hpp"

namespace elmx {

std::vector<Record> sizes_of_data(const Plan& plan) {
  std::vector<Record> records;
  for (const PlannedCase& planned : plan.cases) {
    Record record;
    record.experiment_case = planned.spec().name;
    record.dataset = planned.data->name;
    record.algorithm = "standard";
    record.steps.emplace_back().metrics = {{"features", static_cast<double>(planned.sizes.inputs)},
                                           {"train_samples", static_cast<double>(planned.sizes.train)},
                                           {"test_samples", static_cast<double>(planned.sizes.test)}};
    records.push_back(std::move(record));
  }
  return records;
}

}  // namespace elmx
