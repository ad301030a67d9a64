#include "plots/plot.hpp"

#include "base/error.hpp"
#include "base/files/fsio.hpp"
#include "base/files/own_files.hpp"
#include "base/files/temporary_file.hpp"
#include "base/machine/process.hpp"
#include "plots/plot_gnuplot.hpp"

namespace elmx {
namespace {

enum class Drawing { drawn, failed, no_gnuplot };

std::string script_of(const Figure& figure, const std::string& output) {
  return std::visit([&](const auto& one) { return plot_script(one, output); }, figure);
}

/// gnuplot writes to a neighbour of NAME.svg, which is then renamed.
Drawing draw(const std::filesystem::path& plots, const Figure& figure) {
  const std::string partial = name_of(figure) + ".svg.part";
  const TemporaryFile script = temporary_file(script_of(figure, partial));
  const auto code = run_program({"gnuplot", "--default-settings", script.path().string()}, plots);
  std::error_code error;
  if (code == 0) {
    std::filesystem::rename(plots / partial, plots / (name_of(figure) + ".svg"), error);
    if (!error) return Drawing::drawn;
  }
  std::filesystem::remove(plots / partial, error);
  return code ? Drawing::failed : Drawing::no_gnuplot;
}

}  // namespace

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

std::vector<std::string> plot_names(const std::vector<Figure>& figures) {
  std::vector<std::string> names;
  for (const Figure& figure : figures) {
    for (const char* end : {".svg", ".gp", ".dat"}) names.push_back("plots/" + name_of(figure) + end);
  }
  return names;
}

WrittenPlots write_plots(const std::filesystem::path& folder, const std::vector<Figure>& figures) {
  WrittenPlots written;
  const std::filesystem::path to = folder / "plots";
  std::error_code ignored;
  claim_files(folder, plot_names(figures));
  for (const Figure& figure : figures) {
    const std::string& name = name_of(figure);
    expects(name == file_name(name), "write_plots: a name that a file can have");
    const std::filesystem::path script = to / (name + ".gp");
    const std::string data = std::visit([](const auto& one) { return plot_data(one); }, figure);
    const std::string text = script_of(figure, name + ".svg");
    const std::filesystem::path svg = to / (name + ".svg");
    const bool same = has_content(to / (name + ".dat"), data) && has_content(script, text);
    if (same && std::filesystem::exists(svg, ignored)) {
      written.drawn.push_back(svg);
      continue;
    }
    std::filesystem::remove(svg, ignored);  // an earlier one, which is not of these numbers
    write_file(to / (name + ".dat"), data);
    write_file(script, text);
    const Drawing drawing = written.gnuplot_found ? draw(to, figure) : Drawing::no_gnuplot;
    written.gnuplot_found = drawing != Drawing::no_gnuplot;
    if (drawing == Drawing::drawn)
      written.drawn.push_back(svg);
    else
      written.not_drawn.push_back(script);
  }
  return written;
}

}  // namespace elmx
