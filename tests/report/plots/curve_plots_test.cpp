#include <cmath>

#include "report/frame/dimensions.hpp"
#include "report/frame/selection.hpp"
#include "report/plots/plot_gnuplot.hpp"
#include "report/plots/plots.hpp"
#include "report/plots/row_plots.hpp"
#include "support/records.hpp"
#include "support/thrown.hpp"

namespace elmx {
namespace {

/// test_rmse of each algorithm at 10 and 20 nodes over two folds: fold f has the value plus f / 10.
std::vector<Record> two_sizes(const std::vector<std::pair<std::string, std::array<double, 2>>>& values,
                              const std::map<std::string, Json>& point = {}) {
  std::vector<Record> records;
  for (const auto& [algorithm, rmse] : values) {
    for (const arma::uword fold : {0u, 1u}) {
      Record record =
          one_step_record("", algorithm, fold, 10, {{"test_rmse", rmse[0] + 0.1 * static_cast<double>(fold)}});
      record.steps.push_back(record.steps[0]);
      record.steps[1].nodes = 20;
      record.steps[1].metrics["test_rmse"] = rmse[1] + 0.1 * static_cast<double>(fold);
      record.key += Json(point).dump();
      record.point = point;
      records.push_back(record);
    }
  }
  return records;
}

std::vector<Plot> plots_of(const std::vector<Record>& records, const std::string& against,
                           const std::string& quantity = "test_rmse") {
  const std::vector<RecordRow> rows = without_grids(group_records(records));
  return curve_plots(rows, against, find_quantity(quantity), rows);
}

TEST(CurvePlots, HaveMeanAndDeviationOverFoldsAtEachSize) {
  const std::vector<Record> records = two_sizes({{"a", {3, 2}}});

  const std::vector<Plot> plots = plots_of(records, kNodes);

  ASSERT_EQ(plots.size(), 1u);
  EXPECT_EQ(plots[0].name, "airfoil_test_rmse_by_nodes");
  EXPECT_EQ(plots[0].y.label, "test RMSE");
  ASSERT_EQ(plots[0].curves.size(), 1u);
  const std::vector<CurvePoint>& points = plots[0].curves[0].points;
  ASSERT_EQ(points.size(), 2u);
  for (const auto& [point, x, mean] : {std::tuple(points[0], 10.0, 3.05), std::tuple(points[1], 20.0, 2.05)}) {
    EXPECT_EQ(point.x, x);
    EXPECT_NEAR(point.mean, mean, 1e-15 * 4);
    EXPECT_NEAR((point.high - point.low) / 2, 0.1 / std::sqrt(2.0), 1e-15 * 4);  // of x and x + 0.1
    EXPECT_EQ(point.n, 2u);
  }
}

TEST(CurvePlots, ChoicesOfWhatTheAxisShowsAndImportedMethodsAreLevelLines) {
  std::vector<Record> records = two_sizes({{"a", {3, 2}}});
  for (Record& record : records) {
    record.steps[0].metrics["loo_mse"] = 1;
    record.steps[1].metrics["loo_mse"] = 5;
  }
  for (const arma::uword fold : {0u, 1u}) {
    records.push_back(one_step_record("", "own", fold, 0, {{"test_rmse", 7 + 0.1 * static_cast<double>(fold)}}));
    records.back().family = kImported;
  }
  SelectOptions select;
  select.by = "loo_mse";
  select.over = {kNodes};
  const std::vector<RecordRow> rows = with_selections(group_records(records), {{"", select}});

  const Plot plot = curve_plots(rows, kNodes, find_quantity("test_rmse"), rows).at(0);

  EXPECT_EQ(legend_of(plot), (std::vector<std::string>{"a", "a, best on the test part", "a, by loo_mse", "own"}));
  for (const auto& [curve, level] : {std::pair(1u, 2.05), std::pair(2u, 3.05), std::pair(3u, 7.05)}) {
    const std::vector<CurvePoint>& points = plot.curves.at(curve).points;
    ASSERT_EQ(points.size(), 2u);
    EXPECT_EQ(points[0].x, 10);
    EXPECT_EQ(points[1].x, 20);
    EXPECT_NEAR(points[0].mean, level, 1e-14);
    EXPECT_NEAR(points[1].mean, level, 1e-14);
  }
}

TEST(CurvePlots, CurvesThatPrintAlikeEverywhereAreOne) {
  const std::vector<Record> records =
      two_sizes({{"a", {3, 2}}, {"b", {3 + 1e-6, 2}}, {"c", {3, 2.01}}, {"d", {3, 2.01 - 1e-6}}});

  EXPECT_EQ(legend_of(plots_of(records, kNodes).at(0)), (std::vector<std::string>{"a, b", "c, d"}));
}

TEST(CurvePlots, ASweptRidgeIsALogAxisOrANamedCurve) {
  std::vector<Record> records = two_sizes({{"a", {3, 2}}}, {{"/model/ridge", 0.01}});
  for (const Record& record : two_sizes({{"a", {4, 5}}}, {{"/model/ridge", 1}})) records.push_back(record);

  const Plot by_ridge = plots_of(records, "/model/ridge").at(0), by_nodes = plots_of(records, kNodes).at(0);

  EXPECT_EQ(legend_of(by_ridge), (std::vector<std::string>{"a, 10 nodes", "a, 20 nodes"}));
  EXPECT_EQ(by_ridge.x.label, "ridge parameter");
  EXPECT_TRUE(by_ridge.x.log);
  EXPECT_EQ(by_ridge.curves[1].points[1].x, 1);
  EXPECT_NEAR(by_ridge.curves[1].points[1].mean, 5.05, 1e-14);
  EXPECT_NE(plot_script(by_ridge).find("set xtics (0.01, 1)"), std::string::npos);
  EXPECT_EQ(legend_of(by_nodes), (std::vector<std::string>{"a, ridge = 0.01", "a, ridge = 1"}));
  EXPECT_FALSE(by_nodes.x.log);
}

TEST(CurvePlots, ASweptNumberOfNodesIsTheSize) {
  std::vector<Record> records;
  for (const arma::uword nodes : {10u, 20u}) {
    records.push_back(one_step_record("", "a", 0, nodes, {{"test_acc", 0.5}}));
    records.back().point = {{"/model/nodes", nodes}};
    records.back().key += std::to_string(nodes);
  }

  EXPECT_EQ(legend_of(plots_of(records, kNodes, "acc").at(0)), std::vector<std::string>{"a"});
  EXPECT_TRUE(numeric_keys(group_records(records), DimensionKind::swept).empty());
}

TEST(CurvePlots, ALegendCallsAPlaceAsTablesDo) {
  std::vector<Record> records = two_sizes({{"a", {3, 2}}}, {{"/model/features/nodes", 5}});
  for (const Record& record : two_sizes({{"a", {4, 5}}}, {{"/model/features/nodes", 7}})) records.push_back(record);

  EXPECT_EQ(legend_of(plots_of(records, kNodes).at(0)),
            (std::vector<std::string>{"a, /model/features/nodes = 5", "a, /model/features/nodes = 7"}))
      << "\"nodes\" are those of the network";
}

TEST(CurvePlots, ASweptPlaceAndAGridParameterOfOneNameAreToldApart) {
  std::vector<Record> records;
  for (const double swept : {1.0, 2.0}) {
    records.push_back(grid_record("a", 0, {{{{"mu", 3}}, 0.5}, {{{"mu", 4}}, swept / 4}}));
    records.back().point = {{"/model/mu", swept}};
    records.back().key += std::to_string(swept);
  }
  std::vector<RecordRow> rows = group_records(records);
  std::erase_if(rows, [](const RecordRow& row) { return !row.one_of_grid; });

  EXPECT_EQ(legend_of(curve_plots(rows, "mu", find_quantity("acc"), rows).at(0)),
            (std::vector<std::string>{"a, /model/mu = 1", "a, /model/mu = 2"}));
  EXPECT_EQ(legend_of(curve_plots(rows, "/model/mu", find_quantity("acc"), rows).at(0)),
            (std::vector<std::string>{"a, mu = 3", "a, mu = 4"}));
}

TEST(CurvePlots, AGridParameterIsAnAxisOfTheAlgorithmsThatHaveIt) {
  const std::vector<Record> records = grid_run();
  std::vector<RecordRow> rows = group_records(records);
  std::erase_if(rows, [](const RecordRow& row) { return !row.one_of_grid; });

  const std::vector<Plot> plots = curve_plots(rows, "mu", find_quantity("acc"), rows);

  EXPECT_EQ(numeric_keys(rows, DimensionKind::parameter), (std::vector<std::string>{"gamma", "mu"}));
  ASSERT_EQ(plots.size(), 1u);
  EXPECT_EQ(plots[0].x.label, "mu of s3elm");
  EXPECT_EQ(legend_of(plots[0]), std::vector<std::string>{"s3elm"});
  std::vector<double> mu, means;
  for (const CurvePoint& point : plots[0].curves[0].points) {
    mu.push_back(point.x);
    means.push_back(point.mean);
  }
  EXPECT_EQ(mu, (std::vector<double>{0.1, 1, 10}));
  EXPECT_EQ(means, (std::vector<double>{0.5, 0.625, 0.625}));
}

TEST(CurvePlots, IterationsAreNamedWhereAnAlgorithmHasSeveral) {
  std::vector<Record> records = iterating_run(), larger = records;
  for (Record& record : larger) {
    record.key += "larger";
    for (StepRecord& step : record.steps) step.nodes = 40;
    record.point = {};
  }
  records.insert(records.end(), larger.begin(), larger.end());

  const std::vector<std::string> legend = legend_of(plots_of(records, kNodes).at(0));

  EXPECT_EQ(legend, (std::vector<std::string>{"dec, 2 iterations", "dec, 10 iterations", "elm", "lbfgs, 500 iterations",
                                              "lbfgs, 1000 iterations"}));
}

TEST(CurvePlots, FailuresAreInTheLegendAndGapsInTheCurve) {
  std::vector<Record> records = two_sizes({{"a", {3, 2}}, {"b", {3, 2}}});
  for (const std::size_t i : {2u, 3u}) {
    records[i].steps[1].status = Status::not_positive_definite;
    records[i].steps[1].metrics.clear();
  }

  const Plot plot = plots_of(records, kNodes).at(0);

  EXPECT_EQ(legend_of(plot), (std::vector<std::string>{"a", "b (failed in 2 of 2)"}));
  EXPECT_TRUE(std::isnan(plot.curves[1].points[1].mean));
}

TEST(CurvePlots, ATrialThatFailedAtTwoSizesIsOne) {
  std::vector<Record> records = two_sizes({{"a", {3, 2}}});
  records.push_back(records[0]);
  records.back().key = "third";
  records.back().fold = 2;
  for (StepRecord& step : records.back().steps) step.status = Status::not_positive_definite;

  EXPECT_EQ(legend_of(plots_of(records, kNodes).at(0)), std::vector<std::string>{"a (failed in 1 of 3)"});
}

TEST(CurvePlots, OneValueIsNoPlotAndAnotherTasksMetricNeither) {
  std::vector<Record> records = two_sizes({{"a", {3, 2}}});
  EXPECT_TRUE(plots_of(records, kNodes, "acc").empty());
  for (Record& record : records) record.steps.pop_back();

  EXPECT_TRUE(plots_of(records, kNodes).empty());
}

TEST(CurvePlots, AnAxisEndsWhereTheQuantityEnds) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const auto& [name, least, most] :
       {std::tuple("test_rmse", 0.0, infinity), std::tuple("test_acc", 0.0, 1.0), std::tuple("train_mcc", -1.0, 1.0),
        std::tuple("test_r2", -infinity, 1.0), std::tuple("of my own", -infinity, infinity)}) {
    std::vector<Record> records = two_sizes({{"a", {3, 2}}});
    for (Record& record : records) {
      for (StepRecord& step : record.steps) step.metrics = {{name, 0.5}};
    }
    const std::vector<RecordRow> rows = group_records(records);
    const PlotAxis axis = curve_plots(rows, kNodes, quantity_of(name), rows).at(0).y;
    EXPECT_EQ(axis.least, least) << name;
    EXPECT_EQ(axis.most, most) << name;
  }
}

TEST(CurvePlots, WeightErrorsHaveALogAxis) {
  std::vector<Record> records = two_sizes({{"a", {3, 2}}});
  for (Record& record : records) {
    for (StepRecord& step : record.steps) step.metrics["weight_error"] = 1e-12 * static_cast<double>(step.nodes);
  }

  EXPECT_TRUE(plots_of(records, kNodes, "weight_error").at(0).y.log);
  EXPECT_FALSE(plots_of(records, kNodes).at(0).y.log);
}

TEST(Quantity, IsFoundByItsNameOrAsAMetricOfTheTestPart) {
  EXPECT_EQ(find_quantity("acc").name, "test_acc");
  EXPECT_EQ(find_quantity("train_acc").label, "train accuracy");
  EXPECT_EQ(find_quantity("total_seconds").label, "training time (s)");
  EXPECT_EQ(find_quantity("loo_mse").name, "loo_mse") << "whatever tables have, diagrams show";
  EXPECT_NE(thrown<ConfigError>([] { find_quantity("rsme"); }).find("\"mse\""), std::string::npos);
}

}  // namespace
}  // namespace elmx
