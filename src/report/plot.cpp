#include "report/plot.hpp"

#include "base/error.hpp"
#include "base/fsio.hpp"
#include "base/process.hpp"
#include "base/temporary_file.hpp"
#include "report/plot_gnuplot.hpp"

namespace elmx {
namespace {

enum class Drawing { drawn, failed, no_gnuplot };

/// gnuplot writes to a neighbour of NAME.svg, which is then renamed.
Drawing draw(const std::filesystem::path& plots, const Plot& plot) {
  const std::string partial = plot.name + ".svg.part";
  const TemporaryFile script = temporary_file(plot_script(plot, partial));
  const auto code = run_program({"gnuplot", "--default-settings", script.path().string()}, plots);
  std::error_code error;
  if (code == 0) {
    std::filesystem::rename(plots / partial, plots / (plot.name + ".svg"), error);
    if (!error) return Drawing::drawn;
  }
  std::filesystem::remove(plots / partial, error);
  return code ? Drawing::failed : Drawing::no_gnuplot;
}

}  // namespace

WrittenPlots write_plots(const std::filesystem::path& folder, const std::vector<Plot>& plots) {
  WrittenPlots written;
  const std::filesystem::path to = folder / "plots";
  std::error_code ignored;  // write_file reports a folder that is not there
  if (!plots.empty()) std::filesystem::create_directories(to, ignored);
  for (const Plot& plot : plots) {
    expects(plot.name == file_name(plot.name), "write_plots: a name that a file can have");
    const std::filesystem::path script = to / (plot.name + ".gp");
    write_file(to / (plot.name + ".dat"), plot_data(plot));
    write_file(script, plot_script(plot, plot.name + ".svg"));
    const Drawing drawing = written.gnuplot_found ? draw(to, plot) : Drawing::no_gnuplot;
    written.gnuplot_found = drawing != Drawing::no_gnuplot;
    const std::filesystem::path svg = to / (plot.name + ".svg");
    if (drawing == Drawing::drawn) {
      written.drawn.push_back(svg);
    } else {
      std::filesystem::remove(svg, ignored);  // an earlier one, which is not of these numbers
      written.not_drawn.push_back(script);
    }
  }
  return written;
}

}  // namespace elmx
