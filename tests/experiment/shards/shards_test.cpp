#include "experiment/shards/shards.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "experiment/plan/plan.hpp"
#include "support/configs.hpp"
#include "support/thrown.hpp"

namespace elmx {
namespace {

/// 2 cases x 3 activations x 4 sizes x 2 repeats x 2 folds of very different work; ridges are computed
/// together.
Json uneven_config() {
  Json config = small_config();
  config["repeats"] = 2;
  config["model"]["activation"] = {"sigmoid", "tanh", "sine"};
  config["model"]["ridge"] = {0.1, 1};
  config["model"]["nodes"] = {{"start", 2}, {"stop", {10, 40, 160, 800}}};
  return config;
}

Plan sharded_plan(const Json& config) { return make_plan(config, "no data directory"); }

/// Returns the work of the tasks by the costs of the plan.
std::vector<double> work_of_tasks(const Plan& plan) {
  std::vector<double> work;
  for (const PlannedCase& c : plan.cases)
    work.insert(work.end(), c.tasks(), ordinary_seconds(c.cost, c.trials() / c.tasks()));
  return work;
}

TEST(ShardNumber, IsReadAsItIsWritten) {
  EXPECT_EQ(read_shard_number("2/4"), (ShardNumber{2, 4}));
  EXPECT_EQ(read_shard_number("1/1"), (ShardNumber{1, 1}));
  for (const std::string wrong : {"0/4", "5/4", "a/b", "", "/", "1/", "/4", "1/4/2", "1 / 4", "-1/4", "+1/4", "1/4 ",
                                  "0/0", "1/100001", "1/99999999999999999999", "1.5/4"}) {
    EXPECT_EQ(place_thrown<ConfigError>([&] { read_shard_number(wrong); }), "--shard") << wrong;
  }
}

TEST(ShardsOfAPlan, HaveEveryTrialOnceAndInItsPlace) {
  const Plan plan = sharded_plan(uneven_config());
  for (const std::size_t of : {1u, 2u, 3u, 7u, 96u, 200u}) {
    std::map<std::size_t, std::string> all;
    std::size_t tasks = 0;
    for (const PlannedShard& shard : shards_of(plan, of)) {
      for (const auto& [key, place] : shard.places) EXPECT_TRUE(all.emplace(place, key).second) << place;
      tasks += shard.tasks;
    }
    EXPECT_EQ(tasks, tasks_of(plan).size());
    std::vector<std::string> keys, in_order;
    for (const auto& [place, key] : all) in_order.push_back(key);
    for (const PlannedTask& task : tasks_of(plan)) {
      for (const std::string& key : trial_keys(task)) keys.push_back(key);
    }
    EXPECT_EQ(in_order, keys);
    EXPECT_EQ(keys.size(), plan.trials());
  }
}

TEST(ShardsOfAPlan, AreWholeTasks) {
  const Plan plan = sharded_plan(uneven_config());
  const std::vector<PlannedShard> shards = shards_of(plan, 5);
  for (const PlannedTask& task : tasks_of(plan)) {
    const std::vector<std::string> keys = trial_keys(task);
    EXPECT_EQ(keys.size(), 6u) << "three algorithms, two ridges";
    for (const PlannedShard& shard : shards) {
      const auto held = std::ranges::count_if(keys, [&](const auto& key) { return shard.places.contains(key); });
      EXPECT_TRUE(held == 0 || held == 6) << held;
    }
  }
}

TEST(ShardsOfAPlan, AreBalanced) {
  const Plan plan = sharded_plan(uneven_config());
  const std::vector<double> tasks = work_of_tasks(plan);
  const double all = std::accumulate(tasks.begin(), tasks.end(), 0.0), largest_task = std::ranges::max(tasks);
  EXPECT_GT(largest_task, 5 * std::ranges::min(tasks)) << "or the test says nothing";
  for (const std::size_t of : {1u, 2u, 3u, 4u, 7u, 13u, 96u, 200u}) {
    double largest = 0, sum = 0, parts = 0;
    for (const PlannedShard& shard : shards_of(plan, of)) {
      largest = std::max(largest, shard.work);
      sum += shard.work;
      parts += shard.part;
    }
    EXPECT_NEAR(sum, all, 1e-12 * all);
    EXPECT_NEAR(parts, 1, 1e-12);
    EXPECT_LE(largest, all / static_cast<double>(of) + largest_task);
    EXPECT_LE(largest, std::max(largest_task, 4.0 / 3 * all / static_cast<double>(of) + largest_task / 3));
  }
}

// Work does not depend on the machine: points that do not fit into memory together are still one task.
TEST(ShardsOfAPlan, DoNotDependOnTheMemory) {
  const Plan plan = sharded_plan(uneven_config());
  Plan split = plan;
  split.cases.clear();
  for (const PlannedCase& c : plan.cases) {
    for (const CaseSpec& spec : c.specs) {
      split.cases.push_back(c);
      split.cases.back().specs = {spec};
    }
  }
  ASSERT_EQ(split.cases.size(), 2 * plan.cases.size());
  const std::vector<PlannedShard> whole = shards_of(plan, 4), parts = shards_of(split, 4);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(whole[i].places, parts[i].places);
    EXPECT_EQ(whole[i].work, parts[i].work);
  }
}

// Both cases have the same trials; exactly one shard has each of them.
TEST(ShardsOfAPlan, HaveACommonTrialOnce) {
  Json config = smallest_config();
  config["split"] = {{"folds", 4}};
  config["model"]["ridge"] = {0.1, 1};
  config["cases"] = {{"one", {{"select", {{"by", "gcv"}}}}}, {"other", {{"select", {{"by", "loo_mse"}}}}}};
  const Plan plan = sharded_plan(config);
  ASSERT_EQ(plan.trials(), 16u);
  std::set<std::string> keys;
  std::size_t trials = 0;
  for (const PlannedShard& shard : shards_of(plan, 3)) {
    for (const auto& [key, place] : shard.places) keys.insert(key);
    trials += shard.places.size();
  }
  EXPECT_EQ(trials, 8u);
  EXPECT_EQ(keys.size(), 8u);
}

}  // namespace
}  // namespace elmx
