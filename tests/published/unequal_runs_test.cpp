#include <gtest/gtest.h>

#include "published/judged.hpp"

// Verdicts if some runs, or some of their folds, are missing: only runs that both sides have are compared.

namespace elmx {
namespace {

/// Renumbers the runs.
void shift_repeats(std::vector<Record>& records, std::size_t from, arma::uword by) {
  for (std::size_t i = from; i < records.size(); ++i) {
    records[i].repeat += by;
    records[i].key += "+" + std::to_string(by);
  }
}

TEST(UnequalRuns, AQuotientIsOfTheRunsThatBothHave) {
  const auto verdict = [](arma::uword shift) {
    std::vector<Record> records;
    add_runs(records, "a", {10, 10.1, 9.9});
    const std::size_t first = records.size();
    add_runs(records, "b", {6, 10, 15});
    shift_repeats(records, first, shift);
    return texts(judged(R"({"rules": [{"rule": "absolute", "tolerance": 0.1, "relative_to": {"algorithm": "b"}}]})",
                        "dataset,algorithm,metric,value\nset,a,m,5\nset,b,m,5\n", records))
        .at(0);
  };

  EXPECT_TRUE(verdict(0).starts_with("consistent")) << "b is 6 to 15";
  EXPECT_EQ(verdict(3), "consistent, needs at least 1 more run") << "no run has both";
}

TEST(UnequalRuns, AnOrderOfDeviationsIsOfTheRunsThatBothHave) {
  const auto verdicts = [](const std::vector<double>& b) {
    std::vector<Record> records;
    add_runs(records, "a", {4.9, 5, 5.1});
    add_runs(records, "b", b);
    return texts(judged(R"({"rules": [{"rule": "order"}]})",
                        "dataset,algorithm,statistic,metric,value\nset,a,sd,m,1\nset,b,sd,m,2\n", records));
  };

  EXPECT_EQ(verdicts({5, 4.8, 5.2, 0, 10, 0, 10, 20}), verdicts({5, 4.8, 5.2}));
}

TEST(UnequalRuns, WithoutARunOfBothOneMoreMayDo) {
  std::vector<Record> records;
  add_runs(records, "a", {1, 2});
  add_runs(records, "b", {3, 4});
  shift_repeats(records, 2, 2);

  EXPECT_EQ(texts(judged(R"({"rules": [{"rule": "order"}]})", "dataset,algorithm,metric,value\nset,a,m,1\nset,b,m,2\n",
                         records)),
            Texts(2, "consistent, needs at least 1 more run"));
}

TEST(UnequalRuns, ARepeatCountsOnceHoweverManyOfItsFoldsAreLeft) {
  // Five repeats at 1 with five folds, five at 2 with one remaining fold: 1.5 +- t(9) 0.527 / sqrt(10), not
  // 35 / 30.
  std::vector<Record> records;
  for (arma::uword repeat = 0; repeat < 10; ++repeat) {
    for (arma::uword fold = 0; fold < (repeat < 5 ? 5u : 1u); ++fold) {
      records.push_back(one_step_record("set", "a", fold, 3, {{"m", repeat < 5 ? 1.0 : 2.0}}));
      records.back().repeat = repeat;
      records.back().key += std::to_string(repeat);
    }
  }
  const auto verdict = [&](const std::string& tolerance) {
    return texts(judged(R"({"rules": [{"rule": "absolute", "tolerance": )" + tolerance + "}]}",
                        "dataset,algorithm,metric,value\nset,a,m,1\n", records))
        .at(0);
  };

  EXPECT_TRUE(verdict("0.55").starts_with("consistent"));
  EXPECT_EQ(verdict("0.9"), "agrees");
}

TEST(UnequalRuns, SpeedUpsOverSeveralReferencesAreNotOrderedByTheirTimes) {
  // a over r is 5, b over s is 2, but b takes half the time of a
  std::vector<Record> records;
  for (const auto& [name, seconds] :
       {std::pair("r", 10.0), std::pair("a", 2.0), std::pair("s", 2.0), std::pair("b", 1.0)}) {
    add_runs(records, name, std::vector<double>(6, 1));
    for (std::size_t i = records.size() - 6; i < records.size(); ++i)
      records[i].steps[0].total_seconds = seconds * (i % 2 == 0 ? 1 : 1.001);
  }

  EXPECT_EQ(texts(judged(R"({"reference": "{reference}", "rules": [{"rule": "order"}]})",
                         "dataset,algorithm,reference,metric,value\nset,a,r,total_speedup,5\nset,b,s,total_speedup,2\n",
                         records)),
            Texts(2, "agrees"));
}

TEST(BestSize, IsNotOneWithoutANumber) {
  std::vector<Record> records;
  for (arma::uword run = 0; run < 3; ++run) {
    for (const auto& [nodes, value] : {std::pair(3u, arma::datum::nan), std::pair(5u, 0.9), std::pair(7u, 0.8)}) {
      records.push_back(one_step_record("set", "a", 0, nodes, {{"m", value + 1e-3 * static_cast<double>(run)}}));
      if (nodes == 3) records.back().steps[0].metrics.clear();
      records.back().repeat = run;
      records.back().key += std::to_string(run) + "," + std::to_string(nodes);
    }
  }

  EXPECT_EQ(texts(judged(R"({"nodes": "best", "rules": [{"rule": "absolute", "tolerance": 0.05}]})",
                         "dataset,algorithm,metric,value\nset,a,m,0.9\n", records)),
            Texts{"agrees"});
}

}  // namespace
}  // namespace elmx
