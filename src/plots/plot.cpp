#include "plots/plot.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/files/fsio.hpp"
#include "base/files/own_files.hpp"
#include "base/machine/process.hpp"
#include "plots/gnuplot_text.hpp"
#include "plots/plot_gnuplot.hpp"

namespace elmx {
namespace {

enum class Drawing { drawn, failed, no_gnuplot };

/// gnuplot writes to neighbours of the files, which are then renamed.
Drawing draw(const std::filesystem::path& plots, const std::string& name, const PlotFormats& formats) {
  const auto code = run_program({"gnuplot", "--default-settings", "-e", "suffix = '.part'", name + ".gp"}, plots);
  bool drawn = code == 0;
  for (const std::string& format : formats) {
    const std::filesystem::path file = plots / (name + '.' + format), part = file.string() + ".part";
    std::error_code error;
    if (drawn) std::filesystem::rename(part, file, error);
    drawn = drawn && !error;
    std::filesystem::remove(part, error);
  }
  return drawn ? Drawing::drawn : code ? Drawing::failed : Drawing::no_gnuplot;
}

std::size_t points_in(const Plot& plot) {
  std::size_t sum = 0;
  for (const Curve& curve : plot.curves) sum += curve.points.size();
  return sum;
}

}  // namespace

void limit_points(Plot& plot) {
  const std::size_t curves = plot.curves.size(), points = points_in(plot);
  if (curves <= kCurvesOfPlot && points <= kPointsOfPlot) return;
  if (curves > kCurvesOfPlot) {
    plot.curves.resize(kCurvesOfPlot);
    add_note(plot.note, "the first " + std::to_string(kCurvesOfPlot) + " of " + std::to_string(curves) + " curves");
  }
  if (points_in(plot) > kPointsOfPlot) {
    for (Curve& curve : plot.curves) thin(curve.points, kPointsOfPlot / plot.curves.size());
    add_note(plot.note, std::to_string(points_in(plot)) + " of " + std::to_string(points) + " points");
  }
}

void add_note(std::string& note, const std::string& clause) {
  if (!clause.empty()) note += (note.empty() ? "" : "; ") + clause;
}

std::string plot_title(const std::string& experiment_case, const std::string& dataset) {
  if (experiment_case.empty() || experiment_case == dataset) return dataset;
  return experiment_case.find(dataset) == std::string::npos ? experiment_case + " (" + dataset + ")" : experiment_case;
}

std::string PlotNames::operator()(const std::string& name) {
  std::string unique = name;
  for (int i = 2; !given_.insert(unique).second; ++i) unique = name + "-" + std::to_string(i);
  return unique;
}

std::vector<Figure> as_figures(std::vector<Plot> plots) {
  return {std::make_move_iterator(plots.begin()), std::make_move_iterator(plots.end())};
}

std::string& name_of(Figure& figure) {
  return std::visit([](auto& one) -> std::string& { return one.name; }, figure);
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
    if (run_program({"gnuplot", "-e", "set terminal " + terminal}, ".").value_or(0) != 0)
      throw ConfigError("--format " + format + ": the installed gnuplot lacks its terminal " + terminal +
                        " (install the package gnuplot-nox, or use svg)");
  }
}

WrittenPlots write_plots(const std::filesystem::path& folder, const std::vector<Figure>& figures,
                         const PlotFormats& formats) {
  WrittenPlots written;
  const std::filesystem::path to = folder / "plots";
  std::vector<std::string> names;
  for (const Figure& figure : figures) {
    expects(name_of(figure) == file_name(name_of(figure)), "write_plots: a name that a file can have");
    for (const std::string end : {"gp", "dat"}) names.push_back("plots/" + name_of(figure) + '.' + end);
    for (const std::string& format : formats) names.push_back("plots/" + name_of(figure) + '.' + format);
  }
  claim_files(folder, names);
  for (const Figure& figure : figures) {
    const std::string& name = name_of(figure);
    const std::filesystem::path numbers = to / (name + ".dat"), script = to / (name + ".gp");
    const std::string data = std::visit([](const auto& one) { return plot_data(one); }, figure);
    const std::string text = std::visit([&](const auto& one) { return plot_script(one, formats); }, figure);
    const auto picture = [&](const std::string& format) { return to / (name + '.' + format); };
    std::error_code ignored;
    const bool same = has_content(numbers, data) && has_content(script, text);
    const bool there = same && std::ranges::all_of(formats, [&](const std::string& format) {
                         return std::filesystem::exists(picture(format), ignored);
                       });
    if (!there) {
      for (const std::string& format : formats) std::filesystem::remove(picture(format), ignored);  // of other numbers
      write_file(numbers, data);
      write_file(script, text);
    }
    const Drawing drawing = there                   ? Drawing::drawn
                            : written.gnuplot_found ? draw(to, name, formats)
                                                    : Drawing::no_gnuplot;
    written.gnuplot_found = drawing != Drawing::no_gnuplot;
    for (const std::string& format : formats) {
      if (drawing == Drawing::drawn) written.drawn.push_back(picture(format));
    }
    if (drawing != Drawing::drawn) written.not_drawn.push_back(script);
  }
  return written;
}

}  // namespace elmx
