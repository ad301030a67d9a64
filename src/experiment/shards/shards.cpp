#include "experiment/shards/shards.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <numeric>

#include "experiment/plan/plan.hpp"

namespace elmx {
namespace {

/// Estimates the cost of all points of a task computed together, even if this machine lacks the memory for
/// that.
double work_of_task(const PlannedTask& task, std::size_t trials) {
  std::size_t points = 0;
  for (const PlannedCase& c : task.cases) points += c.specs.size();
  const PlannedCase& first = task.cases.front();
  return ordinary_seconds(first.spec().model->cost(points, first.sizes), trials);
}

/// The trials of a task that no earlier task has, and their cost.
struct TaskWork {
  std::vector<std::string> keys;
  std::size_t first_place = 0;
  double work = 0;
};

std::vector<TaskWork> work_of_tasks(const Plan& plan) {
  std::vector<TaskWork> all;
  std::set<std::string> in_earlier_tasks;
  for (const PlannedTask& task : tasks_of(plan)) {
    TaskWork own;
    own.first_place = in_earlier_tasks.size();
    for (std::string& key : trial_keys(task)) {
      if (in_earlier_tasks.insert(key).second) own.keys.push_back(std::move(key));
    }
    if (own.keys.empty()) continue;
    own.work = work_of_task(task, own.keys.size());
    all.push_back(std::move(own));
  }
  return all;
}

}  // namespace

ShardNumber read_shard_number(const std::string& text) {
  ShardNumber shard{0, 0};
  const bool two_numbers = std::sscanf(text.c_str(), "%zu/%zu", &shard.number, &shard.of) == 2 &&
                           text == fmt::format("{}/{}", shard.number, shard.of);
  if (two_numbers && shard.number >= 1 && shard.number <= shard.of && shard.of <= kMostShards) return shard;
  throw ConfigError("--shard", fmt::format("expected I/N (shard I of N, from 1/N to N/N, N at most {}), found \"{}\"",
                                           kMostShards, text));
}

std::string show(const ShardNumber& shard) { return fmt::format("shard {} of {}", shard.number, shard.of); }

std::string folder_of_shard(const ShardNumber& shard) { return fmt::format("shard-{}-of-{}", shard.number, shard.of); }

std::vector<PlannedShard> shards_of(const Plan& plan, std::size_t of) {
  expects(of >= 1, "shards_of: at least one shard");
  std::vector<PlannedShard> shards(of);
  for (std::size_t i = 0; i < of; ++i) shards[i].number = {i + 1, of};
  std::vector<TaskWork> tasks = work_of_tasks(plan);
  std::ranges::stable_sort(tasks, std::ranges::greater(), &TaskWork::work);
  for (TaskWork& task : tasks) {
    PlannedShard& shard = *std::ranges::min_element(shards, {}, &PlannedShard::work);
    ++shard.tasks;
    shard.work += task.work;
    for (std::size_t i = 0; i < task.keys.size(); ++i)
      shard.places.emplace(std::move(task.keys[i]), task.first_place + i);
  }
  double all = 0;
  for (const PlannedShard& shard : shards) all += shard.work;
  for (PlannedShard& shard : shards) shard.part = shard.work / all;
  return shards;
}

Json describe_shard(const PlannedShard& shard) {
  return {{"number", shard.number.number}, {"of", shard.number.of}, {"trials", shard.places}};
}

}  // namespace elmx
