#include <set>

#include "base/numbers.hpp"
#include "report/plots/plot_gnuplot.hpp"
#include "report/plots/plots.hpp"

namespace elmx {
namespace {

/// One curve with all numbers, one that is published alone, one that is measured alone and at one of two
/// places.
ComparedPlot three_curves() {
  return {"compared",
          "Figure 1",
          {"lambda", true},
          "test accuracy",
          {{"A", {{1e-3, 0.9, 0.91, 0.9, 0.92}, {0.1, 0.8, 0.81, nan, nan}}},
           {"B", {{1e-3, 0.7, nan, nan, nan}, {0.1, 0.6, nan, nan, nan}}},
           {"it's C", {{1e-3, nan, nan, nan, nan}, {0.1, nan, 0.5, 0.4, 0.6}}}}};
}

using DrawnComparison = PlotFolder;

TEST(ComparedPlotData, IsReadBackToTheLastBit) {
  const ComparedPlot plot = three_curves();

  const std::vector<Block> blocks = blocks_of(drawing_of(plot).data);

  ASSERT_EQ(blocks.size(), plot.curves.size());
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    ASSERT_EQ(blocks[i].size(), plot.curves[i].points.size());
    for (std::size_t j = 0; j < blocks[i].size(); ++j) {
      const ComparedPoint& point = plot.curves[i].points[j];
      const std::vector<double> numbers{point.x, point.published, point.measured, point.low, point.high};
      ASSERT_EQ(blocks[i][j].size(), numbers.size());
      for (std::size_t k = 0; k < numbers.size(); ++k)
        EXPECT_TRUE(blocks[i][j][k] == numbers[k] || (std::isnan(blocks[i][j][k]) && std::isnan(numbers[k])))
            << i << j << k;
    }
  }
}

TEST_F(DrawnComparison, LegendHasEveryCurveAndBothKinds) {
  if (!gnuplot_installed()) GTEST_SKIP() << "gnuplot is not installed";

  const WrittenPlots written = write_plots(folder_, {three_curves()});

  ASSERT_EQ(written.drawn, std::vector{folder_ / "plots/compared.svg"});
  EXPECT_TRUE(is_xml(written.drawn[0]));
  const std::vector<std::string> titles = titles_in(text_in("compared.svg"));
  EXPECT_EQ(std::set<std::string>(titles.begin(), titles.end()),
            (std::set<std::string>{"measured", "published", "A", "B", "it's C"}));
}

TEST_F(DrawnComparison, EqualValuesHaveAnAxis) {
  if (!gnuplot_installed()) GTEST_SKIP() << "gnuplot is not installed";
  for (const double value : {0.0, 0.5, -2.0}) {
    ComparedPlot plot = three_curves();
    for (ComparedCurve& curve : plot.curves) {
      for (ComparedPoint& point : curve.points) point = {point.x, value, value, nan, nan};
    }
    EXPECT_EQ(write_plots(folder_, {plot}).drawn.size(), 1u) << value;
  }
}

}  // namespace
}  // namespace elmx
