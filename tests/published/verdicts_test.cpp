#include "published/verdicts.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

#include "metrics/registry.hpp"
#include "published/judged.hpp"

// Verdicts by definition: error rates if the truth is known, Holm's correction by hand, and undecided cases.

namespace elmx {
namespace {

std::vector<Record> runs_of(const std::vector<double>& values) {
  std::vector<Record> records;
  add_runs(records, "standard", values);
  return records;
}

std::string verdict_on(const std::string& rule, const std::vector<double>& values, const std::string& more = "",
                       const std::string& table = "dataset,statistic,metric,value\nset,mean,m,10\nset,sd,m,0.5\n") {
  return texts(judged(R"({"where": {"statistic": "mean"}, )" + more + R"("rules": [)" + rule + "]}", table,
                      runs_of(values)))
      .at(0);
}

constexpr const char* kWithinOne = R"({"rule": "absolute", "tolerance": 1})";

TEST(VerdictOnAValue, NeedsTheIntervalOnOneSideOfTheBound) {
  // mean +- t(2) 0.1 / sqrt(3) = mean +- 0.248
  EXPECT_EQ(verdict_on(kWithinOne, {10.6, 10.7, 10.8}), "agrees");
  EXPECT_EQ(verdict_on(kWithinOne, {10.7, 10.8, 10.9}), "consistent, about 1 more run would decide")
      << "t(3) 0.1 / 2 = 0.159";
  EXPECT_EQ(verdict_on(kWithinOne, {11.1, 11.2, 11.3}), "contrary, about 1 more run would decide");
  EXPECT_EQ(verdict_on(kWithinOne, {11.2, 11.3, 11.4}), "disagrees");
  EXPECT_EQ(verdict_on(kWithinOne, {9.2, 9.3, 9.4}), "agrees");
  EXPECT_EQ(verdict_on(kWithinOne, {8.6, 8.7, 8.8}), "disagrees");
}

TEST(VerdictOnAValue, OfOneRunNeedsAnExactNumberOrAPublishedSpread) {
  EXPECT_EQ(verdict_on(kWithinOne, {10}), "consistent, needs at least 1 more run");
  EXPECT_EQ(verdict_on(kWithinOne, {12}), "contrary, needs at least 1 more run");
  EXPECT_EQ(verdict_on(R"({"rule": "absolute", "tolerance": 1, "exact": true})", {10}), "agrees");
  EXPECT_EQ(verdict_on(R"({"rule": "absolute", "tolerance": 1, "exact": true})", {11.01}), "disagrees");
  // t(99) 0.5 sqrt(1 + 1 / 100) = 0.997
  EXPECT_EQ(verdict_on(kWithinOne, {10.002}, R"("published_runs": 100, )"), "agrees");
  EXPECT_EQ(verdict_on(kWithinOne, {10.004}, R"("published_runs": 100, )"),
            "consistent, about 1 more run would decide");
  EXPECT_EQ(verdict_on(kWithinOne, {11.996}, R"("published_runs": 100, )"), "contrary, about 1 more run would decide");
  EXPECT_EQ(verdict_on(kWithinOne, {11.998}, R"("published_runs": 100, )"), "disagrees");
}

TEST(VerdictOnAValue, ComparesFoldsOfAPaperWithRepeatsEachByItsOwnSpread) {
  const auto verdict = [](double mean, const std::string& more) {
    std::vector<double> runs;
    for (int i = 0; i < 10; ++i) runs.insert(runs.end(), {mean - 0.1, mean + 0.1});
    return verdict_on(kWithinOne, runs, more);
  };
  const std::string runs = R"("published_runs": 5, )", folds = runs + R"("published_spread": "folds", )";

  // 0.5 / sqrt(5) = 0.224 with 4 degrees of freedom: 0.62, which no further run reduces
  EXPECT_EQ(verdict(10.3, folds), "agrees");
  EXPECT_EQ(verdict(10.5, folds), "consistent, more runs would not do");
  EXPECT_EQ(verdict(11.5, folds), "contrary, more runs would not do");
  EXPECT_EQ(verdict(11.7, folds), "disagrees");
  // the spread of both is 0.23: 0.23 sqrt(1 / 20 + 1 / 5) = 0.115 of 23 degrees: 0.24
  EXPECT_EQ(verdict(10.5, runs), "agrees");
  EXPECT_EQ(verdict(11.5, runs), "disagrees");
}

TEST(VerdictOnAValue, ThatIsExactButDiffersFromRunToRunIsJudgedByItsSpread) {
  EXPECT_EQ(verdict_on(R"({"rule": "absolute", "tolerance": 1, "exact": true})", {10, 10, 10}), "agrees");
  EXPECT_EQ(verdict_on(R"({"rule": "absolute", "tolerance": 1, "exact": true})", {9, 10, 11}),
            "consistent, about 4 more runs would decide");
}

TEST(VerdictOnAValue, OfRunsThatAreAlikeNeedsSixOfThem) {
  EXPECT_EQ(verdict_on(kWithinOne, {10, 10}), "consistent, about 4 more runs would decide");
  EXPECT_EQ(verdict_on(kWithinOne, std::vector<double>(5, 10)), "consistent, about 1 more run would decide");
  EXPECT_EQ(verdict_on(kWithinOne, std::vector<double>(6, 10)), "agrees");
  EXPECT_EQ(verdict_on(kWithinOne, std::vector<double>(6, 12)), "disagrees");
}

TEST(VerdictOnAValue, HasOneBoundWhereTheRuleHasOne) {
  EXPECT_EQ(verdict_on(R"({"rule": "at_most_times", "factor": 2})", {1, 2, 3}), "agrees");
  EXPECT_EQ(verdict_on(R"({"rule": "at_most_times", "factor": 2})", {21, 23, 25}),
            "contrary, about 2 more runs would decide")
      << "t(2) 2 / sqrt(3) = 4.97, t(3) 2 / 2 = 3.18, t(4) 2 / sqrt(5) = 2.48";
  EXPECT_EQ(verdict_on(R"({"rule": "not_below", "tolerance": 1})", {100, 200, 300}),
            "consistent, about 1 more run would decide");
  EXPECT_EQ(verdict_on(R"({"rule": "relative", "tolerance": 0.1})", {11.2, 11.3, 11.4}), "disagrees");
}

TEST(VerdictOnAValue, HasItsBoundOnTheSameSideOfANegativeNumber) {
  const std::string minus_ten = "dataset,statistic,metric,value\nset,mean,m,-10\n";
  const auto verdict = [&](const std::string& rule, double mean) {
    return verdict_on(rule, {mean - 0.1, mean, mean + 0.1}, "", minus_ten);
  };
  EXPECT_EQ(verdict(R"({"rule": "at_most_times", "factor": 2})", -10), "agrees");
  EXPECT_EQ(verdict(R"({"rule": "at_most_times", "factor": 2})", 1), "disagrees");
}

TEST(VerdictOnAValue, AtItsBoundButForRoundingIsWithinIt) {
  const std::vector<double> alike(6, 0.9585);  // 95.85 * 0.01 is an ulp more
  EXPECT_EQ(texts(judged(R"({"rules": [{"rule": "absolute", "tolerance": 0, "exact": true, "scale": 0.01}]})",
                         "dataset,metric,value\nset,m,95.85\n", runs_of(alike))),
            Texts{"agrees"});
  EXPECT_EQ(texts(judged(R"({"rules": [{"rule": "at_most_times", "factor": 1.15}]})",
                         "dataset,metric,value\nset,m,0.1\n", runs_of(std::vector<double>(6, 0.115)))),
            Texts{"agrees"});
}

/// Returns six runs at 3 and 5 nodes; at 5 nodes the first one failed.
std::vector<Record> runs_of_two_sizes() {
  std::vector<Record> records = runs_of(std::vector<double>(6, 0.9));
  for (Record& record : records) {
    record.steps.push_back(record.steps[0]);
    record.steps[1].nodes = 5;
    record.steps[1].metrics["m"] = 0.99;
  }
  records[0].steps[1].status = Status::not_positive_definite;
  return records;
}

TEST(VerdictOnAValue, KnowsTheFailuresOfItsOwnSizeAlone) {
  const auto diverges = [](const std::vector<Record>& records) {
    return judged(R"({"nodes": "best", "rules": [{"rule": "diverges"}]})", "dataset,metric,value\nset,m,0.95\n",
                  records);
  };
  const PaperComparison comparison = diverges(runs_of_two_sizes());
  EXPECT_EQ(texts(comparison), Texts{"disagrees"}) << "the size at which all have succeeded";
  EXPECT_EQ(comparison.table.footnotes, Texts{});
  std::vector<Record> overflow = runs_of(std::vector<double>(6, 0.9));
  overflow[0].status = TrialStatus::numeric(std::string("m: ") + kNotFinite);
  overflow[0].steps[0].notes["m"] = kNotFinite;
  overflow[0].steps[0].metrics.erase("m");
  EXPECT_EQ(texts(diverges(overflow)), Texts{"agrees"}) << "larger than any number";
  EXPECT_EQ(diverges(overflow).table.footnotes, Texts{"1 trial of it failed"});
}

TEST(VerdictOnAValue, NeedsAPublishedNumberThatIsFinite) {
  for (const std::string text : {"nan", "inf", "-inf"}) {
    EXPECT_EQ(verdict_on(kWithinOne, {10, 10.1, 10.2}, "", "dataset,statistic,metric,value\nset,mean,m," + text + "\n"),
              "shown")
        << text;
  }
}

TEST(VerdictOnAValue, CountsNeitherWayWhileItIsOpen) {
  const PaperComparison comparison =
      judged(R"({"rules": [{"rule": "absolute", "tolerance": 1}]})", "dataset,metric,value\nset,m,10\n", runs_of({10}));

  EXPECT_EQ(comparison[Verdict::consistent], 1u);
  EXPECT_EQ(comparison[Verdict::agrees] + comparison[Verdict::disagrees] + comparison[Verdict::not_available], 0u);
  EXPECT_EQ(comparison.table.remarks.at(0), "agree: 0 of 1 cells; 0 disagree, 1 consistent");
  EXPECT_EQ(comparison.table.remarks.at(1),
            "consistent and contrary cells are not decided; for 1 of them the runs at hand do not tell how many");
}

/// The frequencies of the first verdict over tables of n runs.
struct Frequencies {
  double agrees = 0, disagrees = 0;
};

Frequencies of_tables(double mean, std::size_t n, int trials) {
  std::mt19937_64 engine(3);
  std::normal_distribution<double> normal(mean, 1);
  Frequencies found;
  for (int i = 0; i < trials; ++i) {
    std::vector<double> values(n);
    for (double& value : values) value = normal(engine);
    const std::string verdict = verdict_on(R"({"rule": "absolute", "tolerance": 3})", values);
    found.agrees += (verdict == "agrees") / static_cast<double>(trials);
    found.disagrees += (verdict == "disagrees") / static_cast<double>(trials);
  }
  return found;
}

TEST(VerdictOnAValue, IsWrongAtMostAsOftenAsTheLevelSays) {
  const int trials = 1000;
  const double most = 0.025 + 4 * std::sqrt(0.025 / trials);

  const Frequencies at_bound = of_tables(13, 5, trials);
  EXPECT_LE(at_bound.agrees, most);
  EXPECT_LE(at_bound.disagrees, most);
  EXPECT_GT(at_bound.agrees + at_bound.disagrees, 0.02) << "not for lack of any verdict";
  EXPECT_LE(of_tables(12.9, 5, trials).disagrees, most);
  EXPECT_LE(of_tables(13.1, 5, trials).agrees, most);
  EXPECT_GT(of_tables(10, 5, trials).agrees, 0.9);
  EXPECT_GT(of_tables(16.5, 5, trials).disagrees, 0.9);
}

TEST(VerdictOnAValue, IsOpenWhereTheBoundLiesInTheIntervalThatIsShown) {
  for (const double run : {8.5, 8.995, 9.005, 9.9, 10.002, 10.004, 10.5, 11.5, 11.996, 11.998, 13.0}) {
    for (const std::vector<double>& runs : {std::vector{run}, std::vector{run - 0.3, run, run + 0.3}}) {
      const PaperComparison one = judged(
          std::string(R"({"where": {"statistic": "mean"}, "published_runs": 100, "rules": [)") + kWithinOne + "]}",
          "dataset,statistic,metric,value\nset,mean,m,10\nset,sd,m,0.5\n", runs_of(runs));
      const std::vector<Column>& columns = one.table.columns;
      const auto at = static_cast<std::size_t>(std::ranges::find(columns, "low", &Column::name) - columns.begin());
      const double low = one.table.rows[0][at].value.value(), high = one.table.rows[0][at + 1].value.value();
      const bool bound_within = (low < 9 && 9 < high) || (low < 11 && 11 < high);
      EXPECT_EQ(one[Verdict::consistent] + one[Verdict::contrary] == 1, bound_within)
          << run << " of " << runs.size() << ": " << low << " to " << high;
    }
  }
}

/// Returns three runs whose differences have the one-sided p: with two degrees of freedom, t = (1 - 2
/// p) / sqrt(2 p (1 - p)).
std::vector<double> with_p(double p) {
  const double mean = (1 - 2 * p) / std::sqrt(2 * p * (1 - p)) / std::sqrt(3.0);
  return {mean - 1, mean, mean + 1};
}

/// Judges three sets in which b is above a by differences with these p (NaN: not run). The published order is
/// b above a, in one table or in three.
Texts three_pairs(double first, double second, double third, bool in_three = false) {
  std::vector<Record> records;
  std::string table = "table,dataset,algorithm,metric,value\n";
  for (const auto& [name, p] : {std::pair("one", first), std::pair("two", second), std::pair("three", third)}) {
    if (!std::isnan(p)) {
      add_runs(records, "a", {50, 70, 60}, name);
      std::vector<double> b = with_p(p);
      for (std::size_t i = 0; i < 3; ++i) b[i] += std::vector<double>{50, 70, 60}[i];
      add_runs(records, "b", b, name);
    }
    const std::string place = (in_three ? std::string(name) : "1") + "," + name;
    table += place + ",a,m,1\n" + place + ",b,m,2\n";
  }
  const Texts all = texts(judged(R"({"rules": [{"rule": "order"}]})", table, records));
  EXPECT_EQ(all[0], all[1]);
  EXPECT_EQ(all[2], all[3]);
  EXPECT_EQ(all[4], all[5]);
  Texts kinds;
  for (const std::size_t i : {0u, 2u, 4u}) kinds.push_back(all[i].substr(0, all[i].find(',')));
  return kinds;
}

TEST(VerdictOnAnOrder, HasHolmsCorrectionForBothDirectionsOfAllPairsOfTheTable) {
  // Six hypotheses: 0.05 / 6 = 0.00833, then 0.01, then 0.0125.
  EXPECT_EQ(three_pairs(0.0082, 0.3, 0.3), (Texts{"agrees", "consistent", "consistent"}));
  EXPECT_EQ(three_pairs(0.0085, 0.3, 0.3), (Texts{"consistent", "consistent", "consistent"}));
  EXPECT_EQ(three_pairs(0.0082, 0.0099, 0.3), (Texts{"agrees", "agrees", "consistent"}));
  EXPECT_EQ(three_pairs(0.0082, 0.0101, 0.3), (Texts{"agrees", "consistent", "consistent"}));
  EXPECT_EQ(three_pairs(0.0124, 0.0099, 0.0082), (Texts{"agrees", "agrees", "agrees"}));
  EXPECT_EQ(three_pairs(0.0082, 1 - 0.0099, 0.3), (Texts{"agrees", "disagrees", "consistent"}));
  EXPECT_EQ(three_pairs(0.0082, 1 - 0.0101, 0.7), (Texts{"agrees", "contrary", "contrary"}));
}

TEST(VerdictOnAnOrder, CountsPairsThatWereNotRunYetAmongThoseOfTheTable) {
  // Six hypotheses as above: the verdicts do not change when the other sets are run.
  EXPECT_EQ(three_pairs(0.0082, nan, 0.3), (Texts{"agrees", "NA", "consistent"}));
  EXPECT_EQ(three_pairs(0.0085, nan, nan), (Texts{"consistent", "NA", "NA"}));
}

TEST(VerdictOnAnOrder, CountsPairsOfOneRunAmongThoseOfTheTable) {
  // 0.02 is below 0.05 / 2, which would be the level if only pairs with a spread were counted
  const auto first_of_three = [](std::size_t runs_of_the_others) {
    std::vector<Record> records;
    std::string table = "dataset,algorithm,metric,value\n";
    for (const std::string name : {"one", "two", "three"}) {
      std::vector<double> a = {50, 70, 60}, b = with_p(name == "one" ? 0.02 : 0.3);
      for (std::size_t i = 0; i < 3; ++i) b[i] += a[i];
      if (name != "one") a.resize(runs_of_the_others), b.resize(runs_of_the_others);
      add_runs(records, "a", a, name);
      add_runs(records, "b", b, name);
      table += name + ",a,m,1\n" + name + ",b,m,2\n";
    }
    const std::string verdict = texts(judged(R"({"rules": [{"rule": "order"}]})", table, records)).at(0);
    return verdict.substr(0, verdict.find(','));
  };
  for (const std::size_t runs : {0u, 1u, 2u, 3u}) EXPECT_EQ(first_of_three(runs), "consistent") << runs;
}

TEST(VerdictOnAnOrder, IsCorrectedWithinEachTableOfAFileThatHoldsSeveral) {
  // Two hypotheses per table: 0.05 / 2 = 0.025; with six in one table neither would be decided.
  EXPECT_EQ(three_pairs(0.024, 0.024, 0.026, true), (Texts{"agrees", "agrees", "consistent"}));
  EXPECT_EQ(three_pairs(0.024, 0.024, 0.026), (Texts{"consistent", "consistent", "consistent"}));
}

/// Compares with published values 1, 2, ... for algorithms a, b, ...
PaperComparison ranked(const std::vector<std::vector<double>>& runs_of_algorithms, const std::string& rule) {
  std::vector<Record> records;
  std::string table = "dataset,algorithm,metric,value\n";
  for (std::size_t i = 0; i < runs_of_algorithms.size(); ++i) {
    const std::string name(1, static_cast<char>('a' + i));
    add_runs(records, name, runs_of_algorithms[i]);
    table += "set," + name + ",m," + std::to_string(i + 1) + "\n";
  }
  return judged(R"({"rules": [)" + rule + "]}", table, records);
}

TEST(VerdictOnAnOrder, IsOfPairsOfRunsNotOfMeans) {
  // b - a = 1, 1.1, 0.9 although the runs are apart by 40
  EXPECT_EQ(texts(ranked({{50, 70, 90}, {51, 71.1, 90.9}}, R"({"rule": "order"})")), Texts(2, "agrees"));
  EXPECT_EQ(texts(ranked({{50, 70, 90}, {49, 68.9, 89.1}}, R"({"rule": "order"})")), Texts(2, "disagrees"));
  EXPECT_EQ(ranked({{50, 70, 90}, {90.9, 51, 71.1}}, R"({"rule": "order"})")[Verdict::consistent], 2u);
  EXPECT_EQ(ranked({{50, 70, 90}, {89.1, 49, 68.9}}, R"({"rule": "order"})")[Verdict::contrary], 2u);
}

Cell cell_of(const PaperComparison& comparison, const std::string& column) {
  const std::vector<Column>& columns = comparison.table.columns;
  const auto at = std::ranges::find(columns, column, &Column::name) - columns.begin();
  return comparison.table.rows[1][static_cast<std::size_t>(at)];
}

TEST(VerdictOnAnOrder, OfRanksIsThatOfTheSameNumbers) {
  const std::vector<std::vector<double>> rising{{50, 70, 90}, {51, 71.1, 90.9}},
      falling{{50, 70, 90}, {49, 68.9, 89.1}};
  for (const auto& runs : {rising, falling})
    EXPECT_EQ(texts(ranked(runs, R"({"rule": "rank"})")), texts(ranked(runs, R"({"rule": "order"})")));
  EXPECT_EQ(cell_of(ranked(rising, R"({"rule": "rank"})"), "published").text, "rank 2");
}

TEST(VerdictOnAClaim, HasNeitherARatioNorADifference) {
  for (const std::string column : {"ratio", "difference"}) {
    EXPECT_TRUE(cell_of(ranked({{50, 70}, {51, 71}}, R"({"rule": "order"})"), column).value) << column;
    for (const std::string rule : {"rank", "lowest", "diverges"})
      EXPECT_FALSE(cell_of(ranked({{50, 70}, {51, 71}}, R"({"rule": ")" + rule + "\"}"), column).value)
          << rule << column;
  }
}

TEST(VerdictOnAnOrder, OfOneRunIsOpen) {
  EXPECT_EQ(texts(ranked({{5}, {6}}, R"({"rule": "order"})")), Texts(2, "consistent, needs at least 1 more run"));
  EXPECT_EQ(texts(ranked({{6}, {5}}, R"({"rule": "order"})")), Texts(2, "contrary, needs at least 1 more run"));
}

TEST(VerdictOnAnOrder, OfTwoRunsIsOpenHoweverCloseTheyAre) {
  // t(1) = 2001; three such runs are enough
  EXPECT_EQ(texts(ranked({{5, 6}, {6, 7.001}}, R"({"rule": "order"})")),
            Texts(2, "consistent, about 1 more run would decide"));
  EXPECT_EQ(texts(ranked({{5, 6, 8}, {6, 7.001, 9.001}}, R"({"rule": "order"})")), Texts(2, "agrees"));
}

TEST(VerdictOnAnOrder, DoesNotAgreeWhileAPairWasNotRun) {
  const std::vector<double> low = {1, 1.1, 1.3, 1.2}, high = {3.3, 3, 3.1, 3.2};

  EXPECT_EQ(texts(ranked({low, high, {}}, R"({"rule": "order"})")),
            (Texts{"consistent, needs at least 1 more run", "consistent, needs at least 1 more run", "NA"}));
  EXPECT_EQ(texts(ranked({high, low, {}}, R"({"rule": "order"})")), (Texts{"disagrees", "disagrees", "NA"}));
  const Texts unclear = texts(ranked({{1, 4, 2.5, 1.5}, {2, 4.5, 2.6, 1.4}, {}}, R"({"rule": "order"})"));
  EXPECT_TRUE(unclear[0].starts_with("consistent, needs at least ")) << unclear[0];
}

TEST(VerdictOnAnOrder, IsNotAvailableWhileThereIsNothingToCompareWith) {
  const PaperComparison comparison = ranked({{1, 1.1, 1.3, 1.2}, {}}, R"({"rule": "order"})");
  EXPECT_EQ(texts(comparison), (Texts{"NA, no other value yet", "NA"}));
  EXPECT_EQ(comparison[Verdict::not_available], 2u);
}

TEST(VerdictOnAnOrder, OfEqualDifferencesNeedsAsManyRunsAsASignTest) {
  EXPECT_EQ(texts(ranked({{1, 2, 3}, {2, 3, 4}}, R"({"rule": "order"})")),
            Texts(2, "consistent, about 3 more runs would decide"));
  EXPECT_EQ(texts(ranked({{1, 2, 3, 4, 5, 6}, {2, 3, 4, 5, 6, 7}}, R"({"rule": "order"})")), Texts(2, "agrees"));
  EXPECT_EQ(texts(ranked({{1, 2, 3}, {1, 2, 3}}, R"({"rule": "order", "ties": 0})")),
            Texts(2, "contrary, more runs would not do"));
}

TEST(VerdictOnAnOrder, WhatIsEqualButForRoundingDoesNotDiffer) {
  EXPECT_EQ(texts(ranked({{1, 2, 3, 4}, {1 + 1e-12, 2 + 1.1e-12, 3 + 1.2e-12, 4 + 1e-12}},
                         R"({"rule": "order", "ties": 0})")),
            Texts(2, "contrary, more runs would not do"));
}

TEST(VerdictOnAnOrder, ACellAgreesWhereAllItsPairsDoAndDisagreesWhereOneDoes) {
  const std::vector<double> low = {1, 1.1, 1.3, 1.2}, middle = {2, 2.2, 2.1, 2.3}, high = {3.3, 3, 3.1, 3.2},
                            unclear = {1, 4, 2.5, 1.5};

  EXPECT_EQ(texts(ranked({low, middle, high}, R"({"rule": "order"})")), Texts(3, "agrees"));
  EXPECT_EQ(texts(ranked({low, high, middle}, R"({"rule": "order"})")), (Texts{"agrees", "disagrees", "disagrees"}));
  const PaperComparison with_unclear = ranked({low, unclear, high}, R"({"rule": "order"})");
  EXPECT_EQ(with_unclear[Verdict::consistent], 3u);
  EXPECT_EQ(with_unclear[Verdict::disagrees], 0u);
}

TEST(VerdictOnAnOrder, ThatLeansTheOtherWayIsDecidedByTheFirstPairThatIsLost) {
  // b - a: 0.1 with a deviation of 1.1, b - c: 0.8 with 1.0; the next of six tests has level 0.05 / 6, t
  // about 2.8
  const std::vector<double> a = {100, 100, 100, 100}, b = {99, 101.1, 99.3, 101}, c = {97.5, 101.4, 97.5, 100.8};
  const std::string rule = R"({"rule": "order", "ties": 0})";
  const PaperComparison comparison = ranked({a, b, c}, rule);
  const auto more = [&](std::size_t row) { return *comparison.table.rows[row].rbegin()[1].value; };

  EXPECT_EQ(comparison[Verdict::contrary], 3u);
  EXPECT_NEAR(more(1) + 4, 2.8 * 2.8 / (0.8 * 0.8), 3) << "not the (2.8 / 0.09)^2 runs that b above a would take";
  EXPECT_GT(*ranked({a, b}, rule).table.rows[0].rbegin()[1].value, 300);
}

TEST(VerdictOnAnOrder, IsWrongInAtMostOneTableOfTwenty) {
  // Six algorithms without a difference, five runs: 15 pairs, 30 tests.
  std::mt19937_64 engine(5);
  std::normal_distribution<double> normal;
  const int trials = 600;
  int wrong = 0;
  for (int i = 0; i < trials; ++i) {
    std::vector<std::vector<double>> runs(6, std::vector<double>(5));
    for (auto& of_algorithm : runs) {
      for (double& value : of_algorithm) value = 100 + normal(engine);
    }
    const PaperComparison comparison = ranked(runs, R"({"rule": "order"})");
    wrong += comparison[Verdict::disagrees] + comparison[Verdict::agrees] > 0;
  }
  EXPECT_LE(wrong / static_cast<double>(trials), 0.05 + 4 * std::sqrt(0.05 / trials));
}

/// Returns runs of two algorithms with the true `difference`, and normal differences of this deviation.
std::vector<std::vector<double>> two_algorithms(std::mt19937_64& engine, double difference, double deviation) {
  std::normal_distribution<double> normal;
  std::vector<std::vector<double>> runs(2, std::vector<double>(6));
  for (std::size_t i = 0; i < 6; ++i) {
    runs[0][i] = 100 + 10 * normal(engine);
    runs[1][i] = runs[0][i] + difference + deviation * normal(engine);
  }
  return runs;
}

/// Returns the share of simulated tables of two algorithms that has each verdict.
std::map<Verdict, double> frequencies(double difference, double deviation, const std::string& rule, int trials) {
  std::mt19937_64 engine(7);
  std::map<Verdict, double> found;
  for (int i = 0; i < trials; ++i) {
    const std::string text = texts(ranked(two_algorithms(engine, difference, deviation), rule)).at(0);
    found[verdict_in(text).value()] += 1.0 / trials;
  }
  return found;
}

TEST(VerdictOnAnOrder, IsLevelWhereTheDifferenceIsSurelyWithinTheTies) {
  for (const std::string rule : {R"({"rule": "order"})", R"({"rule": "rank"})"}) {
    auto close = frequencies(0, 0.5, rule, 200), apart = frequencies(0, 40, rule, 200);
    EXPECT_GT(close[Verdict::level], 0.85) << "5 are ten deviations";
    EXPECT_LE(close[Verdict::agrees] + close[Verdict::disagrees], 0.05 + 4 * std::sqrt(0.05 / 200));
    EXPECT_LE(apart[Verdict::level], 0.02);
    EXPECT_GT(apart[Verdict::consistent], 0.3);
    EXPECT_GT(apart[Verdict::contrary], 0.3);
  }
}

TEST(VerdictOnAnOrder, IsWronglyLevelAtMostAsOftenAsTheLevelSays) {
  // The ties are 5 % of about 105. The true difference is as large, which six runs often do not show.
  const int trials = 1000;
  auto at_ties = frequencies(5.3, 6, R"({"rule": "order"})", trials);
  EXPECT_LE(at_ties[Verdict::level], 0.05 + 4 * std::sqrt(0.05 / trials));
  EXPECT_GT(at_ties[Verdict::level], 0.01) << "not for lack of any verdict";
}

TEST(VerdictOnAnOrder, IsNotLevelWhereItIsDecided) {
  // 1 of about 70 in each run, within the 5 % that are level
  EXPECT_EQ(texts(ranked({{50, 70, 90}, {51, 71.1, 90.9}}, R"({"rule": "order"})")), Texts(2, "agrees"));
  EXPECT_EQ(texts(ranked({{50, 70, 90}, {51, 71.1, 90.9}}, R"({"rule": "order", "ties": 0})")), Texts(2, "agrees"));
}

TEST(VerdictOnAnOrder, EqualRunsAreLevelIfASignTestTells) {
  // One pair, whose larger p is 2^-n: n = 5 is the first n below 0.05.
  EXPECT_EQ(texts(ranked({{1, 2, 3}, {1, 2, 3}}, R"({"rule": "order"})")),
            Texts(2, "contrary, about 2 more runs would decide"));
  EXPECT_EQ(texts(ranked({{1, 2, 3, 4, 5}, {1, 2, 3, 4, 5}}, R"({"rule": "order"})")), Texts(2, "level"));
}

/// Level pairs have Holm's correction over the pairs of the table, each by its larger p.
TEST(VerdictOnAnOrder, LevelHasHolmsCorrectionForThePairsOfTheTable) {
  // b - a = 0, +-d in three runs; with two degrees of freedom p(t) = (1 - t / sqrt(2 + t^2)) / 2,
  // t = ties / (d / sqrt(3)).
  const auto verdict = [](double p, std::size_t pairs) {
    const double x = 1 - 2 * p, t = x * std::sqrt(2 / (1 - x * x)), ties = 0.05 * 70, d = ties / t * std::sqrt(3.0);
    std::vector<Record> records;
    std::string table = "dataset,algorithm,metric,value\n";
    for (std::size_t i = 0; i < pairs; ++i) {
      const std::string name = "set " + std::to_string(i);
      const double spread = i == 0 ? d : 100;
      add_runs(records, "a", {70, 70 - spread, 70 + spread}, name);
      add_runs(records, "b", {70, 70, 70}, name);
      table += name + ",a,m,1\n" + name + ",b,m,2\n";
    }
    return verdict_in(texts(judged(R"({"rules": [{"rule": "order"}]})", table, records)).at(0)).value();
  };

  EXPECT_EQ(verdict(0.049, 1), Verdict::level);
  EXPECT_NE(verdict(0.051, 1), Verdict::level);
  EXPECT_EQ(verdict(0.0165, 3), Verdict::level);
  EXPECT_NE(verdict(0.0168, 3), Verdict::level);
}

TEST(VerdictOnAnOrder, ACellHasTheWorstVerdictOfItsPairs) {
  const std::vector<double> a = {1, 1.1, 1.3, 1.2, 1.1}, level = {1.001, 1.102, 1.299, 1.199, 1.101},
                            unclear = {1, 4, 2.5, 1.5, 3}, high = {9.3, 9, 9.1, 9.2, 9};

  EXPECT_EQ(texts(ranked({a, level, high}, R"({"rule": "order"})")), (Texts{"level", "level", "agrees"}));
  const Texts open = texts(ranked({a, level, unclear, high}, R"({"rule": "order"})"));
  for (const std::size_t i : {0u, 1u, 2u}) EXPECT_TRUE(open[i].starts_with("consistent, about ")) << open[i];
  EXPECT_TRUE(texts(ranked({level, unclear, a}, R"({"rule": "order"})"))[1].starts_with("contrary"));
  EXPECT_EQ(texts(ranked({high, a, level}, R"({"rule": "order"})")), Texts(3, "disagrees"));
}

TEST(VerdictOnAScaledDownProblem, NeitherAgreesNorDisagrees) {
  const auto verdict = [](const std::string& rule, const std::vector<std::vector<double>>& runs,
                          const std::string& which) {
    std::vector<Record> records;
    add_runs(records, "a", runs[0]);
    add_runs(records, "b", runs[1]);
    return texts(judged(R"({"scaled_down": )" + which + R"(, "rules": [)" + rule + "]}",
                        "dataset,algorithm,metric,value\nset,a,m,1\nset,b,m,2\n", records));
  };
  const std::vector<double> low = {1, 1.01, 1.02}, high = {2, 2.02, 2.01};

  for (const std::string rule : {R"({"rule": "order"})", R"({"rule": "relative"})"}) {
    EXPECT_EQ(verdict(rule, {low, high}, "false"), Texts(2, "agrees"));
    EXPECT_EQ(verdict(rule, {low, high}, "true"), Texts(2, "consistent, scaled down"));
    EXPECT_EQ(verdict(rule, {high, low}, "true"), Texts(2, "contrary, scaled down"));
    EXPECT_EQ(verdict(rule, {low, {}}, "true")[1], "NA");
  }
  EXPECT_EQ(verdict(R"({"rule": "relative"})", {low, high}, R"({"algorithm": "b"})"),
            (Texts{"agrees", "consistent, scaled down"}));
  EXPECT_THROW(verdict(R"({"rule": "relative"})", {low, high}, "3"), ConfigError);
}

TEST(VerdictOnAScaledDownProblem, IsSaidBelowTheTable) {
  const PaperComparison comparison = judged(R"({"scaled_down": true, "rules": [{"rule": "relative"}]})",
                                            "dataset,metric,value\nset,m,10\n", runs_of({10, 10.1, 10.2}));

  EXPECT_EQ(comparison.table.remarks.at(0), "agree: 0 of 1 cells; 0 disagree, 1 consistent");
  EXPECT_EQ(comparison.table.remarks.at(1),
            "consistent and contrary cells are not decided; for 1 of them the problem is scaled down");
}

TEST(VerdictOnTheLowest, IsLevelWhereTheDifferenceIsWithinTheTies) {
  const auto verdict = [](double mine, double other, double spread) {
    std::vector<Record> records;
    for (const auto& [k, value] : {std::pair(0.1, mine), std::pair(1.0, other)}) {
      for (const arma::uword run : {0u, 1u, 2u, 3u}) {
        const double place = static_cast<double>(k < 1 ? run : (run * 3) % 4) - 1.5;
        records.push_back(traced_record("rls", run, {1, value + spread * place}, {{"/model/k", k}}));
      }
    }
    return texts(judged(R"({"case": "FNN", "algorithm": "rls", "metric": "train_loss", "point": {"/model/k": "{k}"},
                            "rules": [{"match": {"claim": "best"}, "rule": "lowest", "ties": 0.05}]})",
                        "k,claim,value\n0.1,best,1\n1,,\n", records))
        .at(0);
  };

  EXPECT_EQ(verdict(0.2, 0.3, 1e-4), "agrees");
  EXPECT_EQ(verdict(0.3, 0.2, 1e-4), "disagrees");
  EXPECT_EQ(verdict(0.2, 0.2, 1e-4), "level");
  EXPECT_TRUE(verdict(0.2, 0.203, 1e-2).starts_with("consistent, about ")) << "less than 5 % apart, or more";
  EXPECT_TRUE(verdict(0.2, 0.197, 1e-2).starts_with("contrary, about ")) << "less than 5 % apart, or more";
  EXPECT_TRUE(verdict(0.2, 0.25, 0.05).starts_with("consistent, about "));
  EXPECT_TRUE(verdict(0.25, 0.2, 0.05).starts_with("contrary, about "));
}

TEST(VerdictOnTimes, IsOfTheirRatioRunByRun) {
  const auto verdict = [](double ratio, std::size_t runs) {
    std::vector<Record> records;
    for (const std::string algorithm : {"a", "b"}) {
      add_runs(records, algorithm, std::vector<double>(runs, 1));
      for (std::size_t i = 0; i < runs; ++i) {
        StepRecord& step = records[records.size() - runs + i].steps[0];
        // the machine is three times slower in every other run
        step.total_seconds =
            (i % 2 == 0 ? 1 : 3) * (algorithm == "b" ? ratio * (1 + 0.01 * static_cast<double>(i)) : 1);
      }
    }
    return texts(judged(R"({"rules": [{"rule": "order"}]})",
                        "dataset,algorithm,metric,value\nset,a,total_seconds,1\nset,b,total_seconds,2\n", records))
        .at(0);
  };

  EXPECT_EQ(verdict(1.5, 1), "consistent, needs at least 1 more run");
  EXPECT_EQ(verdict(1.5, 4), "agrees");
  EXPECT_EQ(verdict(0.6, 4), "disagrees");
  EXPECT_EQ(verdict(1.01, 4), "consistent, more runs would not do") << "two runs of a program differ by more";
  EXPECT_EQ(verdict(0.985, 4), "level") << "times 1.015 in the mean";
}

TEST(VerdictOnTimes, LeavesOutTrialsOfDifferentMachines) {
  const auto judged_with = [](const std::vector<std::string>& machines) {
    std::vector<Record> records;
    for (const std::string algorithm : {"a", "b"}) {
      add_runs(records, algorithm, std::vector<double>(machines.size(), 1));
      for (std::size_t i = 0; i < machines.size(); ++i) {
        Record& record = records[records.size() - machines.size() + i];
        record.machine = algorithm == "a" ? "here" : machines[i];
        record.steps[0].total_seconds = algorithm == "a"        ? 1
                                        : machines[i] == "here" ? 1.5 + 0.01 * static_cast<double>(i)
                                                                : 9;
      }
    }
    return judged(R"({"rules": [{"rule": "at_most_times", "factor": 1.2, "relative_to": {"algorithm": "a"}}]})",
                  "dataset,algorithm,metric,value\nset,a,total_seconds,1\nset,b,total_seconds,1.4\n", records);
  };

  const PaperComparison mixed = judged_with({"here", "here", "here", "there"}), apart = judged_with({"there", "there"});
  EXPECT_EQ(texts(mixed).at(1), "agrees");
  EXPECT_NEAR(*mixed.table.rows.at(1).at(4).value, 1.51, 1e-3);
  EXPECT_TRUE(mixed.table.footnotes.at(0).starts_with("1 trial left out: ")) << mixed.table.footnotes.at(0);
  EXPECT_EQ(texts(apart).at(1), "NA");
  EXPECT_TRUE(apart.table.footnotes.at(0).starts_with("2 trials left out: ")) << apart.table.footnotes.at(0);
}

TEST(VerdictOnAnOrder, OfRanksHasNoTies) {
  std::vector<Record> records;
  add_runs(records, "a", {1, 1.01, 1.02, 0.99});
  add_runs(records, "b", {2, 2.03, 1.98, 2.01});

  EXPECT_EQ(texts(judged(R"({"metric": "m", "rules": [{"rule": "rank"}]})",
                         "dataset,algorithm,value\nset,a,30\nset,b,31\n", records)),
            (Texts{"agrees", "agrees"}));
}

}  // namespace
}  // namespace elmx
