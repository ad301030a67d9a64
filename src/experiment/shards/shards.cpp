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
struct OwnTrials {
  std::vector<std::string> keys;
  std::size_t first_place = 0;
  double work = 0;
};

std::vector<OwnTrials> own_trials_of_tasks(const Plan& plan) {
  std::vector<OwnTrials> all;
  std::set<std::string> known;
  for (const PlannedTask& task : tasks_of(plan)) {
    OwnTrials own;
    own.first_place = known.size();
    for (std::string& key : trial_keys(task)) {
      if (known.insert(key).second) own.keys.push_back(std::move(key));
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

std::vector<PlannedShard> shards_of(const Plan& plan, std::size_t of) {
  expects(of >= 1, "shards_of: at least one shard");
  std::vector<PlannedShard> shards(of);
  for (std::size_t i = 0; i < of; ++i) shards[i].number = {i + 1, of};
  std::vector<OwnTrials> tasks = own_trials_of_tasks(plan);
  std::ranges::stable_sort(tasks, std::ranges::greater(), &OwnTrials::work);
  for (OwnTrials& task : tasks) {
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
