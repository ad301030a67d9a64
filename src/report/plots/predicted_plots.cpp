#include <cmath>

#include "report/frame/quantities.hpp"
#include "report/plots/method_rows.hpp"
#include "report/plots/row_plots.hpp"

namespace elmx {
namespace {

Plot cloud_of(const TestPredictions& values, arma::uword target, PlotStyle style) {
  const std::string& name = values.targets.at(target);
  const bool residuals = style == PlotStyle::around_zero;
  Plot plot{file_name(file_name(values.data_set + "_" + values.method + "_" + name, 120) +
                      (residuals ? "_residuals" : "_predicted")),
            values.data_set + ", " + values.method,
            {(residuals ? "predicted " : "actual ") + name},
            {residuals ? "residual of " + name + " (actual - predicted)" : "predicted " + name},
            {{"test rows", {}}},
            "",
            style};
  std::vector<CurvePoint>& points = plot.curves[0].points;
  for (arma::uword i = 0; i < values.actual.n_rows; ++i) {
    const double actual = values.actual(i, target), predicted = values.predicted(i, target);
    points.push_back({residuals ? predicted : actual, residuals ? actual - predicted : predicted, NAN, 1});
  }
  limit_points(plot);
  std::ranges::sort(points, {}, &CurvePoint::x);
  return plot;
}

}  // namespace

std::vector<Figure> predicted_plots(const std::vector<TestPredictions>& all) {
  std::vector<Figure> figures;
  for (const TestPredictions& values : all) {
    for (arma::uword target = 0; target < values.actual.n_cols; ++target) {
      for (const PlotStyle style : {PlotStyle::around_identity, PlotStyle::around_zero})
        figures.emplace_back(cloud_of(values, target, style));
    }
  }
  return figures;
}

std::vector<ConfusionMatrix> confusion_matrices(const std::vector<RecordRow>& rows, const ClassesOfSets& classes) {
  std::vector<ConfusionMatrix> matrices;
  for (const std::span<const RecordRow> of_set : by_data_set(rows)) {
    const Dimensions dimensions(of_set);
    std::vector<const RecordRow*> shown;
    for (const RecordRow& row : of_set) shown.push_back(&row);
    for (const EntryRows& entry : by_entry(shown, dimensions, [](const Dimension&) { return true; })) {
      const RecordRow& row = *entry.rows.front();
      const arma::mat C = pooled_confusion(row.steps).C;
      if (C.is_empty()) continue;
      ConfusionMatrix matrix{"", plot_title(row.experiment_case, row.dataset), {}, arma::conv_to<arma::umat>::from(C)};
      matrix.subtitle = row.algorithm + entry.suffix;
      matrix.name = file_name(file_name(matrix.title + "_" + matrix.subtitle, 120) + "_confusion");
      matrix.note = choice_text({&row, 1}, "");
      if (const auto found = classes.find(row.dataset); found != classes.end()) matrix.classes = found->second;
      for (arma::uword i = matrix.classes.size(); i < C.n_rows; ++i) matrix.classes.push_back(std::to_string(i));
      matrix.classes.resize(C.n_rows);
      matrices.push_back(std::move(matrix));
    }
  }
  return matrices;
}

}  // namespace elmx
