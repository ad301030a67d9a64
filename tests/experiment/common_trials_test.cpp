#include <gtest/gtest.h>

#include "experiment/records/stored_run.hpp"
#include "experiment/run/runner.hpp"
#include "support/configs.hpp"
#include "support/scratch.hpp"

namespace elmx {
namespace {

class CommonTrials : public ScratchTest {};

// The selection does not affect the records, so both cases share their trials.
TEST_F(CommonTrials, OfCasesThatDifferInTheirSelectionBelongToEach) {
  Json config = smallest_config();
  config["model"]["ridge"] = {0.1, 1};
  config["cases"] = {{"one", {{"select", {{"by", "gcv"}}}}}, {"other", {{"select", {{"by", "loo_mse"}}}}}};
  const Plan plan = make_plan(config, "no data directory");
  ResultsFolder results(folder_, describe_experiment(config, plan), Earlier::resume);
  run_plan(plan, results, {.jobs = 1, .make_clock = [] { return std::make_unique<FakeClock>(); }, .stop = nullptr},
           [](const Record&) {});

  std::vector<std::string> whose;
  for (const Record& record : StoredRun(folder_).records())
    whose.push_back(record.experiment_case + " " + record.point.at("/model/ridge").dump());
  EXPECT_EQ(whose, (std::vector<std::string>{"one 0.1", "one 1", "other 0.1", "other 1"}));
}

}  // namespace
}  // namespace elmx
