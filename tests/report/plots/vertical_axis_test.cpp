
#include "report/plots/plot_gnuplot.hpp"
#include "report/plots/plots.hpp"

namespace elmx {
namespace {

/// Curve i has the means `means[i]` at 1, 2, ...
Plot plot_of(const std::vector<std::vector<double>>& means, double sd = 0) {
  Plot plot{"plot", "yacht", {"nodes", false, true}, {"test RMSE", false, false, 0}, {}};
  for (std::size_t i = 0; i < means.size(); ++i) {
    Curve curve{"curve " + std::to_string(i), {}};
    for (double x = 1; const double mean : means[i]) curve.points.push_back({x++, mean, sd, 5});
    plot.curves.push_back(curve);
  }
  return plot;
}

TEST(VerticalAxis, CutsWhatIsThirtyTimesTheMedian) {
  Plot plot = plot_of({{1, 2, 3}, {1, 61, 1000}});  // the median is 2.5 of 1, 1, 2, 3, 61, 1000
  EXPECT_GT(VerticalAxis(plot).high, 1000);

  plot.y.cuts_outliers = true;
  const VerticalAxis axis(plot);

  EXPECT_GT(axis.high, 61);
  EXPECT_LT(axis.high, 75);
  EXPECT_EQ(axis.beyond(1000), 1);
  EXPECT_EQ(axis.beyond(61), 0);
  EXPECT_EQ(axis.beyond(std::numeric_limits<double>::quiet_NaN()), 0);
  EXPECT_EQ(axis.place(1000), 1);
  const std::vector<Outlier> found = outliers(plot, axis);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].curve, 1u);
  EXPECT_EQ(found[0].point.x, 3);
  EXPECT_EQ(outliers_text(found), "1 value lies beyond the frame, up to 1.0e+03");
}

TEST(VerticalAxis, ASpreadDoesNotStretchItPastAnOutlier) {
  Plot plot = plot_of({{1, 2, 3}});
  plot.y.cuts_outliers = true;
  plot.curves[0].points[1].sd = 1e6;

  EXPECT_LT(VerticalAxis(plot).high, 30 * 2 * 1.1);
}

TEST(PlotScript, MarksEachPlaceWhereACurveLeavesTheFrame) {
  Plot plot = plot_of({{1, 1e5, 1e6, 2, 1e4, 1, 1, 1}, {1, 1, 1, 1, 1, 1, 1, 1}});
  plot.y.cuts_outliers = true;

  const std::string script = plot_script(plot);

  EXPECT_EQ(occurrences(script, "point pointtype 9"), 2u) << "1e5 and 1e6 are one excursion";
  EXPECT_NE(script.find("3 values lie beyond the frame, up to 1.0e+06"), std::string::npos);
  plot.y.cuts_outliers = false;
  EXPECT_EQ(occurrences(plot_script(plot), "point pointtype 9"), 0u);
}

TEST(PlotScript, BandsEndWhereTheQuantityEnds) {
  Plot plot = plot_of({{1, 2, 3}}, 5);
  EXPECT_NE(plot_script(plot).find("low(mean, sd) = sd > mean - 0 ? 0 : mean - sd"), std::string::npos);

  plot.y.most = 4;
  EXPECT_NE(plot_script(plot).find("high(mean, sd) = sd > 4 - mean ? 4 : mean + sd"), std::string::npos);
  plot.y.least = -std::numeric_limits<double>::infinity();
  EXPECT_EQ(plot_script(plot).find("low(mean, sd) = sd > mean - 0 "), std::string::npos);
}

TEST(CurveLabels, StandAtTheEndsAndDoNotOverlap) {
  const Plot plot = plot_of({{9, 5}, {9, 5}, {9, 5.01}, {9, 1}});
  const VerticalAxis axis(plot);

  const std::vector<CurveLabel> labels = curve_labels(plot, axis);

  ASSERT_EQ(labels.size(), 4u);
  EXPECT_EQ(labels[0].curve, 3u) << "from below";
  EXPECT_EQ(labels[0].end, axis.place(1));
  for (std::size_t i = 1; i < labels.size(); ++i) EXPECT_GE(labels[i].place - labels[i - 1].place, 0.06) << i;
  for (const CurveLabel& label : labels) {
    EXPECT_GE(label.place, 0);
    EXPECT_LE(label.place, 1);
    EXPECT_EQ(label.x, 2);
  }
  EXPECT_EQ(plot_script(plot).find("set key outside"), std::string::npos) << "they are the legend";
}

TEST(CurveLabels, LeaveNamesThatAreTooLongOrTooManyToALegend) {
  Plot plot = plot_of({{9, 5}, {9, 1}});
  plot.curves[0].name = "a name that is longer than any label may be";
  EXPECT_TRUE(curve_labels(plot, VerticalAxis(plot)).empty());
  EXPECT_NE(plot_script(plot).find("set key outside"), std::string::npos);
  EXPECT_TRUE(curve_labels(plot_of(std::vector<std::vector<double>>(11, {1, 2})), VerticalAxis(plot)).empty());
}

TEST(CurveLabels, LeaveOutAnAlgorithmThatAllShare) {
  Plot plot = plot_of({{9, 5}, {9, 1}});
  plot.curves[0].name = "panel, ridge = 1";
  plot.curves[1].name = "panel, ridge = 0.1 (failed in 1 of 5)";
  EXPECT_EQ(common_beginning(plot), "panel");
  const std::vector<CurveLabel> labels = curve_labels(plot, VerticalAxis(plot));
  EXPECT_EQ(labels.at(0).lines, (std::vector<std::string>{"ridge = 0.1", "(failed in 1 of 5)"}));
  EXPECT_EQ(labels.at(1).lines, std::vector<std::string>{"ridge = 1"});

  plot.curves[1].name = "panel, alg2, ridge = 0.1";  // stands for two algorithms
  EXPECT_EQ(common_beginning(plot), "");
}

}  // namespace
}  // namespace elmx
