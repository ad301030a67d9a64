#include "report/plots/plot.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "base/numbers.hpp"
#include "report/plots/plot_gnuplot.hpp"
#include "report/plots/plots.hpp"
#include "support/hostile.hpp"

namespace elmx {
namespace {

/// `curves` losses that fall over `epochs` epochs.
Plot falling(std::size_t curves, std::size_t epochs) {
  Plot plot{"falling", "FNN (mnist)", {"epoch", false, true}, {"training loss", true, false}, {}};
  for (std::size_t i = 0; i < curves; ++i) {
    Curve curve{"algorithm " + std::to_string(i), {}};
    for (std::size_t e = 1; e <= epochs; ++e) {
      const double x = static_cast<double>(e), mean = 0.3 * std::pow(x, -0.5 - 0.15 * static_cast<double>(i));
      curve.points.push_back(point_of(x, {mean, 0.1 * mean, 3}));
    }
    plot.curves.push_back(curve);
  }
  return plot;
}

/// A program "gnuplot" that is found first in $PATH.
class FakeGnuplot {
 public:
  FakeGnuplot(const fs::path& folder, const std::string& script) : before_(std::getenv("PATH")) {
    fs::create_directories(folder);
    std::ofstream(folder / "gnuplot") << "#!/bin/sh\n" << script;
    fs::permissions(folder / "gnuplot", fs::perms::owner_all);
    ::setenv("PATH", (folder.string() + ":" + before_).c_str(), 1);
  }
  ~FakeGnuplot() { ::setenv("PATH", before_.c_str(), 1); }
  FakeGnuplot(const FakeGnuplot&) = delete;
  FakeGnuplot& operator=(const FakeGnuplot&) = delete;

 private:
  std::string before_;
};

using Drawn = PlotFolder;

TEST(PlotData, IsReadBackToTheLastBit) {
  Plot plot = falling(2, 3);
  plot.curves[1].points[1] = {2, nan};
  plot.curves.insert(plot.curves.begin() + 1, {"no points", {}});

  const std::string data = drawing_of(plot).data;

  EXPECT_TRUE(data.starts_with("# x mean low high n\n# algorithm 0\n1 0.3 ")) << data;
  const std::vector<Block> blocks = blocks_of(data);
  ASSERT_EQ(blocks.size(), 2u);
  for (const std::size_t i : {0u, 1u}) {
    const std::vector<CurvePoint>& points = plot.curves[i == 0 ? 0 : 2].points;
    ASSERT_EQ(blocks[i].size(), points.size());
    for (std::size_t j = 0; j < points.size(); ++j) {
      EXPECT_EQ(blocks[i][j][0], points[j].x);
      EXPECT_EQ(blocks[i][j][4], static_cast<double>(points[j].n));
      if (std::isnan(points[j].mean)) {
        EXPECT_TRUE(std::isnan(blocks[i][j][1]) && std::isnan(blocks[i][j][2]) && std::isnan(blocks[i][j][3]));
      } else {
        EXPECT_EQ(blocks[i][j][1], points[j].mean);
        EXPECT_EQ(blocks[i][j][2], points[j].low);
        EXPECT_EQ(blocks[i][j][3], points[j].high);
      }
    }
  }
}

TEST(PlotScript, HasALogScaleWhereAllIsPositive) {
  Plot plot = falling(2, 5);

  EXPECT_NE(plot_script(plot).find("set logscale y"), std::string::npos);
  plot.curves[0].points[1].mean = 0;
  EXPECT_EQ(plot_script(plot).find("set logscale y"), std::string::npos);
  plot = falling(2, 5);
  plot.y.log = false;
  EXPECT_EQ(plot_script(plot).find("set logscale y"), std::string::npos);
}

TEST(PlotScript, ACurveThatMayLeaveDoesNotStretchTheAxis) {
  Plot plot = falling(2, 5);
  const auto range = [](const std::string& script) {
    const std::size_t at = script.find("set yrange");
    return script.substr(at, script.find('\n', at) - at);
  };
  const std::string before = range(plot_script(plot));
  plot.curves.push_back({"wild", {{1, 1e20}}});

  EXPECT_NE(range(plot_script(plot)), before);
  plot.curves[2].may_leave = true;
  EXPECT_EQ(range(plot_script(plot)), before);
  plot.curves = {plot.curves[2]};
  EXPECT_NE(range(plot_script(plot)), "") << "alone it has an axis of its own";
}

TEST(PlotScript, BandsEndWhereTheQuantityEnds) {
  Plot plot = falling(1, 3);
  plot.y = {"test RMSE", false, false, 0};
  for (CurvePoint& point : plot.curves[0].points) point = point_of(point.x, {point.x, 5, 3});
  EXPECT_NE(plot_script(plot).find("cut(v) = v < 0 ? 0 : v > "), std::string::npos) << plot_script(plot);

  plot.y.most = 4;
  EXPECT_NE(plot_script(plot).find(" : v > 4 ? 4 : v"), std::string::npos) << plot_script(plot);
  plot.y.least = -std::numeric_limits<double>::infinity();
  EXPECT_EQ(plot_script(plot).find("cut(v) = v < 0 ?"), std::string::npos);
}

TEST(PlotFileName, IsAFileOfTheFolderWhateverTheText) {
  EXPECT_EQ(file_name("FNN_train_loss"), "FNN_train_loss");
  EXPECT_EQ(file_name("rls+m, k = 0.1"), "rls+m_k_0.1");
  EXPECT_EQ(file_name("../../etc/pass wd"), "_.._.._etc_pass_wd");
  EXPECT_EQ(file_name(".hidden"), "_.hidden");
  EXPECT_EQ(file_name("-e"), "_-e");
  EXPECT_EQ(file_name("'; system('touch x') #"), "_system_touch_x_");
  EXPECT_EQ(file_name(""), "_");
  EXPECT_EQ(file_name(std::string(300, 'a')).size(), 200u);
  EXPECT_EQ(file_name("français"), "français");
  EXPECT_EQ(file_name("日本", 5), "日");  // whole characters
  EXPECT_EQ(file_name("a × b\u202e\xff\u2003c"), "a_b_c");
  for (const char* text : {"a/b", "\"`$(x)`", "..", "-", "é"})
    EXPECT_EQ(file_name(file_name(text)), file_name(text)) << text;
}

TEST_F(Drawn, EveryCurveIsInTheSvg) {
  if (!gnuplot_installed()) GTEST_SKIP() << "gnuplot is not installed";
  for (const std::size_t curves : {1u, 2u, 9u, 23u}) {
    for (const std::size_t epochs : {1u, 10u, 100u}) {
      const WrittenPlots written = write_plots(folder_, {falling(curves, epochs)});

      ASSERT_EQ(written.drawn, std::vector{folder_ / "plots/falling.svg"});
      EXPECT_TRUE(is_xml(written.drawn[0]));
      const std::vector<std::string> found = titles_in(text_in("falling.svg"));
      const std::set<std::string> titles(found.begin(), found.end());
      ASSERT_EQ(found.size(), curves);
      ASSERT_EQ(titles.size(), curves);
      for (std::size_t i = 0; i < curves; ++i) EXPECT_TRUE(titles.contains("algorithm " + std::to_string(i))) << i;
    }
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_ / "plots"), fs::directory_iterator()), 3)
      << ".dat, .gp and .svg";
}

TEST_F(Drawn, TheScriptMakesTheSvgAgain) {
  if (!gnuplot_installed()) GTEST_SKIP() << "gnuplot is not installed";
  write_plots(folder_, {falling(2, 10)});
  const std::string svg = text_in("falling.svg");
  fs::remove(folder_ / "plots/falling.svg");

  EXPECT_EQ(run_program({"gnuplot", "falling.gp"}, folder_ / "plots"), 0);
  EXPECT_EQ(text_in("falling.svg"), svg);
}

TEST_F(Drawn, GapsAndCurvesWithoutPointsAreStillNamed) {
  if (!gnuplot_installed()) GTEST_SKIP() << "gnuplot is not installed";
  Plot plot = falling(4, 6);
  plot.curves[0].points[2] = {3, nan};
  for (CurvePoint& point : plot.curves[1].points) point = {point.x, nan};
  plot.curves[2].points.clear();
  plot.curves[3].points.resize(1);
  plot.curves[3].points[0].low = plot.curves[3].points[0].high = nan;

  ASSERT_EQ(write_plots(folder_, {plot}).drawn.size(), 1u);
  EXPECT_TRUE(is_xml(folder_ / "plots/falling.svg"));
  const std::string script = text_in("falling.gp"), svg = text_in("falling.svg");
  for (const Curve& curve : plot.curves)
    EXPECT_NE(svg.find(">" + curve.name + "</text>"), std::string::npos) << curve.name;
  EXPECT_NE(script.find("data index 2 using 1:2 with linespoints linestyle 4"), std::string::npos) << script;
}

TEST_F(Drawn, ValuesOfAnySignAndSizeHaveAnAxis) {
  if (!gnuplot_installed()) GTEST_SKIP() << "gnuplot is not installed";
  for (const std::vector<double>& values : std::vector<std::vector<double>>{{-3, -2, -2.5},
                                                                            {-1, 1, 0},
                                                                            {0, 0, 0},
                                                                            {1e-300, 1e-290, 1},
                                                                            {1e300, 1.7e308, 1},
                                                                            {5, 5, 5},
                                                                            {1e-12, 2e-12, 9e-12}}) {
    Plot plot = falling(1, 3);
    for (std::size_t i = 0; i < 3; ++i)
      plot.curves[0].points[i] = point_of(std::pow(10, -static_cast<double>(i)), {values[i], std::abs(values[i]), 2});
    for (const bool log : {false, true}) {
      plot.x.log = log;
      EXPECT_EQ(write_plots(folder_, {plot}).drawn.size(), 1u) << plot_script(plot);
    }
  }
  EXPECT_NE(text_in("falling.gp").find("set logscale x"), std::string::npos);
}

TEST_F(Drawn, NoNameBreaksTheScript) {
  if (!gnuplot_installed()) GTEST_SKIP() << "gnuplot is not installed";
  Plot plot = falling(6, 3);
  const std::vector<std::string> names = {
      "it's, \"k\" = 0.1 <&>",        "`touch stolen`",        "a_b^c{d}@e~f\\n", "two\nlines\n\n\n# 1 2 3",
      "'; system('touch stolen'); '", "it's '7, \"42\", \\101"};
  for (std::size_t i = 0; i < names.size(); ++i) plot.curves[i].name = names[i];
  plot.title = "'`touch stolen` <b>\n'";
  plot.x.label = "@epoch'";
  plot.y.label = "loss & \"more\"";
  plot.name = file_name("a b/c'd\"e+f");

  ASSERT_EQ(write_plots(folder_, {plot}).drawn.size(), 1u) << plot_script(plot);
  EXPECT_EQ(plot.name, "a_b_c_d_e+f");
  EXPECT_TRUE(is_xml(folder_ / "plots" / (plot.name + ".svg")));
  EXPECT_FALSE(fs::exists(folder_ / "plots/stolen"));
  EXPECT_EQ(titles_in(text_in(plot.name + ".svg")).size(), 6u);
  EXPECT_EQ(blocks_of(text_in(plot.name + ".dat")).size(), 6u);
  EXPECT_NE(text_in(plot.name + ".svg").find("a_b^c{d}@e~f\\n"), std::string::npos);
  EXPECT_NE(text_in(plot.name + ".svg").find("it's '7, \"42\", \\101"), std::string::npos)
      << "digits after what is escaped";
}

TEST_F(Drawn, HostileNamesAreTextOfTheSvg) {
  if (!gnuplot_installed()) GTEST_SKIP() << "gnuplot is not installed";
  Plot plot = falling(hostile_names().size(), 3);
  for (std::size_t i = 0; i < plot.curves.size(); ++i) plot.curves[i].name = hostile_names()[i];
  plot.title = plot.x.label = plot.y.label = "a]]>b\xff\x1b";

  ASSERT_EQ(write_plots(folder_, {plot}).drawn.size(), 1u);
  EXPECT_TRUE(is_xml(folder_ / "plots/falling.svg"));
  EXPECT_TRUE(steers_nothing(text_in("falling.svg")));
}

TEST_F(Drawn, WhatGnuplotRefusesIsSaid) {
  if (!gnuplot_installed()) GTEST_SKIP() << "gnuplot is not installed";
  Plot plot = falling(1, 2);
  write_plots(folder_, {plot});
  plot.curves[0].points.clear();  // nothing to draw at all
  Plot first = falling(1, 2), last = falling(2, 3);
  first.name = "first";
  last.name = "last";

  const WrittenPlots written = write_plots(folder_, {first, plot, last});

  EXPECT_EQ(written.drawn, (std::vector{folder_ / "plots/first.svg", folder_ / "plots/last.svg"}));
  EXPECT_EQ(written.not_drawn, std::vector{folder_ / "plots/falling.gp"});
  EXPECT_EQ(written.gnuplot, Gnuplot::works);
  EXPECT_FALSE(fs::exists(folder_ / "plots/falling.svg")) << "the earlier one is of other numbers";
}

TEST_F(Drawn, TheSvgIsTheSameWithoutFiles) {
  if (!gnuplot_installed()) GTEST_SKIP() << "gnuplot is not installed";
  const Plot plot = falling(3, 10);
  write_plots(folder_, {plot});
  Gnuplot gnuplot = Gnuplot::works;

  EXPECT_EQ(svgs_of({falling(2, 7), plot}, gnuplot).back(), text_in("falling.svg"));
}

TEST_F(Drawn, AGnuplotThatHangsIsKilledAndKeepsTheScript) {
  using namespace std::chrono_literals;
  const FakeGnuplot fake(folder_ / "bin", "echo >> \"$0.started\"\nexec sleep 1000\n");
  Plot other = falling(1, 3);
  other.name = "other";

  const WrittenPlots written = write_plots(folder_, {falling(2, 3), other}, {"svg"}, 300ms);

  EXPECT_EQ(written.gnuplot, Gnuplot::hung);
  EXPECT_TRUE(written.drawn.empty());
  EXPECT_EQ(written.not_drawn, (std::vector{folder_ / "plots/falling.gp", folder_ / "plots/other.gp"}));
  EXPECT_EQ(text_in("falling.gp"), plot_script(falling(2, 3)));
  EXPECT_LE(text_of(folder_ / "bin/gnuplot.started").size(), 1u) << "not again";
  Gnuplot gnuplot = Gnuplot::works;
  EXPECT_EQ(svgs_of({other}, gnuplot, 20ms).front(), "");
  EXPECT_EQ(gnuplot, Gnuplot::hung);
}

TEST_F(Drawn, NoPlotsNoFolder) {
  write_plots(folder_, {});

  EXPECT_FALSE(fs::exists(folder_ / "plots"));
}

TEST(Caption, SaysWhatIsAgainstWhat) {
  Plot plot{"n", "airfoil", {"nodes"}, {"test RMSE"}, {{"a", {{1, 2}, {2, 3, 3, 3}}}}};
  EXPECT_EQ(caption_of(plot), "airfoil: test RMSE against nodes, mean over repeats and folds");
  plot.curves[0].points[0].low = 1.5;
  plot.curves[0].points[0].high = 2.5;
  EXPECT_EQ(caption_of(plot), "airfoil: test RMSE against nodes, mean and standard deviation over repeats and folds");
  plot.style = PlotStyle::intervals;
  EXPECT_EQ(caption_of(plot), "airfoil: test RMSE against nodes, with 95 % intervals");
  EXPECT_EQ(
      caption_of(HeatMap{"n", "airfoil", "ridge", "nodes", "test RMSE", true, {1}, {1}, arma::mat(1, 1), "panel"}),
      "airfoil, panel: test RMSE by ridge and nodes, means over repeats and folds; the best has a frame");
}

TEST(Caption, SaysHowPointsWereChosen) {
  const std::string note = "nodes at each point: best on the test part, optimistic";
  const Plot plot{"n", "airfoil", {"ridge"}, {"test RMSE"}, {{"a", {{1, 2}}}}, note};
  EXPECT_NE(caption_of(plot).find(note), std::string::npos) << caption_of(plot);
}

}  // namespace

}  // namespace elmx
