#include "experiment/run/trials_in_hand.hpp"

#include <gtest/gtest.h>

#include "experiment/plan/plan.hpp"
#include "experiment/run/run_trials.hpp"
#include "support/configs.hpp"

namespace elmx {
namespace {

/// A clock that stores the reported stage of the running training whenever the training reads the time.
class WatchingClock : public Clock {
 public:
  double now() override {
    const std::vector<TrialInHand> trials = trials_in_hand();
    EXPECT_LE(trials.size(), 1u);
    if (!trials.empty() && trials.front().stage.what != nullptr) seen.push_back(trials.front().stage);
    return clock_.now();
  }
  std::vector<Stage> seen;

 private:
  FakeClock clock_;
};

/// Returns the stages that the training of one algorithm reports.
std::vector<Stage> stages(const Json& model, const Json& split = {{"kind", "holdout"}}) {
  const Plan plan = make_plan({{"data", {{"set", "two_moons"}, {"samples", 60}}}, {"split", split}, {"model", model}},
                              "no data directory");
  const PlannedCase& c = plan.cases.front();
  WatchingClock clock;
  std::vector<std::string> statuses;
  run_task(
      {&c.specs, c.data.get(), c.folds[0][0], 0, 0, c.spec().model->algorithms()}, clock, [] { return false; },
      [&](const Record& record) {
        statuses.push_back(record.status);
        EXPECT_TRUE(trials_in_hand().empty()) << "it is finished";
      });
  EXPECT_EQ(statuses, std::vector<std::string>{"ok"});
  return clock.seen;
}

class StagesOfFamilies : public testing::TestWithParam<std::tuple<const char*, std::size_t, const char*>> {};

TEST_P(StagesOfFamilies, CountUpToTheEnd) {
  const auto& [what, all, model] = GetParam();
  const Json read = Json::parse(model);
  const bool graph = read["family"] == "s3elm";

  const std::vector<Stage> seen = graph ? stages(read, {{"kind", "labelled"}, {"labelled", 4}}) : stages(read);

  ASSERT_FALSE(seen.empty());
  for (std::size_t i = 0; i < seen.size(); ++i) {
    EXPECT_EQ(seen[i].what, std::string(what));
    EXPECT_EQ(seen[i].all, all);
    EXPECT_GE(seen[i].number, 1u);
    EXPECT_LE(seen[i].number, all);
    EXPECT_LE(seen[i].fraction, 1);
    EXPECT_GE(seen[i].fraction, seen[i > 0 ? i - 1 : 0].fraction) << "it goes forward";
  }
  EXPECT_EQ(seen.back().number, all);
}

INSTANTIATE_TEST_SUITE_P(
    Each, StagesOfFamilies,
    testing::Values(
        std::tuple{"node", 12u, R"({"algorithms": ["alg2"], "nodes": {"start": 2, "stop": 12, "report": [3, 12]}})"},
        std::tuple{"update", 2u, R"({"algorithms": ["panel"], "nodes": {"start": 2, "stop": 12, "report": [3, 12]}})"},
        std::tuple{"major step", 3u,
                   R"({"family": "dec", "algorithms": ["dec"], "nodes": [4], "dec": {"report": [3]}})"},
        std::tuple{"iteration", 5u,
                   R"({"family": "dec", "algorithms": ["lbfgs"], "nodes": [4], "lbfgs": {"report": [5]}})"},
        std::tuple{"epoch", 4u,
                   R"({"family": "rls", "algorithms": ["adam"], "layers": [{"kind": "dense", "nodes": 5}],
                       "epochs": 4, "batch": 10})"},
        std::tuple{"grid point", 4u,
                   R"({"family": "s3elm", "algorithms": ["s3elm"], "nodes": 20, "graph": {"sigma": [4, 8]},
                       "s3elm": {"mu": [0.2, 0.5]}})"}),
    [](const auto& test) {
      std::string name = std::get<0>(test.param);
      std::replace(name.begin(), name.end(), ' ', '_');
      return name;
    });

}  // namespace
}  // namespace elmx
