#include "report/plots/plot_gnuplot.hpp"
#include "report/plots/plots.hpp"
#include "report/plots/row_plots.hpp"

namespace elmx {
namespace {

/// Ridge 0.1 and 1 at 10 and 20 nodes over two folds; the mean at (ridge, nodes) is ridge + nodes.
std::vector<Record> swept(const std::vector<std::string>& algorithms) {
  std::vector<Record> records;
  for (const std::string& algorithm : algorithms) {
    for (const double ridge : {1.0, 0.1}) {
      for (const arma::uword fold : {0u, 1u}) {
        Record record = one_step_record("", algorithm, fold, 10, {});
        record.key += Json(ridge).dump();
        record.point = {{"/model/ridge", ridge}};
        record.steps.resize(2, record.steps[0]);
        for (const std::size_t i : {0u, 1u}) {
          record.steps[i].nodes = 10 * (i + 1);
          const double mean = ridge + static_cast<double>(record.steps[i].nodes);
          record.steps[i].metrics["test_rmse"] = mean + (fold == 0 ? 0.5 : -0.5);
        }
        records.push_back(record);
      }
    }
  }
  return records;
}

using DrawnMap = PlotFolder;

TEST(HeatMaps, HoldTheMeansByRidgeAndNodes) {
  const std::vector<Record> records = swept({"panel"});

  const std::vector<HeatMap> maps = heat_maps(group_records(records), quantity_of("test_rmse"));

  ASSERT_EQ(maps.size(), 1u);
  EXPECT_EQ(maps[0].x, (std::vector<double>{0.1, 1}));
  EXPECT_EQ(maps[0].y, (std::vector<double>{10, 20}));
  for (arma::uword i = 0; i < 2; ++i) {
    for (arma::uword j = 0; j < 2; ++j) EXPECT_NEAR(maps[0].means(i, j), maps[0].x[j] + maps[0].y[i], 1e-12);
  }
  EXPECT_TRUE(maps[0].lower_is_better);
}

TEST(HeatMaps, AreOneForAlgorithmsThatPrintAlike) {
  std::vector<Record> records = swept({"panel", "alg2"});
  EXPECT_EQ(heat_maps(group_records(records), quantity_of("test_rmse")).size(), 1u);
  EXPECT_EQ(heat_maps(group_records(records), quantity_of("test_rmse"))[0].subtitle, "alg2, panel");
  records[0].steps[0].metrics["test_rmse"] += 1;
  EXPECT_EQ(heat_maps(group_records(records), quantity_of("test_rmse")).size(), 2u);
}

TEST(HeatMaps, NeedTwoValuesOfBoth) {
  std::vector<Record> records = swept({"panel"});
  for (Record& record : records) record.steps.resize(1);
  EXPECT_TRUE(heat_maps(group_records(records), quantity_of("test_rmse")).empty());
  records = swept({"panel"});
  std::erase_if(records, [](const Record& record) { return record.point.at("/model/ridge") == 1.0; });
  EXPECT_TRUE(heat_maps(group_records(records), quantity_of("test_rmse")).empty());
}

TEST(HeatMaps, AFrameIsAroundTheBest) {
  HeatMap map{"map", "yacht", "ridge", "nodes", "error", true, {1, 2}, {10, 20}, {{4, 3}, {9, 2}}, "panel"};
  EXPECT_NE(plot_script(map).find("set object rectangle from 0.54, 0.54 to 1.46, 1.46"), std::string::npos)
      << plot_script(map);
  map.lower_is_better = false;
  EXPECT_NE(plot_script(map).find("set object rectangle from -0.46, 0.54 to 0.46, 1.46"), std::string::npos);
}

TEST(HeatMaps, WhatFailedInSomeTrialsIsMarkedAndNotTheBest) {
  std::vector<Record> records = swept({"panel"});
  const auto failed = std::ranges::find_if(records, [](const Record& r) { return r.point.at("/model/ridge") == 0.1; });
  failed->steps[0].status = Status::not_positive_definite;  // 10 nodes and ridge 0.1, which has the least mean

  const HeatMap map = heat_maps(group_records(records), quantity_of("test_rmse")).at(0);

  EXPECT_EQ(map.lacking(0, 0), 1u);
  EXPECT_EQ(arma::accu(map.lacking), 1u);
  const std::string script = plot_script(map);
  EXPECT_NE(script.find("*\" at 0, 0"), std::string::npos) << script;
  EXPECT_NE(script.find("set object rectangle from 0.54, -0.46 to 1.46, 0.46"), std::string::npos) << script;
  EXPECT_NE(caption_of(map).find("*: some trials have no number here"), std::string::npos) << caption_of(map);
}

TEST(HeatMaps, EveryCellThatIsBestHasAFrame) {
  const HeatMap map{"map", "iris", "ridge", "nodes", "acc", false, {1, 2}, {10, 20}, {{0.5, 0.9}, {0.9 - 1e-16, 0.2}}};
  const std::string script = plot_script(map);
  const std::string frame = "set object rectangle from ";
  EXPECT_NE(script.find(frame + "0.54, -0.46"), std::string::npos) << script;
  EXPECT_NE(script.find(frame + "-0.46, 0.54"), std::string::npos) << script;
}

TEST(HeatMaps, AnOutlierIsMarkedAndDoesNotStretchTheColours) {
  const HeatMap map{"map", "yacht", "ridge", "nodes", "error", true, {1, 2}, {10, 20}, {{1, 2}, {3, 1e6}}, ""};

  const std::string script = plot_script(map);

  EXPECT_NE(script.find("set cbrange [1:3]"), std::string::npos) << script;
  EXPECT_NE(script.find("1.0e+06 ▲"), std::string::npos);
}

TEST_F(DrawnMap, IsWellFormedWithAndWithoutLacks) {
  if (!gnuplot_installed()) GTEST_SKIP() << "gnuplot is not installed";
  HeatMap map{"map", "<b> 'yacht'", "ridge", "nodes", "error", true, {1e-3, 2}, {10, 20}, {{1, 2}, {3, 1e6}}, "`x`"};
  std::vector<std::size_t> cells;
  for (const double lack : {4.0, std::nan("")}) {
    map.means(0, 1) = lack;
    ASSERT_EQ(write_plots(folder_, {map}).drawn.size(), 1u) << plot_script(map);
    EXPECT_TRUE(is_xml(folder_ / "plots/map.svg"));
    const std::string svg = text_in("map.svg"), of_cell = "<polygon fill";
    cells.push_back(0);
    for (std::size_t at = svg.find(of_cell); at != std::string::npos; at = svg.find(of_cell, at + 1)) ++cells.back();
  }
  EXPECT_EQ(cells[0] - cells[1], 1u) << "a cell without a number is not painted";
  EXPECT_NE(text_in("map.svg").find(">NA</text>"), std::string::npos);
  map.means.fill(5);
  EXPECT_EQ(write_plots(folder_, {map}).drawn.size(), 1u) << "all alike";
}

TEST(PartedFigures, HaveOneFigureAQuestion) {
  const std::vector<Record> records = swept({"panel", "alg2"});
  const PlotSource source = plot_source(records);

  const PartedFigures parted = parted_figures(source);

  ASSERT_EQ(parted.first.size(), 2u);
  EXPECT_TRUE(std::holds_alternative<HeatMap>(parted.first[0]));
  EXPECT_TRUE(std::holds_alternative<BarChart>(parted.first[1]));
  EXPECT_EQ(parted.first.size() + parted.further.size(), figures_of(source, {}, "", "a").size());
  EXPECT_FALSE(parted.further.empty());
}

}  // namespace
}  // namespace elmx
