#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "base/config/fields.hpp"
#include "published/judged.hpp"
#include "published/paper.hpp"
#include "support/paths.hpp"
#include "support/records.hpp"

// Claims about Figures 2 to 5 of the RLS paper, as elmx reproduce reads them.

namespace elmx {
namespace {

/// The results of a run: training loss by epoch, test accuracy, seconds per epoch.
struct Course {
  double loss;  ///< after epoch e: loss / e
  double accuracy = 0.9;
  double seconds = 1;
};

void add(std::vector<Record>& records, const std::string& network, const std::string& algorithm, const Course& course,
         const std::map<std::string, Json>& point = {}) {
  std::vector<double> losses;
  for (int e = 1; e <= 10; ++e) losses.push_back(course.loss / e);
  Record record = traced_record(algorithm, 0, losses, point);
  record.experiment_case = record.dataset = network;
  record.steps[0].metrics["test_acc"] = course.accuracy;
  record.steps[0].metrics["test_loss"] = course.loss / 9;
  record.steps[0].step = {course.seconds, 0, 10};
  records.push_back(record);
}

class RlsFigure : public testing::TestWithParam<int> {
 protected:
  RlsFigure() {
    merge(config_, config_named("rls-figure" + std::to_string(GetParam()) + ".json"));
    config_["paper"].erase("not_counted");
  }

  bool sweeps() const { return GetParam() >= 4; }
  std::string place() const { return GetParam() == 4 ? "/model/k" : "/model/eta"; }

  std::map<std::string, Json> point_of(double value) const {
    std::map<std::string, Json> point{{place(), value}};
    if (GetParam() == 5) point["/model/eta_layers"] = "all";
    return point;
  }

  PaperComparison compare(const std::vector<Record>& records) const {
    PaperOptions options;
    read_options(config_["paper"], "/paper", options);
    return compare_with_paper(options, published_, in_runs(records, 13));  // equal epochs: p = 2^-13
  }

  /// Returns a run in which all claims hold as in the paper, or none does.
  std::vector<Record> run(bool as_published) const {
    std::vector<Record> records;
    for (const std::string network : {"FNN", "CNN", "LSTM"}) {
      if (sweeps()) {
        for (const double value : {0.01, 0.1, 1.0, 10.0}) {
          const bool best = value == (GetParam() == 4 ? 0.1 : 1.0);
          const bool explodes = GetParam() == 5 && value == 10;
          add(records, network, "rls",
              {best == as_published       ? 0.1
               : explodes && as_published ? 900.0
                                          : 0.4},
              point_of(value));
        }
      } else {
        const std::string first = GetParam() == 2 ? "rls" : "hrls";
        const double sign = as_published ? 1 : -1;
        add(records, network, "adam", {1});
        add(records, network, first, {1 - 0.31 * sign, 0.9 + 0.01 * sign, as_published ? 1.09 : 1.9});
        add(records, network, first + "+m", {1 - 0.51 * sign, 0.9 + 0.02 * sign});
        add(records, network, first + "+m+r", {1 - 0.41 * sign, 0.9 + 0.03 * sign});
      }
    }
    return records;
  }

  void at_full_scale() {
    const Json full = config_["full"];
    merge(config_, full);
  }

  /// Returns the number of claims on each network.
  std::size_t claims() const { return GetParam() == 4 ? 2 : GetParam() == 5 ? 3 : 25; }

  /// The config, with all readings of the text counted.
  Json config_ = config_named("runs/rls.json");
  Published published_ = table_named("rls_figure" + std::to_string(GetParam()) + ".csv");
};

TEST_P(RlsFigure, EveryClaimIsJudged) {
  at_full_scale();
  const PaperComparison met = compare(run(true)), missed = compare(run(false));

  EXPECT_EQ(met[Verdict::agrees], claims()) << "FNN";
  EXPECT_EQ(met[Verdict::consistent], 2 * claims()) << "CNN and LSTM are scaled down";
  EXPECT_EQ(met[Verdict::agrees] + met[Verdict::consistent] + met[Verdict::shown], published_.rows.size());
  EXPECT_EQ(missed[Verdict::disagrees], claims());
  EXPECT_EQ(missed[Verdict::contrary], 2 * claims());
}

TEST_P(RlsFigure, NoClaimAgreesOrDisagreesAfterTenEpochs) {
  const PaperComparison met = compare(run(true)), missed = compare(run(false));

  EXPECT_EQ(met[Verdict::consistent], 3 * claims());
  EXPECT_EQ(missed[Verdict::contrary], 3 * claims());
}

TEST_P(RlsFigure, TimesOfAGpuAreShown) {
  at_full_scale();
  const Table table = compare(run(false)).table;  // 1.9 times as long, where the paper has 1.1

  for (std::size_t i = 0; i < published_.rows.size(); ++i) {
    if (published_.rows[i].at("metric") != "time of an epoch") continue;
    EXPECT_EQ(table.rows.at(i).back().text, "shown");
  }
}

TEST_P(RlsFigure, TestLossesAreThoseOfTheTestPart) {
  if (sweeps()) return;
  std::vector<Record> records = run(true);
  for (Record& record : records) record.steps[0].metrics["test_loss"] = 2 - record.steps[0].metrics["test_loss"];

  const Table table = compare(records).table;

  const auto column = [&](const std::string& name) {
    return static_cast<std::size_t>(std::ranges::find(table.columns, name, &Column::name) - table.columns.begin());
  };
  const std::size_t metric = column("metric"), verdict = column("verdict");
  for (const auto& row : table.rows) {
    const std::string of = plain_text(row.at(metric)), is = plain_text(row.at(verdict));
    if (of.starts_with("test loss") || of.starts_with("training loss")) {
      EXPECT_TRUE(is.starts_with(of.starts_with("test loss") ? "contrary" : "consistent")) << of << ": " << is;
    }
  }
}

TEST_P(RlsFigure, EveryPublishedRowIsRun) {
  for (const PublishedRow& row : published_.rows) {
    ASSERT_TRUE(config_["cases"].contains(row.at("network"))) << Json(row);
    const Json& algorithms = config_["model"]["algorithms"];
    EXPECT_NE(std::find(algorithms.begin(), algorithms.end(), row.at("algorithm")), algorithms.end()) << Json(row);
    if (!sweeps()) continue;
    const std::string member = last_component(place());
    const Json& values = config_["model"][member];
    EXPECT_NE(std::find(values.begin(), values.end(), Json(std::stod(row.at(member)))), values.end()) << Json(row);
  }
}

TEST_P(RlsFigure, JudgesTheLastEpochOfItsRun) {
  merge(config_, config_["full"]);
  EXPECT_FALSE(config_["paper"].contains("iterations")) << "then it is the last that is reported";
  EXPECT_FALSE(config_["model"].contains("report")) << "then it is the last of the run";
}

INSTANTIATE_TEST_SUITE_P(Figures, RlsFigure, testing::Range(2, 6));

}  // namespace
}  // namespace elmx
