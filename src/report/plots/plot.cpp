#include "report/plots/plot.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/files/files.hpp"
#include "base/files/own_files.hpp"
#include "base/machine/process.hpp"
#include "report/plots/plot_gnuplot.hpp"

namespace elmx {
namespace {

/// Draws a figure into temporary files, which are then renamed. Returns true if all formats were drawn.
bool draw(const std::filesystem::path& plots, const std::string& name, const PlotFormats& formats,
          bool& gnuplot_found) {
  const auto code = run_program({"gnuplot", "--default-settings", "-e", "suffix = '.part'", name + ".gp"}, plots);
  gnuplot_found = code.has_value();
  bool drawn = code == 0;
  for (const std::string& format : formats) {
    const std::filesystem::path file = plots / (name + '.' + format), part = file.string() + ".part";
    std::error_code error;
    if (drawn) std::filesystem::rename(part, file, error);
    drawn = drawn && !error;
    std::filesystem::remove(part, error);
  }
  return drawn;
}

std::size_t points_in(const Plot& plot) {
  std::size_t sum = 0;
  for (const Curve& curve : plot.curves) sum += curve.points.size();
  return sum;
}

/// Returns "title, subtitle: what; note".
std::string caption(const std::string& title, const std::string& subtitle, const std::string& what,
                    const std::string& note) {
  return fmt::format("{}{}{}: {}{}{}", title, subtitle.empty() ? "" : ", ", subtitle, what, note.empty() ? "" : "; ",
                     note);
}

std::string caption(const Plot& plot) {
  const std::string beyond = outliers_text(outliers(plot, VerticalAxis(plot)));
  const bool has_spread = std::ranges::any_of(plot.curves, [](const Curve& curve) {
    return std::ranges::any_of(curve.points, [](const CurvePoint& point) { return point.sd > 0; });
  });
  std::string what = plot.y.label + " against " + plot.x.label;
  if (plot.style == PlotStyle::curves)
    what += fmt::format(", mean{} over repeats and folds", has_spread ? " and standard deviation" : "");
  return caption(plot.title, "", what, plot.note) + (beyond.empty() ? "" : ". Triangles at the edge: " + beyond);
}

std::string caption(const BarChart& chart) {
  const bool intervals = std::ranges::any_of(chart.series, [](const BarSeries& series) {
    return std::ranges::any_of(series.bars, [](const Bar& bar) { return std::isfinite(bar.low); });
  });
  return caption(chart.title, chart.subtitle,
                 chart.value_label + " by " + chart.group_label + (intervals ? ", with 95 % intervals" : ""),
                 chart.note);
}

std::string caption(const HeatMap& map) {
  const bool lacks = arma::any(map.lacking.elem(arma::find_finite(map.means)) > 0);
  return caption(map.title, map.subtitle,
                 fmt::format("{} by {} and {}, means over repeats and folds; the best has a frame{}{}", map.value_label,
                             map.x_label, map.y_label, lacks ? ", *: some trials have no number here" : "",
                             map.means.has_nan() ? ", hatched: no number" : ""),
                 map.note);
}

std::string caption(const ConfusionMatrix& matrix) {
  return caption(matrix.title, matrix.subtitle,
                 "true against predicted classes, counts over repeats and folds, shaded by the share of the row",
                 matrix.note);
}

std::string caption(const ComparedPlot& plot) {
  return caption(plot.title, "", plot.value_label + " against " + plot.x.label + ", published (dashed) and measured",
                 plot.note);
}

}  // namespace

void limit_points(Plot& plot) {
  const std::size_t curves = plot.curves.size(), points = points_in(plot);
  if (curves > kCurvesOfPlot) {
    plot.curves.resize(kCurvesOfPlot);
    add_note(plot.note, fmt::format("the first {} of {} curves", kCurvesOfPlot, curves));
  }
  if (points_in(plot) > kPointsOfPlot) {
    for (Curve& curve : plot.curves) thin(curve.points, kPointsOfPlot / plot.curves.size());
    add_note(plot.note, fmt::format("{} of {} points", points_in(plot), points));
  }
}

void add_note(std::string& note, const std::string& clause) {
  if (!clause.empty()) note += (note.empty() ? "" : "; ") + clause;
}

std::string plot_title(const std::string& experiment_case, const std::string& dataset) {
  if (experiment_case.empty() || experiment_case == dataset) return dataset;
  return experiment_case.find(dataset) == std::string::npos ? experiment_case + " (" + dataset + ")" : experiment_case;
}

std::string unused_name(const std::string& name, std::set<std::string>& given) {
  std::string unused = name;
  for (int i = 2; !given.insert(unused).second; ++i) unused = fmt::format("{}-{}", name, i);
  return unused;
}

const std::string& name_of(const Figure& figure) {
  return std::visit([](const auto& one) -> const std::string& { return one.name; }, figure);
}

const std::string& title_of(const Figure& figure) {
  return std::visit([](const auto& one) -> const std::string& { return one.title; }, figure);
}

std::string caption_of(const Figure& figure) {
  return std::visit([](const auto& one) { return caption(one); }, figure);
}

void require_formats(const PlotFormats& formats) {
  for (const std::string& format : formats) {
    const std::string terminal(terminal_named(format));
    if (run_program({"gnuplot", "-e", "set terminal " + terminal}, ".").value_or(0) != 0)
      throw ConfigError("--format " + format, "the installed gnuplot lacks the terminal " + terminal +
                                                  "; install the package gnuplot-nox, or use svg");
  }
}

WrittenPlots write_plots(const std::filesystem::path& folder, const std::vector<Figure>& figures,
                         const PlotFormats& formats) {
  WrittenPlots written;
  std::vector<std::string> ends = formats, names;
  ends.insert(ends.end(), {"gp", "dat"});
  for (const Figure& figure : figures) {
    expects(name_of(figure) == file_name(name_of(figure)), "write_plots: a name that a file can have");
    for (const std::string& end : ends) names.push_back("plots/" + name_of(figure) + '.' + end);
  }
  claim_files(folder, names);
  for (const Figure& figure : figures) {
    const auto file = [&](const std::string& end) { return folder / "plots" / (name_of(figure) + '.' + end); };
    const std::string data = std::visit([](const auto&one) { return plot_data(one); }, figure),
                      script = std::visit([&](const auto&one) { return plot_script(one, formats); }, figure);
    std::error_code ignored;
    const auto exists = [&](const std::string& format) { return std::filesystem::exists(file(format), ignored); };
    bool drawn =
        has_content(file("dat"), data) && has_content(file("gp"), script) && std::ranges::all_of(formats, exists);
    if (!drawn) {
      // Remove figures of older numbers.
      for (const std::string& format : formats) std::filesystem::remove(file(format), ignored);
      write_file(file("dat"), data);
      write_file(file("gp"), script);
      drawn = written.gnuplot_found && draw(folder / "plots", name_of(figure), formats, written.gnuplot_found);
    }
    for (const std::string& format : formats) {
      if (drawn) written.drawn.push_back(file(format));
    }
    if (!drawn) written.not_drawn.push_back(file("gp"));
  }
  return written;
}

}  // namespace elmx
