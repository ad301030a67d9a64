#include <gtest/gtest.h>

#include <set>

#include "report/plots/row_plots.hpp"
#include "support/records.hpp"
#include "support/thrown.hpp"

namespace elmx {
namespace {

std::vector<std::string> names_of(const std::vector<Figure>& figures) {
  std::vector<std::string> names;
  for (const Figure& figure : figures) names.push_back(name_of(figure));
  return names;
}

std::vector<Record> regression_run() {
  std::vector<Record> records = small_run();
  for (Record& record : records) {
    for (StepRecord& step : record.steps) {
      if (step.metrics.count("test_mse") > 0) step.metrics["test_rmse"] = std::sqrt(step.metrics["test_mse"]);
    }
  }
  return records;
}

TEST(PlotKinds, AllThatTheRecordsCanShowIsMade) {
  const std::vector<Record> records = regression_run();
  const PlotSource source = plot_source(records);

  EXPECT_EQ(names_of(figures_of(source, {}, "", "a")),
            (std::vector<std::string>{"Airfoil_airfoil_test_rmse_by_nodes", "Airfoil_airfoil_weight_error_by_nodes",
                                      "Airfoil_airfoil_step_speedup"}));
  const PartedFigures parted = parted_figures(source);
  EXPECT_EQ(names_of(parted.first),
            (std::vector<std::string>{"Airfoil_airfoil_test_rmse_by_nodes", "Airfoil_airfoil_step_speedup"}));
  EXPECT_EQ(names_of(parted.further), std::vector<std::string>{"Airfoil_airfoil_weight_error_by_nodes"});
}

TEST(PlotKinds, AMetricPicksTheKindsThatShowIt) {
  const std::vector<Record> records = regression_run();
  const PlotSource source = plot_source(records);

  EXPECT_EQ(names_of(figures_of(source, {}, "mse", "a")),
            std::vector<std::string>{"Airfoil_airfoil_test_mse_by_nodes"});
  EXPECT_EQ(names_of(figures_of(source, {"speedup"}, "total_seconds", "a")),
            std::vector<std::string>{"Airfoil_airfoil_total_speedup"});
  EXPECT_EQ(place_thrown<ConfigError>([&] { figures_of(source, {"speedup"}, "mse", "a"); }), "plot speedup");
}

TEST(PlotKinds, WhatIsUnknownOrLackingIsOneLine) {
  const std::vector<Record> records = regression_run();
  const PlotSource source = plot_source(records);

  EXPECT_NE(thrown<ConfigError>([&] { figures_of(source, {"node"}, "", "a"); }).find("\"nodes\""), std::string::npos);
  const auto ridge = [&] { figures_of(source, {"nodes", "ridge"}, "", "a"); };
  EXPECT_EQ(place_thrown<DataError>(ridge), "a");
  EXPECT_NE(thrown<DataError>(ridge).find("ridge needs"), std::string::npos);
  EXPECT_EQ(thrown<DataError>(ridge).find("nodes needs"), std::string::npos);
  const std::vector<Record> one = {one_step_record("", "a", 0, 10, {{"test_rmse", 1}})};
  const std::string lacking = thrown<DataError>([&] { figures_of(plot_source(one), {}, "", "a"); });
  for (const PlotKind& kind : plot_kinds())
    EXPECT_NE(lacking.find(kind.name + std::string(" needs ") + kind.needs), std::string::npos) << kind.name;
}

TEST(PlotKinds, CasesOfOneFileNameAreToldApart) {
  std::vector<Record> records = regression_run();
  const std::string name = records[0].experiment_case + "?";  // the same letters in a file name
  for (Record record : regression_run()) {
    record.experiment_case = name;
    record.key += "?";
    records.push_back(record);
  }
  const std::vector<std::string> all = names_of(figures_of(plot_source(records), {"nodes"}, "", "a"));
  ASSERT_EQ(all.size(), 2u);
  EXPECT_NE(all[0], all[1]);
}

TEST(PlotKinds, AConditionIsInNameAndTitle) {
  const std::vector<Record> records = regression_run();
  const std::string algorithm = records[0].algorithm;
  const auto figures =
      figures_of(plot_source(Frame(records).where(predicate_of({"algorithm=" + algorithm}))), {"nodes"}, "", "a");
  EXPECT_EQ(name_of(figures[0]), "Airfoil_airfoil_test_rmse_by_nodes_where_algorithm_" + algorithm);
  EXPECT_EQ(title_of(figures[0]), "Airfoil (airfoil), where algorithm=" + algorithm);
}

TEST(PlotKinds, ABaselineThatAConditionLeavesOutIsRefused) {
  const std::vector<Record> records = regression_run();
  const std::string algorithm = records[0].algorithm;
  const auto other = std::ranges::find_if(records, [&](const Record& r) { return r.algorithm != algorithm; });
  const auto act = [&] {
    plot_source(Frame(records).where(predicate_of({"algorithm=" + algorithm})), other->algorithm);
  };
  EXPECT_EQ(place_thrown<ConfigError>(act), "reference algorithm \"" + other->algorithm + "\"");
  EXPECT_NE(thrown<ConfigError>(act).find("--where"), std::string::npos);
}

TEST(PlotKinds, ConvergenceIsOfTheSizesThatAreAskedFor) {
  std::vector<Record> records = {traced_record("dec", 0, {5, 4, 3}), traced_record("lbfgs", 0, {5, 3, 2})};
  for (Record& record : records) {
    record.steps.push_back(record.steps[0]);
    record.steps[1].nodes = 6;
  }
  const auto curves = [&](const std::vector<std::string>& where) {
    const PlotSource source = plot_source(Frame(records).where(predicate_of(where)));
    const std::vector<Figure> figures = figures_of(source, {"convergence"}, "", "a");
    return std::get<Plot>(figures.at(0)).curves.size();
  };

  EXPECT_EQ(curves({}), 4u);
  EXPECT_EQ(curves({"nodes=6"}), 2u);
}

TEST(PlotKinds, NamesOfFilesAreDifferent) {
  std::vector<Record> records = regression_run();
  for (Record record : regression_run()) {
    record.experiment_case = "Airfoil?";
    record.key += "?";
    records.push_back(record);
  }

  const PartedFigures parted = parted_figures(plot_source(records));
  std::vector<std::string> names = names_of(parted.first);
  for (const std::string& name : names_of(parted.further)) names.push_back(name);

  EXPECT_EQ(names.size(), 6u);
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), 6u);
}

}  // namespace
}  // namespace elmx
