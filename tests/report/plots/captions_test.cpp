#include <gtest/gtest.h>

#include "report/plots/plot.hpp"

namespace elmx {
namespace {

TEST(Caption, SaysWhatIsAgainstWhat) {
  Plot plot{"n", "airfoil", {"nodes"}, {"test RMSE"}, {{"a", {{1, 2, NAN, 1}, {2, 3, 0, 1}}}}};
  EXPECT_EQ(caption_of(plot), "airfoil: test RMSE against nodes, mean over repeats and folds");
  plot.curves[0].points[0].sd = 0.5;
  EXPECT_EQ(caption_of(plot), "airfoil: test RMSE against nodes, mean and standard deviation over repeats and folds");
  BarChart chart{"n", "airfoil", "nodes", "speed-up over a", {"20"}, {{"b", {{2, NAN, NAN}}}}, "ridge = 1"};
  EXPECT_EQ(caption_of(chart), "airfoil, ridge = 1: speed-up over a by nodes") << "measured once";
  chart.series[0].bars[0] = {2, 1.9, 2.1};
  EXPECT_EQ(caption_of(chart), "airfoil, ridge = 1: speed-up over a by nodes, with 95 % intervals");
  EXPECT_EQ(caption_of(HeatMap{"n", "airfoil", "ridge", "nodes", "test RMSE", true, {}, {}, {}, "panel"}),
            "airfoil, panel: test RMSE by ridge and nodes, means over repeats and folds; the best has a frame");
}

TEST(Caption, SaysHowPointsWereChosen) {
  const std::string note = "nodes at each point: best on the test part, optimistic";
  const Plot plot{"n", "airfoil", {"ridge"}, {"test RMSE"}, {{"a", {{1, 2, NAN, 1}}}}, note};
  BarChart chart{"n", "airfoil", "nodes", "speed-up over a", {"20"}, {{"b", {{2, NAN, NAN}}}}};
  chart.note = note;
  for (const Figure& figure : {Figure(plot), Figure(chart)})
    EXPECT_NE(caption_of(figure).find(note), std::string::npos) << caption_of(figure);
}

TEST(Caption, SaysWhatLiesBeyondTheFrame) {
  Plot plot{"n", "airfoil", {"nodes"}, {"test RMSE"}, {{"a", {{1, 2, NAN, 1}, {2, 3, NAN, 1}, {3, 5e4, NAN, 1}}}}};
  EXPECT_EQ(caption_of(plot).find("beyond"), std::string::npos);
  plot.y.cuts_outliers = true;
  EXPECT_TRUE(caption_of(plot).ends_with(". Triangles at the edge: 1 value lies beyond the frame, up to 5.0e+04"))
      << caption_of(plot);
}

}  // namespace
}  // namespace elmx
