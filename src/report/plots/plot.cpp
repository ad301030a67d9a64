#include "report/plots/plot.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/files/files.hpp"
#include "base/files/own_files.hpp"
#include "base/machine/machine.hpp"
#include "report/plots/plot_gnuplot.hpp"

namespace elmx {
namespace {

/// Runs a script with these settings. Returns true if gnuplot succeeds.
bool run_gnuplot(const std::string& settings, const std::string& script, const std::filesystem::path& folder,
                 std::chrono::milliseconds limit, Gnuplot& gnuplot) {
  if (gnuplot != Gnuplot::works) return false;
  const auto code = run_program({"gnuplot", "--default-settings", "-e", settings, script}, folder, limit);
  if (code == kTookTooLong) gnuplot = Gnuplot::hung;
  if (!code) gnuplot = Gnuplot::missing;
  return code == 0;
}

/// Draws a figure into temporary files, which are then renamed. Returns true if all formats were drawn.
/// Throws OutputError if a drawn file cannot be renamed.
bool draw(const std::filesystem::path& plots, const std::string& name, const PlotFormats& formats,
          std::chrono::milliseconds limit, Gnuplot& gnuplot) {
  bool drawn = run_gnuplot("suffix = '.part'", name + ".gp", plots, limit, gnuplot);
  for (const std::string& format : formats) {
    const std::filesystem::path file = plots / (name + '.' + format), part = file.string() + ".part";
    std::error_code error;
    if (drawn) std::filesystem::rename(part, file, error);
    std::error_code ignored;
    const bool is_left = std::filesystem::remove(part, ignored);
    if (drawn && error && is_left) throw OutputError(file.string(), "cannot be written: " + error.message());
    drawn = drawn && !error;
  }
  return drawn;
}

std::size_t points_in(const Plot& plot) {
  std::size_t sum = 0;
  for (const Curve& curve : plot.curves) sum += curve.points.size();
  return sum;
}

}  // namespace

CurvePoint point_of(double x, const Summary& summary) {
  return {x, summary.mean, summary.mean - summary.sd, summary.mean + summary.sd, summary.n};
}

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

void require_formats(const PlotFormats& formats) {
  for (const std::string& format : formats) {
    const std::string terminal(terminal_named(format));
    const auto code = run_program({"gnuplot", "-e", "set terminal " + terminal}, ".", kGnuplotLimit);
    if (code == kTookTooLong) throw ConfigError("--format " + format, why_not_drawn(Gnuplot::hung));
    if (code.value_or(0) != 0)
      throw ConfigError("--format " + format, "the installed gnuplot lacks the terminal " + terminal +
                                                  "; install the package gnuplot-nox, or use svg");
  }
}

std::string why_not_drawn(Gnuplot gnuplot) {
  switch (gnuplot) {
    case Gnuplot::missing:
      return "gnuplot is not installed";
    case Gnuplot::hung:
      return fmt::format("gnuplot did not finish within {} s",
                         std::chrono::duration_cast<std::chrono::seconds>(kGnuplotLimit).count());
    default:
      return "gnuplot failed";
  }
}

std::string svg_of(const Figure& figure, Gnuplot& gnuplot, std::chrono::milliseconds limit) {
  const MemoryFile script(plot_script(figure, {"svg"})), data(drawing_of(figure).data), svg;
  const std::string settings = fmt::format("data = '{}'; output = '{}'", data.path(), svg.path());
  return run_gnuplot(settings, script.path(), ".", limit, gnuplot) ? read_file(svg.path()) : "";
}

WrittenPlots write_plots(const std::filesystem::path& folder, const std::vector<Figure>& figures,
                         const PlotFormats& formats, std::chrono::milliseconds limit) {
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
    const std::string data = drawing_of(figure).data, script = plot_script(figure, formats);
    std::error_code ignored;
    bool drawn = has_content(file("dat"), data) && has_content(file("gp"), script) &&
                 std::ranges::all_of(formats, is_there, file);
    if (!drawn) {
      // Remove figures of older numbers.
      for (const std::string& format : formats) std::filesystem::remove(file(format), ignored);
      write_file(file("dat"), data);
      write_file(file("gp"), script);
      drawn = draw(folder / "plots", name_of(figure), formats, limit, written.gnuplot);
    }
    for (const std::string& format : formats) {
      if (drawn) written.drawn.push_back(file(format));
    }
    if (!drawn) written.not_drawn.push_back(file("gp"));
  }
  return written;
}

}  // namespace elmx
