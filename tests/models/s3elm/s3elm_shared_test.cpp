#include <gtest/gtest.h>

#include "base/machine/shared_work.hpp"
#include "models/s3elm/s3elm_by_definition.hpp"
#include "support/threads.hpp"

namespace elmx::s3elm_by_definition {
namespace {

using s3elm_by_definition::run;

/// A clock that ticks once a look: pieces that are measured count one each.
struct Timed {
  const char* algorithm;
  const char* changes;
  double ticks;
};

// A trial of a run that finds everything made has the times of the first.
TEST(S3elmShared, TimesCountEveryPieceWhoeverHasMadeIt) {
  const Moons moons;
  const std::vector<Timed> all{// Gram matrix, solution
                               {"elm", R"({"elm": {"gamma": [1, 2]}})", 2},
                               {"op-elm", "{}", 1},
                               // basis, lift, graph, L Q, QR, solution
                               {"selm", R"({"selm": {"lambda": [0.1, 0.2]}, "graph": {"sigma": [1, 2]}})", 6},
                               {"selm", R"({"selm": {"form": "exact"}, "graph": {"kind": "knn"}})", 6},
                               // basis, start, graph, [Q E], factor, form, training
                               {"s3elm", R"({"s3elm": {"mu": [0.1, 0.5]}, "graph": {"sigma": [1, 2]}})", 7},
                               // basis, start, graph, spectrum, V'[Q E], form, training
                               {"s3elm", R"({"s3elm": {"mu": [0.1, 0.5, 0.9]}, "graph": {"sigma": [1, 2]}})", 7},
                               // basis, start, graph, [Q E], form, training
                               {"s3elm", R"({"s3elm": {"mu": [0.1, 0.5, 0.9]}, "graph": {"kind": "knn"}})", 6},
                               // basis, start, graph, Q'LQ, training
                               {"s3elm", R"({"s3elm": {"mu": [0.1, 0.5], "variant": "hw_equals_y"}})", 5}};
  for (const auto& [algorithm, changes, ticks] : all) {
    SharedWork work(1e9);
    const auto first = run(model(changes), moons.fold(&work), algorithm),
               second = run(model(changes), moons.fold(&work), algorithm),
               alone = run(model(changes), moons.fold(), algorithm);
    for (const auto& points : {first, second, alone}) {
      for (const Checkpoint& point : points)
        EXPECT_EQ(point.total_seconds, FakeClock::kTick * ticks) << changes << " " << algorithm;
    }
  }
}

/// Trials of a run whose pieces are easily taken for one another.
struct Trial {
  const char* algorithm;
  const char* changes;
  int labelling = 0;
  std::uint32_t repeat = 0;
};

std::vector<Checkpoint> run(const Trial& trial, SharedWork* work) {
  Moons moons;
  if (trial.labelling == 1) moons.label({1, 2, 9, 10, 17, 23, 30, 38});
  if (trial.labelling == 2) moons.unlabelled = moons.unlabelled.head(20);
  if (trial.labelling == 3) moons.unlabelled.back() = 45;
  if (trial.labelling == 4) moons.X.row(moons.unlabelled(0)) *= 3;  // the others are scaled differently with it
  return run(model(trial.changes), moons.fold(work), trial.algorithm, Rng(5, Purpose::layer, trial.repeat));
}

const std::vector<Trial> kTrials{{"s3elm", "{}"},
                                 {"selm", "{}"},
                                 {"s3elm", "{}", 1},
                                 {"s3elm", "{}", 2},
                                 {"s3elm", "{}", 3},
                                 {"s3elm", "{}", 4},
                                 {"selm", "{}", 2},
                                 {"s3elm", "{}", 0, 1},
                                 {"selm", R"({"activation": "tanh"})"},
                                 {"selm", R"({"activation": "rbf", "weights": [-1, 1]})"},
                                 {"selm", R"({"activation": "tanh", "weights": [-1, 1]})"},
                                 {"selm", R"({"nodes": 13})"},
                                 {"s3elm", R"({"graph": {"sigma": [8]}})"},
                                 {"s3elm", R"({"graph": {"sigma": [8, 4]}, "s3elm": {"mu": [0.4, 0.8]}})"},
                                 {"s3elm", R"({"graph": {"sigma": [8, 4]}, "s3elm": {"mu": [0.4, 0.8, 0.1]}})"},
                                 {"s3elm", R"({"s3elm": {"tau": 100}})"},
                                 {"s3elm", R"({"graph": {"normalised": true}})"},
                                 {"s3elm", R"({"graph": {"normalised": true}, "s3elm": {"mu": [0.4, 0.8, 0.1]}})"},
                                 {"s3elm", R"({"graph": {"kind": "knn", "neighbours": 3}})"},
                                 {"s3elm", R"({"graph": {"kind": "knn", "neighbours": 4}})"},
                                 {"s3elm", R"({"graph": {"kind": "knn", "neighbours": 4, "sigma": [1]}})"},
                                 {"s3elm", R"({"graph": {"kind": "knn", "neighbours": 4, "normalised": true}})"},
                                 {"s3elm", R"({"graph": {"kind": "sparse_coding"}})"},
                                 {"s3elm", R"({"graph": {"kind": "sparse_coding", "unit_norm": true}})"},
                                 {"s3elm", R"({"graph": {"kind": "heat", "sigma": [1]}})"}};

TEST(S3elmShared, ResultsAreThoseOfAUnitAloneInAnyOrder) {
  std::vector<std::vector<Checkpoint>> alone;
  for (const Trial& trial : kTrials) alone.push_back(run(trial, nullptr));
  for (std::size_t i = 0; i < kTrials.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j)
      EXPECT_FALSE(same_results(alone[i], alone[j])) << i << " and " << j << " would not tell";
  }
  for (const double limit : {1e9, 3e4, 1.0}) {  // all is kept, some, nothing
    for (const std::size_t step : {1u, 5u, 23u}) {
      SharedWork work(limit);
      for (std::size_t k = 0; k < kTrials.size(); ++k) {
        const std::size_t trial = k * step % kTrials.size();
        EXPECT_TRUE(same_results(run(kTrials[trial], &work), alone[trial]))
            << "trial " << trial << ", steps of " << step << ", limit " << limit;
      }
      EXPECT_LE(work.bytes(), limit);
    }
  }
}

// What two labellings of the same samples have in common is made once.
TEST(S3elmShared, OtherLabelsOfTheSameSamplesNeedNoOtherPieces) {
  SharedWork work(1e9);
  run(Trial{"s3elm", "{}"}, &work);
  const double bytes = work.bytes();

  run(Trial{"s3elm", "{}", 1}, &work);
  run(Trial{"selm", "{}", 1}, &work);

  EXPECT_EQ(work.bytes(), bytes);
  EXPECT_GE(bytes, 8.0 * (40 * 12 + 40 * 40 + 40 * 40)) << "H, Laplacian, factor";
  run(Trial{"s3elm", "{}", 2}, &work);
  EXPECT_GT(work.bytes(), bytes);
}

// One spectrum serves three mu and more; one or two have a factor each.
TEST(S3elmShared, ASpectrumIsMadeWhereItIsCheaperThanFactors) {
  const auto bytes = [](const char* mu) {
    SharedWork work(1e9);
    run(model(std::string(R"({"s3elm": {"mu": )") + mu + "}}"), Moons().fold(&work), "s3elm");
    return work.bytes();
  };
  const double factor = 8 * 40 * 40, spectrum = 8 * (40 * 40 + 40);
  const double pieces = bytes("[0.4]") - factor;

  EXPECT_EQ(bytes("[0.4, 0.8]"), pieces + 2 * factor);
  EXPECT_EQ(bytes("[0.4, 0.8, 0.1]"), pieces + spectrum);
  EXPECT_EQ(bytes("[0.4, 0.8, 0.1, 0.2]"), pieces + spectrum);
}

TEST(S3elm, DoesNotDependOnTheNumberOfThreads) {
  for (const Trial& trial : kTrials) {
    const auto on = [&](int count) {
      const Threads scope(count);
      return run(trial, nullptr);
    };

    EXPECT_TRUE(same_results(on(1), on(2))) << trial.algorithm << " " << trial.changes;
  }
}

}  // namespace
}  // namespace elmx::s3elm_by_definition
