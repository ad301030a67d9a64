#include "base/machine/shared_work.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

namespace elmx {
namespace {

/// A piece of work that says how large it is.
struct Block {
  int value = 0;
  double size = 1;
  double bytes() const { return size; }
};

using Held = std::shared_ptr<const Block>;

/// Work of which it is counted how often it is done.
class Counted {
 public:
  explicit Counted(double limit) : work(limit) {}

  Held get(const std::string& key, int value, double size = 1) {
    return work.get<Block>(key, [&] {
      ++done;
      return Block{value, size};
    });
  }

  SharedWork work;
  std::atomic<int> done = 0;
};

/// `count` threads that do the same.
template <class Act>
void at_once(int count, const Act& act) {
  std::vector<std::thread> threads;
  for (int t = 0; t < count; ++t) threads.emplace_back([&, t] { act(t); });
  for (std::thread& thread : threads) thread.join();
}

TEST(SharedWork, IsDoneOnceForEveryKey) {
  Counted counted(100);

  const Held first = counted.get("a", 1), again = counted.get("a", 2), other = counted.get("b", 3);

  EXPECT_EQ(first, again);
  EXPECT_EQ(first->value, 1);
  EXPECT_EQ(other->value, 3);
  EXPECT_EQ(counted.done, 2);
  EXPECT_EQ(counted.work.bytes(), 2);
}

TEST(SharedWork, IsDoneOnceUnderManyThreadsAndTheOthersWait) {
  constexpr int kThreads = 8;
  SharedWork work(100);
  std::atomic<int> asking = 0, done = 0;
  std::vector<Held> pieces(kThreads);

  at_once(kThreads, [&](int t) {
    ++asking;
    pieces[static_cast<std::size_t>(t)] = work.get<Block>("key", [&] {
      while (asking < kThreads) std::this_thread::yield();  // until all the others are about to ask, too
      return Block{++done, 1};
    });
  });

  EXPECT_EQ(done, 1);
  for (const Held& piece : pieces) EXPECT_EQ(piece, pieces[0]);
}

TEST(SharedWork, OfDifferentKeysGoesOnAtTheSameTime) {
  SharedWork work(100);
  std::atomic<int> begun = 0;
  at_once(2, [&](int t) {
    work.get<Block>(std::to_string(t), [&] {
      ++begun;
      while (begun < 2) std::this_thread::yield();  // for ever, if one had to wait for the other
      return Block{};
    });
  });
  EXPECT_EQ(work.bytes(), 2);
}

TEST(SharedWork, DropsWhatWasNotUsedForLongestBeyondItsLimit) {
  Counted counted(10);
  counted.get("a", 1, 4);
  counted.get("b", 2, 4);
  counted.get("a", 1, 4);  // b is now the one not used for longest
  counted.get("c", 3, 4);

  EXPECT_EQ(counted.work.bytes(), 8);
  EXPECT_EQ(counted.done, 3);
  counted.get("a", 1, 4);
  counted.get("c", 3, 4);
  EXPECT_EQ(counted.done, 3) << "a and c are there";
  counted.get("b", 2, 4);
  EXPECT_EQ(counted.done, 4) << "b is not";
  EXPECT_EQ(counted.work.bytes(), 8);
}

TEST(SharedWork, DropsSeveralForALargeOneAndKeepsNoneThatIsTooLarge) {
  Counted counted(10);
  for (const char* key : {"a", "b", "c"}) counted.get(key, 1, 3);
  counted.get("large", 2, 8);
  EXPECT_EQ(counted.work.bytes(), 8);

  EXPECT_EQ(counted.get("too large", 3, 11)->value, 3);
  EXPECT_EQ(counted.work.bytes(), 0);
}

TEST(SharedWork, KeepsItsLimitUnderManyThreads) {
  SharedWork work(20);
  std::atomic<bool> wrong = false;
  at_once(4, [&](int t) {
    for (int i = 0; i < 500; ++i) {
      const int key = (i * (t + 1)) % 17;
      const Held piece = work.get<Block>(std::to_string(key), [&] { return Block{key, 1.0 + key % 5}; });
      if (piece->value != key || work.bytes() > 20) wrong = true;
    }
  });
  EXPECT_FALSE(wrong);
}

TEST(SharedWork, PiecesOutliveTheirPlace) {
  Held piece;
  {
    Counted counted(1);
    piece = counted.get("a", 7);
    counted.get("b", 8);
    EXPECT_EQ(counted.work.bytes(), 1);
    EXPECT_EQ(piece.use_count(), 1) << "the piece was dropped";
    EXPECT_EQ(piece->value, 7);
  }
  EXPECT_EQ(piece->value, 7);
}

TEST(SharedWork, ThatFailsFailsForAllAndNothingStays) {
  constexpr int kThreads = 6;
  SharedWork work(100);
  std::atomic<int> asking = 0, failed = 0;

  at_once(kThreads, [&](int) {
    ++asking;
    try {
      work.get<Block>("key", [&]() -> Block {
        while (asking < kThreads) std::this_thread::yield();
        throw std::runtime_error("no convergence");
      });
    } catch (const std::runtime_error& error) {
      failed += std::string(error.what()) == "no convergence";
    }
  });

  EXPECT_EQ(failed, kThreads);
  EXPECT_EQ(work.bytes(), 0);
  EXPECT_EQ(work.get<Block>("key", [] { return Block{5, 2}; })->value, 5) << "it is tried again";
  EXPECT_EQ(work.bytes(), 2);
}

}  // namespace
}  // namespace elmx
