#include "base/machine/shared_work.hpp"
#include "models/contract/contract.hpp"
#include "support/memory.hpp"
#include "support/threads.hpp"

// What `elmx plan` is told of every algorithm.

namespace elmx::contract {
namespace {

class PlannedCost : public AlgorithmTest {};

INSTANTIATE_TEST_SUITE_P(Registry, PlannedCost, testing::ValuesIn(network_algorithms()), name_of);

TEST_P(PlannedCost, IsPositiveAndGrowsWithTheNodesAndTheSamples) {
  const auto cost = [&](std::size_t nodes, uword samples) {
    return parsed(model(of_family.wider(nodes)))->cost(1, {samples, 100, 5, 2});
  };
  const Cost small = cost(100, 1000), wider = cost(200, 1000), longer = cost(100, 2000);

  EXPECT_GT(small.bytes, 1000 * 100 * 8);
  EXPECT_GT(small.flops, 0);
  EXPECT_GE(small.bytes_moved, 0);
  for (const Cost& larger : {wider, longer}) {
    EXPECT_GT(larger.bytes, small.bytes);
    EXPECT_GT(larger.flops, small.flops);
    EXPECT_GE(larger.bytes_moved, small.bytes_moved);
    EXPECT_GT(larger.flops + larger.bytes_moved, small.flops + small.bytes_moved);
  }
}

/// Plans and measures the bytes that the training of `algorithm` takes. They have to be within the root of two
/// either way, the widest range in which no number lies together with its double.
void judge_planned_bytes(const Json& model, const std::string& algorithm, uword train, const Rng& rng) {
  const Threads one(1);
  const Regression regression(2 * train, 5, 2);
  FoldView fold = regression.fold();
  fold.unlabelled.rows = fold.test.rows;

  const double taken = most_bytes_taken([&] {
    SharedWork shared(1e12);
    FakeClock clock;
    FoldView view = fold;
    view.shared = &shared;
    family_of(model, "/model")
        .prepare({parsed(model)}, std::move(view), rng)
        ->train(algorithm, clock, [](const Checkpoint& point) { EXPECT_EQ(point.status, Status::ok); });
  });

  const Cost cost = parsed(model)->cost(1, {train, train, 5, 2, train});
  const double planned = cost.bytes + cost.shared_bytes;
  EXPECT_LT(planned, std::sqrt(2) * taken) << train << " samples, " << model;
  EXPECT_GT(planned, taken / std::sqrt(2)) << train << " samples, " << model;
}

TEST_P(PlannedCost, BytesAreThoseThatATrialTakes) {
  if (!can_measure_memory()) GTEST_SKIP() << "sanitizers take memory of their own, or the kernel does not count ours";
  for (const auto& [train, nodes] : of_family.sizes_measured)
    judge_planned_bytes(model(of_family.wider(nodes)), algorithm, train, rng);
}

class PlannedUpdates : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Registry, PlannedUpdates, testing::ValuesIn(sample_algorithms()));

// A step of more samples than nodes, and one of fewer.
TEST_P(PlannedUpdates, BytesAreThoseOfTheLargestStep) {
  if (!can_measure_memory()) GTEST_SKIP() << "sanitizers take memory of their own, or the kernel does not count ours";
  const auto model = [](std::size_t nodes, std::size_t first, std::size_t all) -> Json {
    return {{"family", "elm"},
            {"algorithms", {GetParam()}},
            {"nodes", nodes},
            {"ridge", 1e-3},
            {"growth", {{"samples", {first, all}}}}};
  };
  judge_planned_bytes(model(150, 200, 2000), GetParam(), 2000, Rng(5, Purpose::layer));
  judge_planned_bytes(model(400, 1000, 1300), GetParam(), 1300, Rng(5, Purpose::layer));
}

}  // namespace
}  // namespace elmx::contract
