#include <gtest/gtest.h>

#include "report/plots/row_plots.hpp"
#include "support/records.hpp"

namespace elmx {
namespace {

/// The error at a ridge parameter and a size: the best size of ridge 0.1 is 20, that of ridge 1 is 10.
double error_at(double ridge, arma::uword nodes) {
  return ridge < 1 ? (nodes == 20 ? 1.0 : 3.0) : (nodes == 10 ? 2.0 : 4.0);
}

/// Each algorithm at two ridge parameters and two sizes over two folds. Its loo_mse is best where the test
/// error is worst.
std::vector<Record> sweep_of(const std::vector<std::string>& algorithms) {
  std::vector<Record> records;
  for (const std::string& algorithm : algorithms) {
    const double handicap = static_cast<double>(records.size());
    for (const double ridge : {0.1, 1.0}) {
      for (const arma::uword fold : {0u, 1u}) {
        Record record = one_step_record("", algorithm, fold, 10, {});
        record.key += std::to_string(ridge);
        record.point = {{"/model/ridge", ridge}};
        record.steps.push_back(record.steps[0]);
        record.steps[1].nodes = 20;
        for (StepRecord& step : record.steps) {
          const double error = error_at(ridge, step.nodes);
          step.metrics = {{"test_rmse", error + handicap}, {"loo_mse", 10 - error}};
          step.total_seconds = (algorithm == "b" ? 1 : 3) * (ridge < 1 ? 1 : 7);
        }
        records.push_back(record);
      }
    }
  }
  return records;
}

Plot plot_of(const Frame& frame, const std::string& kind) {
  const PlotSource source = plot_source(frame);
  return std::get<Plot>(figures_of(source, {kind}, "", "a").at(0));
}

std::vector<double> means_of(const Curve& curve) {
  std::vector<double> means;
  for (const CurvePoint& point : curve.points) means.push_back(point.mean);
  return means;
}

TEST(MethodRows, ASweepIsOneCurveAMethod) {
  const std::vector<Record> records = sweep_of({"a", "b"});

  const Plot by_ridge = plot_of(records, "ridge"), by_nodes = plot_of(records, "nodes");

  for (const Plot* plot : {&by_ridge, &by_nodes}) {
    ASSERT_EQ(plot->curves.size(), 2u);
    EXPECT_EQ(plot->curves[0].name, "a");
    EXPECT_NE(caption_of(*plot).find("best on the test part, optimistic"), std::string::npos);
  }
  EXPECT_EQ(means_of(by_ridge.curves[0]), (std::vector<double>{1, 2})) << "each ridge parameter at its best size";
  EXPECT_EQ(means_of(by_nodes.curves[0]), (std::vector<double>{2, 1})) << "each size at its best ridge parameter";
}

TEST(MethodRows, AnAskedMetricChoosesAndIsNotOptimistic) {
  const std::vector<Record> records = sweep_of({"a", "b"});
  SelectOptions select;
  select.by = "loo_mse";
  select.over = {"/model/ridge", kNodes};

  const Plot plot = plot_of({records, {.select = {{"", select}}}}, "ridge");

  ASSERT_EQ(plot.curves.size(), 2u);
  EXPECT_EQ(means_of(plot.curves[0]), (std::vector<double>{3, 4})) << "loo_mse is best at the other size";
  EXPECT_EQ(caption_of(plot).find("optimistic"), std::string::npos);
  EXPECT_NE(caption_of(plot).find("by loo_mse"), std::string::npos);
}

TEST(MethodRows, ConditionsShowAllPoints) {
  const std::vector<Record> records = sweep_of({"a", "b"});

  const Plot plot = plot_of(Frame(records).where(predicate_of({"algorithm=a"})), "nodes");

  EXPECT_EQ(plot.curves.size(), 2u) << "one for each ridge parameter";
  EXPECT_EQ(plot.note, "");
}

TEST(MethodRows, NothingToChooseIsNotOptimistic) {
  std::vector<Record> records = sweep_of({"a", "b"});
  std::erase_if(records, [](const Record& record) { return record.point.at("/model/ridge") == 1.0; });

  EXPECT_EQ(plot_of(records, "nodes").note, "");
}

TEST(MethodRows, SpeedUpsAreAtTheChosenPoint) {
  std::vector<Record> records = sweep_of({"a", "b"});
  for (Record& record : records) {  // only b at the ridge parameter that is chosen at 20 nodes is slow
    if (record.algorithm == "b" && record.point.at("/model/ridge") == 0.1) record.steps[1].total_seconds = 30;
  }
  const PlotSource source = plot_source(records);

  const std::vector<Figure> charts = figures_of(source, {"speedup"}, "total_seconds", "a");

  ASSERT_EQ(charts.size(), 1u) << "not one for each ridge parameter";
  const Plot& chart = std::get<Plot>(charts[0]);
  ASSERT_EQ(chart.curves.size(), 2u) << "b, and a at 1";
  EXPECT_NEAR(chart.curves[0].points.at(0).mean, 3, 1e-12) << "ridge 1 at 10 nodes: 21 s over 7 s";
  EXPECT_NEAR(chart.curves[0].points.at(1).mean, 0.1, 1e-12) << "ridge 0.1 at 20 nodes: 3 s over 30 s";
}

TEST(MethodRows, AnImportedMethodIsALevelWithoutASpeedUp) {
  std::vector<Record> records = sweep_of({"a", "b"});
  for (const arma::uword fold : {0u, 1u}) {
    records.push_back(one_step_record("", "own", fold, 0, {{"test_rmse", 5 + static_cast<double>(fold)}}));
    records.back().family = kImported;
    records.back().steps[0].step = {};
    records.back().steps[0].total_seconds = 1.5;
  }

  const Plot plot = plot_of(records, "nodes");
  const PlotSource source = plot_source(records);
  const Plot chart = std::get<Plot>(figures_of(source, {"speedup"}, "total_seconds", "a").at(0));

  ASSERT_EQ(plot.curves.size(), 3u);
  EXPECT_EQ(plot.curves[2].name, "own");
  EXPECT_EQ(means_of(plot.curves[2]), (std::vector<double>{5.5, 5.5}));
  EXPECT_GT(plot.curves[2].points[0].high, plot.curves[2].points[0].low);
  EXPECT_EQ(chart.curves.size(), 2u) << "the table has NA there: it is another network";
}

TEST(LimitPoints, SaysWhatIsLeftOut) {
  Plot plot{"n", "t", {"x"}, {"y"}, {{"a", std::vector<CurvePoint>(20000)}}};
  for (std::size_t i = 0; i < 20000; ++i) plot.curves[0].points[i].x = static_cast<double>(i);
  limit_points(plot);
  EXPECT_EQ(plot.curves[0].points.size(), kPointsOfPlot);
  EXPECT_EQ(plot.curves[0].points.front().x, 0);
  EXPECT_EQ(plot.curves[0].points.back().x, 19999);
  EXPECT_NE(caption_of(plot).find("of 20000 points"), std::string::npos);

  plot.curves.assign(3000, {"a", {{1, 1, 0, 1}, {2, 1, 0, 1}}});
  limit_points(plot);
  EXPECT_EQ(plot.curves.size(), kCurvesOfPlot);
  EXPECT_NE(caption_of(plot).find("of 3000 curves"), std::string::npos);
}

}  // namespace
}  // namespace elmx
