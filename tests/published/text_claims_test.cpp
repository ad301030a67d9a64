#include <gtest/gtest.h>

#include "base/error.hpp"
#include "published/judged.hpp"
#include "support/thrown.hpp"

// Claims in the text of a paper, judged by pairs of cells, and cells that are not facts of their own.

namespace elmx {
namespace {

constexpr const char* kClaimed = "dataset,algorithm,value\nset,a,5\nset,b,4\nother,a,4\nother,b,4\n";

/// Returns seven runs of a and b on two sets: a is above b by 1 on the first and by `margin` on the second.
std::vector<Record> claim_runs(double margin) {
  std::vector<Record> records;
  for (const auto& [set, difference] : {std::pair("set", 1.0), {"other", margin}}) {
    std::vector<double> a, b;
    for (int run = 0; run < 7; ++run) {
      b.push_back(4 + 0.01 * (run % 3));
      a.push_back(b.back() + difference + 0.001 * (run % 2));
    }
    add_runs(records, "a", a, set);
    add_runs(records, "b", b, set);
  }
  return records;
}

/// Returns the numbers of a claim in the order of the columns: facts, hold, level, consistent, contrary,
/// fail, NA, printed.
std::vector<double> numbers(const PaperComparison& comparison, std::size_t claim = 0) {
  std::vector<double> values;
  const auto& row = comparison.claims.rows.at(claim);
  for (std::size_t i = 1; i < row.size(); ++i) values.push_back(row[i].value.value_or(-1));
  return values;
}

PaperComparison claimed(const std::string& list, const std::vector<Record>& records, const std::string& more = "") {
  return judged(R"({"metric": "m", "rules": [{"rule": "shown"}], "claims": [)" + list + "]" + more + "}", kClaimed,
                records);
}

constexpr const char* kClaimAbove =
    R"({"claim": "a is above b", "match": {"algorithm": "a"}, "holds": "above", "than": {"algorithm": "b"}, "ties": 0.01,
        "fact": ["dataset"]})";

TEST(TextClaims, CompareCellsOfEachFact) {
  EXPECT_EQ(numbers(claimed(kClaimAbove, claim_runs(1))), (std::vector<double>{2, 2, 0, 0, 0, 0, 0, 1}));
  EXPECT_EQ(numbers(claimed(kClaimAbove, claim_runs(-1))), (std::vector<double>{2, 1, 0, 0, 0, 1, 0, 1}));
  EXPECT_EQ(numbers(claimed(kClaimAbove, claim_runs(-0.0005))), (std::vector<double>{2, 1, 1, 0, 0, 0, 0, 1}));
}

TEST(TextClaims, OneRunDecidesNoOrder) {
  std::vector<Record> records = claim_runs(1);
  std::erase_if(records, [](const Record& record) { return record.repeat > 0; });
  EXPECT_EQ(numbers(claimed(kClaimAbove, records)), (std::vector<double>{2, 0, 0, 2, 0, 0, 0, 1}));
  std::erase_if(records, [](const Record& record) { return record.algorithm == "b"; });
  EXPECT_EQ(numbers(claimed(kClaimAbove, records)), (std::vector<double>{2, 0, 0, 0, 0, 0, 2, 1}));
}

TEST(TextClaims, BelowIsTheOppositeOfAbove) {
  const std::string below = R"({"claim": "b is below a", "match": {"algorithm": "b"}, "holds": "below",
                                "than": {"algorithm": "a"}, "ties": 0.01, "fact": ["dataset"]})";
  for (const double margin : {1.0, -1.0, -0.0005})
    EXPECT_EQ(numbers(claimed(below, claim_runs(margin))), numbers(claimed(kClaimAbove, claim_runs(margin)))) << margin;
}

TEST(TextClaims, CompareWithANumber) {
  const auto with = [](const std::string& holds) {
    return numbers(claimed(
        R"({"claim": "number", "match": {"algorithm": "a"}, "value": 4.5, "holds": ")" + holds + "\"}", claim_runs(0)));
  };
  EXPECT_EQ(with("above"), (std::vector<double>{2, 1, 0, 0, 0, 1, 0, 1}));
  EXPECT_EQ(with("below"), (std::vector<double>{2, 1, 0, 0, 0, 1, 0, 1}));
}

TEST(TextClaims, LevelIsWithinTheTies) {
  const auto level = [](const std::string& ties, double margin) {
    return numbers(claimed(R"({"claim": "the same", "match": {"algorithm": "a", "dataset": "other"}, "holds": "level",
                              "than": {"algorithm": "b"}, "ties": )" +
                               ties + "}",
                           claim_runs(margin)));
  };
  EXPECT_EQ(level("0.01", 0.01), (std::vector<double>{1, 1, 0, 0, 0, 0, 0, 1}));
  EXPECT_EQ(level("0.01", 0.2), (std::vector<double>{1, 0, 0, 0, 0, 1, 0, 1}));
  std::vector<Record> one = claim_runs(0.01);
  std::erase_if(one, [](const Record& record) { return record.repeat > 0; });
  const auto exact = [&](const std::string& ties) {
    return numbers(claimed(R"({"claim": "the same", "match": {"algorithm": "a", "dataset": "other"}, "holds": "level",
                              "than": {"algorithm": "b"}, "exact": true, "ties": )" +
                               ties + "}",
                           one));
  };
  EXPECT_EQ(exact("0.01"), (std::vector<double>{1, 1, 0, 0, 0, 0, 0, 1}));
  EXPECT_EQ(exact("0.001"), (std::vector<double>{1, 0, 0, 0, 0, 1, 0, 1}));
}

TEST(TextClaims, EntriesOfOneSentenceHoldTogether) {
  const std::string both = std::string(kClaimAbove) + R"(, {"claim": "a is above b", "match": {"algorithm": "b"},
                                                       "holds": "above", "value": 4.5, "fact": ["dataset"]})";
  EXPECT_EQ(numbers(claimed(both, claim_runs(1))), (std::vector<double>{2, 0, 0, 0, 0, 2, 0, 0}));
}

TEST(TextClaims, ACellToCompareWithIsFoundOnce) {
  const auto refused = [](const std::string& than) {
    return place_thrown<ConfigError>([&] {
      claimed(R"({"claim": "c", "match": {"algorithm": "a"}, "holds": "above", "than": )" + than + "}", claim_runs(1));
    });
  };
  EXPECT_EQ(refused(R"({"algorithm": "c"})"), "/paper/claims");
  EXPECT_EQ(refused(R"({"algorithm": ["a", "b"]})"), "/paper/claims");
}

TEST(TextClaims, CellsThatAreNoFactsAreNotCounted) {
  const auto agreeing = [](const std::string& more) {
    return judged(R"({"metric": "m", "rules": [{"rule": "order"}])" + more + "}", kClaimed, claim_runs(1));
  };
  const PaperComparison all = agreeing("");
  const PaperComparison some = agreeing(R"(, "not_counted": [{"match": {"algorithm": "b"}, "as": "duplicate"}])");
  EXPECT_EQ(all[Verdict::agrees], 2u);
  EXPECT_EQ(some[Verdict::agrees], 1u);
  EXPECT_EQ(texts(some).front(), texts(all).front());
  EXPECT_TRUE(texts(some).at(1).starts_with(texts(all).at(1)));
}

}  // namespace
}  // namespace elmx
