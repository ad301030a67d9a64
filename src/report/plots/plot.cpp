#include "report/plots/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <list>
#include <optional>
#include <span>

#include "base/error.hpp"
#include "base/files/files.hpp"
#include "base/files/own_files.hpp"
#include "base/machine/machine.hpp"
#include "report/plots/plot_gnuplot.hpp"

namespace elmx {
namespace {

struct Script {
  std::string settings, file;
};

/// Runs ten scripts in a process, because a process takes as long to start as a figure to draw. Returns which
/// scripts succeeded: if a process fails, each of its scripts runs again alone.
std::vector<bool> run_gnuplot(std::span<const Script> scripts, const std::filesystem::path& folder,
                              std::chrono::milliseconds limit, Gnuplot& gnuplot) {
  constexpr std::size_t kMost = 10;
  std::vector<bool> succeeded;
  for (std::size_t most = kMost; !scripts.empty(); scripts = scripts.subspan(most)) {
    most = std::min(most, scripts.size());
    std::vector<std::string> command{"gnuplot", "--default-settings"};
    for (const Script& script : scripts.first(most))
      command.insert(command.end(), {"-e", "reset; undefine data; " + script.settings, script.file});
    const auto code = gnuplot == Gnuplot::works ? run_program(command, folder, limit) : 1;
    if (code == kTookTooLong) gnuplot = Gnuplot::hung;
    if (!code) gnuplot = Gnuplot::missing;
    if (code == 0 || most == 1 || gnuplot != Gnuplot::works) {
      succeeded.insert(succeeded.end(), most, code == 0);
    } else {
      for (const Script& script : scripts.first(most))
        succeeded.push_back(run_gnuplot({&script, 1}, folder, limit, gnuplot).front());
    }
  }
  return succeeded;
}

/// Renames the temporary files of a figure that was drawn, otherwise removes them. Sets `error` if a file
/// cannot be renamed.
void keep(bool drawn, const std::filesystem::path& plots, const std::string& name, const PlotFormats& formats,
          std::optional<OutputError>& error) {
  for (const std::string& format : formats) {
    const std::filesystem::path file = plots / (name + '.' + format), part = file.string() + ".part";
    std::error_code failed, ignored;
    if (drawn) std::filesystem::rename(part, file, failed);
    const bool is_left = std::filesystem::remove(part, ignored);
    if (failed && is_left) error.emplace(file.string(), "cannot be written: " + failed.message());
  }
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

std::vector<std::string> svgs_of(const std::vector<Figure>& figures, Gnuplot& gnuplot,
                                 std::chrono::milliseconds limit) {
  std::list<MemoryFile> files;
  std::vector<std::string> svgs;
  std::vector<Script> scripts;
  for (const Figure& figure : figures) {
    const MemoryFile &script = files.emplace_back(plot_script(figure, {"svg"})),
                     &data = files.emplace_back(drawing_of(figure).data), &svg = files.emplace_back();
    scripts.push_back({fmt::format("data = '{}'; output = '{}'", data.path(), svg.path()), script.path()});
    svgs.push_back(svg.path());
  }
  const std::vector<bool> drawn = run_gnuplot(scripts, ".", limit, gnuplot);
  for (std::size_t i = 0; i < svgs.size(); ++i) svgs[i] = drawn[i] ? read_file(svgs[i]) : "";
  return svgs;
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
  const std::filesystem::path plots = folder / "plots";
  const auto file = [&](const Figure& figure, const std::string& end) { return plots / (name_of(figure) + '.' + end); };
  const auto is_drawn = [&](const Figure& figure) {
    return std::ranges::all_of(formats, [&](const std::string& format) { return is_there(file(figure, format)); });
  };
  std::vector<Script> scripts;
  for (const Figure& figure : figures) {
    const std::string data = drawing_of(figure).data, script = plot_script(figure, formats);
    if (has_content(file(figure, "dat"), data) && has_content(file(figure, "gp"), script) && is_drawn(figure)) continue;
    // Remove figures of older numbers.
    std::error_code ignored;
    for (const std::string& format : formats) std::filesystem::remove(file(figure, format), ignored);
    write_file(file(figure, "dat"), data);
    write_file(file(figure, "gp"), script);
    scripts.push_back({"suffix = '.part'", name_of(figure) + ".gp"});
  }
  const std::vector<bool> drawn = run_gnuplot(scripts, plots, limit, written.gnuplot);
  std::optional<OutputError> error;
  for (std::size_t i = 0; i < scripts.size(); ++i)
    keep(drawn[i], plots, std::filesystem::path(scripts[i].file).stem(), formats, error);
  if (error) throw OutputError(*error);
  for (const Figure& figure : figures) {
    if (!is_drawn(figure)) {
      written.not_drawn.push_back(file(figure, "gp"));
      continue;
    }
    for (const std::string& format : formats) written.drawn.push_back(file(figure, format));
  }
  return written;
}

}  // namespace elmx
