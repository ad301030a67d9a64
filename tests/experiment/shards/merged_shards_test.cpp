#include <gtest/gtest.h>

#include <fstream>

#include "base/files/files.hpp"
#include "experiment/records/stored_run.hpp"
#include "experiment/run/runner.hpp"
#include "experiment/shards/shards.hpp"
#include "support/configs.hpp"
#include "support/scratch.hpp"
#include "support/thrown.hpp"

namespace elmx {
namespace {

/// Two cases that share some trials; each has some points of its own.
Json overlapping_config() {
  Json config = small_config();
  config["model"].erase("ridge");
  config["cases"] = {{"one", {{"data", {{"set", "friedman1"}, {"samples", 60}}}, {"model", {{"ridge", {0.1, 1}}}}}},
                     {"other", {{"data", {{"set", "friedman1"}, {"samples", 60}}}, {"model", {{"ridge", {1, 10}}}}}}};
  return config;
}

class MergedShardsTest : public ScratchTest {
 protected:
  void run(const Json& config, const std::filesystem::path& folder, std::optional<ShardNumber> number = {},
           int jobs = 1) const {
    const Plan plan = make_plan(config, "no data directory");
    Json experiment = describe_experiment(config, plan);
    std::optional<PlannedShard> shard;
    if (number) shard = shards_of(plan, number->of)[number->number - 1];
    if (shard) experiment["shard"] = describe_shard(*shard);
    ResultsFolder results(folder, experiment, Earlier::resume);
    run_plan(plan, results,
             {.jobs = jobs,
              .make_clock = [] { return std::make_unique<FakeClock>(); },
              .stop = nullptr,
              .shard = shard ? &*shard : nullptr},
             [](const Record&) {});
  }
  void run_shards(const Json& config, std::size_t of) const {
    for (std::size_t i = 1; i <= of; ++i)
      run(config, folder_ / "shards" / folder_of_shard({i, of}), ShardNumber{i, of});
  }
  std::filesystem::path merge() const {
    const MergedShards merged = merge_shards(shards_in({folder_ / "shards"}), false);
    ResultsFolder results(folder_ / "merged", merged.experiment, Earlier::resume);
    write_merged(merged, results);
    return folder_ / "merged";
  }
  static std::string text_of(const std::filesystem::path& folder) { return read_file(folder / "records.jsonl"); }
};

TEST_F(MergedShardsTest, AreTheRunOfOneMachineByteForByte) {
  for (const Json& config : {small_config(), overlapping_config()}) {
    run(config, folder_ / "one");
    run(config, folder_ / "jobs", {}, 4);
    EXPECT_EQ(text_of(folder_ / "jobs"), text_of(folder_ / "one"));
    for (const std::size_t of : {1u, 3u, 9u}) {
      run_shards(config, of);
      EXPECT_EQ(text_of(merge()), text_of(folder_ / "one")) << of;
      std::filesystem::remove_all(folder_ / "shards");
      std::filesystem::remove_all(folder_ / "merged");
    }
    std::filesystem::remove_all(folder_);
  }
}

TEST_F(MergedShardsTest, GoOnAsTheWholeRun) {
  run_shards(small_config(), 3);
  const std::string merged = text_of(merge());
  EXPECT_EQ(StoredRun(folder_ / "merged").planned().here, 12u);
  EXPECT_EQ(StoredRun(folder_ / "merged").planned().part, "");

  run(small_config(), folder_ / "merged");

  EXPECT_EQ(text_of(folder_ / "merged"), merged);
}

TEST_F(MergedShardsTest, AShardHasItsTrialsOnly) {
  run_shards(small_config(), 3);
  std::size_t records = 0;
  for (const ShardFolder& shard : shards_in({folder_ / "shards"})) {
    const PlannedTrials planned = StoredRun(shard.path).planned();
    EXPECT_EQ(planned.here, shard.places.size());
    EXPECT_EQ(planned.all, 12u);
    EXPECT_EQ(planned.part, show(shard.number));
    EXPECT_EQ(read_records(shard.path).size(), shard.places.size());
    records += shard.places.size();
  }
  EXPECT_EQ(records, 12u);
}

TEST_F(MergedShardsTest, OfDamagedDescriptionsAreRefused) {
  run_shards(small_config(), 2);
  const auto file = folder_ / "shards" / "shard-1-of-2" / "experiment.json";
  const Json good = read_json_file(file);
  const auto refused = [&](const Json& damaged) {
    std::ofstream(file) << damaged.dump();
    EXPECT_EQ(place_thrown<DataError>([&] { shards_in({folder_ / "shards"}); }), file.string());
  };
  for (const char* place : {"/shard/number", "/shard/trials", "/resolved/0/trials", "/resolved"}) {
    for (const Json& value : {Json(), Json("x"), Json(-1.5), Json({{"a", "b"}}), Json({1, 2})}) {
      Json damaged = good;
      damaged[Json::json_pointer(place)] = value;
      refused(damaged);
    }
  }
}

}  // namespace
}  // namespace elmx
