#pragma once

#include <armadillo>
#include <filesystem>
#include <limits>
#include <string>
#include <variant>
#include <vector>

#include "base/files/file_name.hpp"

namespace elmx {

struct PlotAxis {
  std::string label;
  bool log = false;                                         ///< where all that is shown is positive; else linear
  bool whole = false;                                       ///< its values are integers
  double least = -std::numeric_limits<double>::infinity();  ///< what is shown cannot be below
  double most = std::numeric_limits<double>::infinity();    ///< nor above
  bool cuts_runaways = false;                               ///< the axis need not reach them: see VerticalAxis
};

/// Mean +- standard deviation of n observations at x; a mean that is not finite is a gap, an sd that is not finite is
/// not shown.
struct CurvePoint {
  double x = 0;
  double mean = 0;
  double sd = 0;
  arma::uword n = 0;
};

struct Curve {
  std::string name;                ///< in the legend
  std::vector<CurvePoint> points;  ///< by increasing x; empty: the legend alone mentions it
  bool may_leave = false;          ///< the axes need not reach its values: a training that diverged
};

/// Curves over an axis. What they are of is the matter of whoever builds it (convergence_plots.hpp, curve_plots.hpp).
struct Plot {
  std::string name;  ///< of its files: see file_name
  std::string title;
  PlotAxis x;
  PlotAxis y;
  std::vector<Curve> curves;
};

/// A ratio with its 95 % interval; NaN: not available.
struct Bar {
  double value = 0;
  double low = 0;
  double high = 0;
};

struct BarSeries {
  std::string name;       ///< in the legend
  std::vector<Bar> bars;  ///< one a group
};

/// Ratios as bars side by side, group by group: from 1 on a log axis where they span more than a decade, else from 0.
struct BarChart {
  std::string name;  ///< of its files
  std::string title;
  std::string group_label;
  std::string value_label;
  std::vector<std::string> groups;
  std::vector<BarSeries> series;
  std::string subtitle = {};  ///< of what part of the title
};

/// The mean of a quantity at every pair of two parameters, as colours and as numbers.
struct HeatMap {
  std::string name;  ///< of its files
  std::string title;
  std::string x_label;
  std::string y_label;
  std::string value_label;
  bool lower_is_better = true;
  std::vector<double> x;  ///< increasing
  std::vector<double> y;  ///< increasing
  arma::mat means;        ///< y x x; NaN: not available
  std::string subtitle = {};
  arma::umat lacking = arma::umat(arma::size(means));  ///< of how many trials a number is lacking
};

/// One diagram; a further kind has a name, a title, a function caption and the two of plot_gnuplot.hpp.
using Figure = std::variant<Plot, BarChart, HeatMap>;

std::vector<Figure> as_figures(std::vector<Plot> plots);

std::string& name_of(Figure& figure);
const std::string& name_of(const Figure& figure);

struct WrittenPlots {
  std::vector<std::filesystem::path> drawn;      ///< the SVG files
  std::vector<std::filesystem::path> not_drawn;  ///< scripts that gnuplot did not make an SVG of
  bool gnuplot_found = true;
};

/// The case and data set that it is about.
const std::string& title_of(const Figure& figure);

/// What a figure shows, for its caption and for those who do not see it.
std::string caption_of(const Figure& figure);

/// "plots/NAME.svg", ".gp" and ".dat" of every figure.
std::vector<std::string> plot_names(const std::vector<Figure>& figures);

/// FOLDER/plots/NAME.dat, NAME.gp and, by gnuplot where it is installed, NAME.svg of each figure.
WrittenPlots write_plots(const std::filesystem::path& folder, const std::vector<Figure>& figures);

}  // namespace elmx
