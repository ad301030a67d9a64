#include <limits>

#include "base/numbers.hpp"
#include "report/plots/plot_gnuplot.hpp"
#include "report/plots/plots.hpp"
#include "report/plots/row_plots.hpp"

namespace elmx {
namespace {

std::vector<std::string> names_of(const std::vector<Plot>& plots) {
  std::vector<std::string> names;
  for (const Plot& plot : plots) names.push_back(plot.name);
  return names;
}

using ConvergenceFiles = PlotFolder;

TEST_F(ConvergenceFiles, HaveTheMeansAndDeviationsOverRepeats) {
  std::vector<Record> records = {traced_record("rls", 0, {4, 2, 1}), traced_record("rls", 1, {6, 2, 4}),
                                 traced_record("adam", 0, {8, 8, 8})};
  const std::vector<Plot> plots = convergence_plots(records);

  write_plots(folder_, as_figures(plots));

  ASSERT_EQ(names_of(plots), std::vector<std::string>{"FNN_mnist_train_loss"});
  EXPECT_EQ(legend_of(plots[0]), (std::vector<std::string>{"adam", "rls"}));
  const std::vector<Block> blocks = blocks_of(text_in("FNN_mnist_train_loss.dat"));
  ASSERT_EQ(blocks.size(), 2u);
  ASSERT_EQ(blocks[1].size(), 3u);
  const double root2 = std::sqrt(2.0);
  const std::vector<std::vector<double>> by_hand = {
      {1, 5, 5 - root2, 5 + root2, 2}, {2, 2, 2, 2, 2}, {3, 2.5, 2.5 - 3 / root2, 2.5 + 3 / root2, 2}};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 5; ++j) EXPECT_NEAR(blocks[1][i][j], by_hand[i][j], 1e-15 * 5) << i << ' ' << j;
  }
  EXPECT_EQ(blocks[0][2][1], 8);
  EXPECT_TRUE(std::isnan(blocks[0][2][2])) << "one repeat has no deviation";
}

TEST(ConvergencePlots, OneForEachCaseDataSetAndQuantity) {
  std::vector<Record> records;
  for (const std::string name : {"FNN", "CNN"}) {
    for (const std::string dataset : {"mnist", "usps"}) {
      Record record = traced_record("rls", 0, {3, 2, 1});
      record.experiment_case = name;
      record.dataset = dataset;
      record.steps[0].trace["test_acc"] = {0.5, 0.6, 0.7};
      record.steps[0].trace["gradient_norm"] = {3, 2, 1};
      records.push_back(record);
    }
  }

  const std::vector<Plot> plots = convergence_plots({records, {.order = {{"FNN", "CNN"}, {}}}}, "rls-figure2");

  EXPECT_EQ(names_of(plots),
            (std::vector<std::string>{"rls-figure2_FNN_mnist_train_loss", "rls-figure2_FNN_mnist_test_acc",
                                      "rls-figure2_FNN_usps_train_loss", "rls-figure2_FNN_usps_test_acc",
                                      "rls-figure2_CNN_mnist_train_loss", "rls-figure2_CNN_mnist_test_acc",
                                      "rls-figure2_CNN_usps_train_loss", "rls-figure2_CNN_usps_test_acc"}));
  EXPECT_EQ(plots[1].title, "FNN (mnist)");
  EXPECT_EQ(plots[1].x.label, "epoch");
  EXPECT_EQ(plots[1].y.label, "test accuracy");
  EXPECT_FALSE(plots[1].y.log);
  EXPECT_TRUE(plots[0].y.log);
}

TEST(ConvergencePlots, ACurveForEachAlgorithmAndSweepPointInOrder) {
  std::vector<Record> records;
  for (const std::string algorithm : {"rls+m", "adam"}) {
    for (const double k : {10.0, 0.01, 1.0}) {
      for (const arma::uword repeat : {0u, 1u})
        records.push_back(traced_record(algorithm, repeat, {3, 2, 1}, {{"/model/k", k}}));
    }
  }

  const auto legend = legend_of(convergence_plots({records, {.order = {{}, {"rls+m", "adam"}}}}).at(0));

  EXPECT_EQ(legend, (std::vector<std::string>{"rls+m, k = 0.01", "adam, k = 0.01", "rls+m, k = 1", "adam, k = 1",
                                              "rls+m, k = 10", "adam, k = 10"}));
  EXPECT_EQ(legend_of(convergence_plots({shuffled(records, 5), {.order = {{}, {"rls+m", "adam"}}}}).at(0)), legend);
}

TEST(ConvergencePlots, AUnitThatDivergesCountsAsFarAsItCame) {
  const std::vector<Record> records = {traced_record("rls", 0, {4, 3, 2, 1}), diverged(traced_record("rls", 1, {6, 9})),
                                       diverged(traced_record("rls", 2, {8, nan})),
                                       traced_record("adam", 0, {5, 5, 5, 5})};

  const Plot plot = convergence_plots(records).at(0);

  EXPECT_EQ(legend_of(plot), (std::vector<std::string>{"adam", "rls (diverged in 2 of 3)"}));
  const std::vector<CurvePoint>& rls = plot.curves[1].points;
  ASSERT_EQ(rls.size(), 4u);
  EXPECT_DOUBLE_EQ(rls[0].mean, 6);
  EXPECT_EQ(rls[0].n, 3u);
  EXPECT_DOUBLE_EQ(rls[1].mean, 6);
  EXPECT_EQ(rls[1].n, 2u);
  EXPECT_DOUBLE_EQ(rls[3].mean, 1);
  EXPECT_EQ(rls[3].n, 1u);
  EXPECT_TRUE(plot.curves[1].may_leave);
  EXPECT_FALSE(plot.curves[0].may_leave);
}

TEST(ConvergencePlots, ATrainingThatConvergedBeforeStaysWhereItEnded) {
  const Plot plot =
      convergence_plots(std::vector{traced_record("rls", 0, {4, 3, 2}), traced_record("rls", 1, {9})}).at(0);

  ASSERT_EQ(plot.curves[0].points.size(), 3u);
  EXPECT_DOUBLE_EQ(plot.curves[0].points[2].mean, 5.5);  // of 2 and 9
  EXPECT_EQ(plot.curves[0].points[2].n, 2u);
}

TEST(ConvergencePlots, IterationsMayBeAMetric) {
  Record record = traced_record("s3elm", 0, {4, 3, 2});
  record.steps[0].iterations = 0;
  record.steps[0].metrics["iterations"] = 3;
  EXPECT_EQ(convergence_plots(std::vector{record}).size(), 1u);
}

TEST(ConvergencePlots, TrialsWithoutATraceAreMentionedWhereAllFailed) {
  Record lost = traced_record("hrls", 0, {}), out_of_memory = traced_record("rls", 1, {});
  lost.status = out_of_memory.status = TrialStatus::other("out of memory");
  lost.steps.clear();
  out_of_memory.steps.clear();
  Record without = traced_record("elm", 0, {});
  without.steps[0].trace.clear();

  const Plot plot = convergence_plots(std::vector{traced_record("rls", 0, {3, 2}), lost, out_of_memory, without}).at(0);

  EXPECT_EQ(legend_of(plot), (std::vector<std::string>{"hrls (failed in 1 of 1)", "rls (failed in 1 of 2)"}));
  EXPECT_TRUE(plot.curves[0].points.empty());
}

TEST(ConvergencePlots, ANetworkSizeIsACurveAndTheLastStepHasTheWholeTrace) {
  Record record = traced_record("dec", 0, {5, 4});
  record.steps[0].trace = {{"objective", {5, 4}}};
  record.steps.push_back(record.steps[0]);
  record.steps[1].iterations = 4;
  record.steps[1].trace = {{"objective", {5, 4, 3, 2}}};
  record.steps.push_back(record.steps[1]);
  record.steps[2].nodes = 1000;
  record.steps[2].method = "converged at 4";
  record.steps[2].iterations = 10;

  const Plot plot = convergence_plots(std::vector{record}).at(0);

  EXPECT_EQ(legend_of(plot), (std::vector<std::string>{"dec, 522 nodes", "dec, 1000 nodes"}));
  EXPECT_EQ(plot.curves[0].points.size(), 4u);
  EXPECT_EQ(plot.curves[1].points.size(), 4u);
  EXPECT_EQ(plot.x.label, "iteration");
}

TEST(ConvergencePlots, ASweptNumberOfNodesIsNamedOnceAndOneNodeIsNoPlural) {
  std::vector<Record> records;
  for (const arma::uword nodes : {1u, 20u}) {
    records.push_back(traced_record("dec", 0, {2, 1}, {{"/model/nodes", nodes}}));
    records.back().steps[0].nodes = nodes;
  }

  EXPECT_EQ(legend_of(convergence_plots(records).at(0)), (std::vector<std::string>{"dec, 1 node", "dec, 20 nodes"}));
}

TEST(ConvergencePlots, ATraceThatLeavesIterationsOutIsNotPlotted) {
  Record dec = traced_record("dec", 0, {5, 4, 3}), lbfgs = traced_record("lbfgs", 0, {5, 4, 3});
  lbfgs.steps[0].iterations = 300;

  const Plot plot = convergence_plots(std::vector{dec, lbfgs}).at(0);
  EXPECT_EQ(legend_of(plot), (std::vector<std::string>{"dec", "lbfgs (its trace leaves iterations out)"}));
  EXPECT_TRUE(plot.curves[1].points.empty());
}

TEST(ConvergencePlots, OneValueIsNoCourse) {
  EXPECT_TRUE(convergence_plots(std::vector{traced_record("rls", 0, {1})}).empty());
  EXPECT_TRUE(convergence_plots(std::vector{diverged(traced_record("rls", 0, {nan, nan}))}).empty());
  EXPECT_TRUE(convergence_plots(small_run()).empty());
}

TEST(ConvergencePlots, NamesAreOfDifferentFiles) {
  std::vector<Record> records;
  for (const std::string name : {"a b", "a/b", "a'b", "../a b"}) {
    records.push_back(traced_record("rls", 0, {2, 1}));
    records.back().experiment_case = name;
  }

  EXPECT_EQ(names_of(convergence_plots(records)),
            (std::vector<std::string>{"_.._a_b_mnist_train_loss", "a_b_mnist_train_loss", "a_b_mnist_train_loss-2",
                                      "a_b_mnist_train_loss-3"}));
}

TEST_F(ConvergenceFiles, SweepPointsWithOddTextsAreDrawn) {
  if (!gnuplot_installed()) GTEST_SKIP() << "gnuplot is not installed";
  std::vector<Record> records;
  for (const Json& value : {Json("it's \"a\" b"), Json("a/b + `c`"), Json({1, 2}), Json(nullptr)}) {
    records.push_back(traced_record("rls+m+r", 0, {2, 1}, {{"/model/o'dd", value}}));
    records.back().experiment_case = "case 'x' / \"y\"";
  }

  const WrittenPlots written = write_plots(folder_, as_figures(convergence_plots(records)));

  ASSERT_EQ(written.drawn, std::vector{folder_ / "plots/case_x_y_mnist_train_loss.svg"});
  EXPECT_TRUE(is_xml(written.drawn[0]));
  EXPECT_EQ(titles_in(text_of(written.drawn[0])).size(), 4u);
}

}  // namespace
}  // namespace elmx
