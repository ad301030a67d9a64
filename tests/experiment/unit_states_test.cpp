#include "experiment/unit_states.hpp"

#include <gtest/gtest.h>

#include "experiment/plan.hpp"
#include "experiment/run_unit.hpp"
#include "experiment/scratch.hpp"
#include "support/thrown.hpp"

// Trainings that are interrupted, as run_task sees them.

namespace elmx {
namespace {

Json sequence_config() {
  return Json::parse(R"({
    "data": {"set": "adding", "samples": 60, "length": 4}, "split": {"kind": "holdout"}, "preprocess": {"inputs": "none"},
    "model": {"family": "rls", "algorithms": ["rls", "adam"], "input": {"steps": 4}, "layers": [{"kind": "lstm", "nodes": 3}],
              "epochs": 4, "report": [1, 3, 4], "batch": 10}
  })");
}

/// A record without what a clock says.
Json results_of(const Record& record) {
  Json json = to_json(record);
  json.erase("timing");
  return json;
}

class InterruptedUnit : public ScratchTest {
 protected:
  /// Runs all units of the config; the training of each looks whether it is `stopped`.
  std::vector<Record> run(const Json& config, const std::function<bool()>& stopped) const {
    const Plan plan = make_plan(config, "no data directory");
    const PlannedCase& c = plan.cases[0];
    FakeClock clock;
    std::vector<Record> records;
    run_task({&c.specs, c.data.get(), c.folds[0][0], 0, 0, c.spec().algorithms, nullptr, {}, folder_ / "states"}, clock, stopped,
             [&](Record record) { records.push_back(std::move(record)); });
    return records;
  }

  std::size_t state_files() const {
    if (!std::filesystem::exists(folder_ / "states")) return 0;
    const std::filesystem::directory_iterator files(folder_ / "states");
    return static_cast<std::size_t>(std::distance(begin(files), end(files)));
  }
};

TEST_F(InterruptedUnit, HasNoRecordAndGoesOnToTheRecordOfAnUndisturbedRun) {
  const auto whole = run(sequence_config(), [] { return false; });
  ASSERT_EQ(whole.size(), 2u);
  ASSERT_EQ(whole[0].steps.size(), 3u);
  EXPECT_EQ(state_files(), 0u);

  // run_task looks once before each algorithm, the training after each of its 20 steps: it ends within its third epoch.
  int looks = 0;
  EXPECT_TRUE(run(sequence_config(), [&] { return ++looks == 13; }).empty());
  EXPECT_EQ(state_files(), 1u);

  const auto resumed = run(sequence_config(), [] { return false; });

  EXPECT_EQ(state_files(), 0u);
  ASSERT_EQ(resumed.size(), 2u);
  for (const std::size_t i : {0, 1}) EXPECT_EQ(results_of(resumed[i]), results_of(whole[i]));
}

TEST_F(InterruptedUnit, ADamagedStateIsRefusedAndStaysWhereItIs) {
  int looks = 0;
  run(sequence_config(), [&] { return ++looks == 13; });
  for (const auto& entry : std::filesystem::directory_iterator(folder_ / "states")) std::ofstream(entry.path()) << "{\"key\": ";

  const std::string text = thrown<DataError>([&] { run(sequence_config(), [] { return false; }); });

  EXPECT_TRUE(text.ends_with(".state: damaged; allowed: to delete it, its unit then begins anew")) << text;
  EXPECT_EQ(state_files(), 1u);
}

TEST_F(InterruptedUnit, ADivergedTrainingIsAFailedUnitThatNamesItsStep) {
  Json config = sequence_config();
  config["model"].merge_patch(Json::parse(R"({"eta": 1e300, "eta_output": 1e300, "clip": {"norm": 0}})"));

  const auto records = run(config, [] { return false; });

  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[0].status, std::string(to_string(Status::not_finite)) + " at step 1");
  EXPECT_EQ(records[0].steps.back().iterations, 1u);
  EXPECT_EQ(records[1].status, "ok") << "Adam does not heed eta";
}

}  // namespace
}  // namespace elmx
