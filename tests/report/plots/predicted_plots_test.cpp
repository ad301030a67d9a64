#include "report/frame/record_rows.hpp"
#include "report/plots/plots.hpp"
#include "report/plots/row_plots.hpp"

namespace elmx {
namespace {

const TestPredictions kTwoTargets{
    "boats", "panel", {"speed", "cost"}, {{1, 10}, {2, 20}, {4, 30}}, {{1.5, 10}, {2, 18}, {3, 33}}};

TEST(PredictedPlots, AreAPairOfDiagramsForEachTarget) {
  const std::vector<Figure> figures = predicted_plots({kTwoTargets});

  ASSERT_EQ(figures.size(), 4u);
  for (arma::uword target = 0; target < 2; ++target) {
    const Plot &predicted = std::get<Plot>(figures[2 * target]), &residuals = std::get<Plot>(figures[2 * target + 1]);
    ASSERT_EQ(predicted.curves.at(0).points.size(), 3u);
    ASSERT_EQ(residuals.curves.at(0).points.size(), 3u);
    arma::vec sums(3), actual(3);
    for (arma::uword i = 0; i < 3; ++i) {  // in the order of their x
      actual(i) = predicted.curves[0].points[i].x;
      sums(i) = residuals.curves[0].points[i].x + residuals.curves[0].points[i].mean;
    }
    EXPECT_TRUE(arma::approx_equal(actual, kTwoTargets.actual.col(target), "absdiff", 1e-14));
    EXPECT_TRUE(arma::approx_equal(arma::sort(sums), actual, "absdiff", 1e-14)) << "predicted + residual = actual";
    EXPECT_EQ(predicted.style, PlotStyle::around_identity);
    EXPECT_EQ(residuals.style, PlotStyle::around_zero);
  }
}

std::vector<RecordRow> rows_of(std::vector<Record>& records) {
  records = {one_step_record("", "a", 0, 10, {{"test_acc", 0.5}}),
             one_step_record("", "a", 1, 10, {{"test_acc", 0.6}})};
  records[0].steps[0].confusion = {3, 1, 0, 4};
  records[1].steps[0].confusion = {2, 2, 1, 5};
  records[0].test_part.samples = 8;
  records[1].test_part.samples = 10;
  return group_records(records);
}

TEST(ConfusionMatrices, AreSumsOverFolds) {
  std::vector<Record> records;
  const std::vector<ConfusionMatrix> matrices = confusion_matrices(rows_of(records), {{"airfoil", {"no", "yes"}}});

  ASSERT_EQ(matrices.size(), 1u);
  EXPECT_EQ(matrices[0].classes, (std::vector<std::string>{"no", "yes"}));
  EXPECT_EQ(matrices[0].counts(0, 0), 5u);
  EXPECT_EQ(matrices[0].counts(0, 1), 3u) << "true class by row";
  EXPECT_EQ(matrices[0].counts(1, 0), 1u);
  EXPECT_EQ(matrices[0].counts(1, 1), 9u);
  for (Record& record : records) record.steps[0].confusion.clear();
  EXPECT_TRUE(confusion_matrices(group_records(records), {}).empty());
}

using DrawnPredictions = PlotFolder;

TEST_F(DrawnPredictions, AreInEveryFormatOfOneScript) {
  if (!gnuplot_installed()) GTEST_SKIP() << "gnuplot is not installed";
  const PlotFormats formats = {"svg", "pdf", "png"};
  require_formats(formats);
  std::vector<Record> records;
  std::vector<Figure> figures = predicted_plots({kTwoTargets});
  figures.emplace_back(confusion_matrices(rows_of(records), {{"airfoil", {"<&>", "\"$`"}}}).at(0));

  const WrittenPlots written = write_plots(folder_, figures, formats);

  EXPECT_EQ(written.drawn.size(), 15u);
  EXPECT_TRUE(written.not_drawn.empty());
  for (const fs::path& file : written.drawn) {
    const std::string begins = text_of(file).substr(0, 5);
    const std::string wanted = file.extension() == ".pdf"   ? "%PDF-"
                               : file.extension() == ".png" ? "\x89PNG\r"
                                                            : "<?xml";
    EXPECT_EQ(begins, wanted) << file;
  }
  const std::string svg = text_in(name_of(figures.back()) + ".svg");
  for (const char* count : {">5<", ">3<", ">1<", ">9<"}) EXPECT_NE(svg.find(count), std::string::npos) << count;
}

}  // namespace
}  // namespace elmx
