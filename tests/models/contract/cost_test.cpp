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

// Within the root of two either way, the widest range in which no number lies together with its double.
TEST_P(PlannedCost, BytesAreThoseThatATrialTakes) {
  if (!can_measure_memory()) GTEST_SKIP() << "sanitizers take memory of their own, or the kernel does not count ours";
  const Threads one(1);
  for (const auto& [train, nodes] : of_family.sizes_measured) {
    const Regression regression(2 * train, 5, 2);
    const Json changes = of_family.wider(nodes);
    FoldView fold = regression.fold();
    fold.unlabelled.rows = fold.test.rows;

    const double taken = most_bytes_taken([&] {
      SharedWork shared(1e12);
      FakeClock clock;
      FoldView view = fold;
      view.shared = &shared;
      family()
          .prepare({parsed(model(changes))}, std::move(view), rng)
          ->train(algorithm, clock, [](const Checkpoint& point) { EXPECT_EQ(point.status, Status::ok); });
    });

    const Cost cost = parsed(model(changes))->cost(1, {train, train, 5, 2, train});
    const double planned = cost.bytes + cost.shared_bytes;
    EXPECT_LT(planned, std::sqrt(2) * taken) << train << " samples, " << nodes << " nodes";
    EXPECT_GT(planned, taken / std::sqrt(2)) << train << " samples, " << nodes << " nodes";
  }
}

}  // namespace
}  // namespace elmx::contract
