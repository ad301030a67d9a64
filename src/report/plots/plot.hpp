#pragma once

#include <algorithm>
#include <armadillo>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <limits>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "base/printable.hpp"
#include "statistics/summary.hpp"

namespace elmx {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The range from the least to the largest finite value.
struct Span {
  double low = kInfinity;
  double high = -kInfinity;

  void add(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

struct PlotAxis {
  std::string label;
  /// logarithmic if all shown values are positive, otherwise linear
  bool log = false;
  bool whole = false;         ///< values are integers
  double least = -kInfinity;  ///< lower bound of the values
  double most = kInfinity;    ///< upper bound of the values
};

/// The mean of n observations at x, and its spread. A mean that is not finite leaves a gap; a spread that is
/// not finite is not shown.
struct CurvePoint {
  double x = 0;
  double mean = 0;
  double low = std::numeric_limits<double>::quiet_NaN();
  double high = std::numeric_limits<double>::quiet_NaN();
  arma::uword n = 0;
};

/// Returns the mean +- standard deviation at x.
CurvePoint point_of(double x, const Summary& summary);

struct Curve {
  std::string name;                ///< name in the legend
  std::vector<CurvePoint> points;  ///< by increasing x; empty: the curve is only in the legend
  bool may_leave = false;          ///< the axes need not include its values, as for a diverged training

  /// Returns the number of points with a mean.
  std::ptrdiff_t values() const {
    return std::ranges::count_if(points, [](const CurvePoint& point) { return std::isfinite(point.mean); });
  }
};

/// The drawing of points: joined, with a spread of one standard deviation or of a 95 % interval; or as a
/// cloud with the line y = x or y = 0.
enum class PlotStyle { curves, intervals, around_identity, around_zero };

/// Points over an axis. Their meaning is known to the functions that build plots (row_plots.hpp).
struct Plot {
  std::string name;  ///< name of its files: see file_name
  std::string title;
  PlotAxis x;
  PlotAxis y;
  std::vector<Curve> curves;
  std::string note = {};  ///< below the title and in the caption: how points were chosen, what is omitted
  PlotStyle style = PlotStyle::curves;
};

/// The largest numbers of points and curves of a plot, so that its file stays small.
inline constexpr std::size_t kPointsOfPlot = 5000, kCurvesOfPlot = 50;

/// Keeps at most `most` values, evenly spaced from the first to the last.
template <class T>
void thin(std::vector<T>& values, std::size_t most) {
  if (values.size() <= most) return;
  for (std::size_t i = 0; i < most; ++i)
    values[i] = values[i * (values.size() - 1) / std::max<std::size_t>(1, most - 1)];
  values.resize(most);
}

/// Removes the last curves and thins the points of a plot that has too many, and says so in its note.
void limit_points(Plot& plot);

/// Adds a clause to a note, after a semicolon if the note is not empty.
void add_note(std::string& note, const std::string& clause);

/// The mean of a quantity at every pair of two parameters, as colours and as numbers.
struct HeatMap {
  std::string name;  ///< name of its files
  std::string title;
  std::string x_label;
  std::string y_label;
  std::string value_label;
  bool lower_is_better = true;
  std::vector<double> x = {};  ///< increasing
  std::vector<double> y = {};  ///< increasing
  arma::mat means = {};        ///< y x x; NaN: not available
  std::string subtitle = {};
  std::string note = {};
  arma::umat lacking = arma::umat(arma::size(means));  ///< number of trials that a mean lacks
};

/// Counts the samples of each class that were predicted as each class.
struct ConfusionMatrix {
  std::string name;  ///< name of its files
  std::string title;
  std::vector<std::string> classes;
  arma::umat counts;          ///< true x predicted class
  std::string subtitle = {};  ///< the method
  std::string note = {};
};

/// One diagram. A new kind needs a name, a title and a function drawing_of (plot_gnuplot.hpp).
using Figure = std::variant<Plot, HeatMap, ConfusionMatrix>;

template <class Kind>
std::vector<Figure> as_figures(std::vector<Kind> figures) {
  return {std::make_move_iterator(figures.begin()), std::make_move_iterator(figures.end())};
}

const std::string& name_of(const Figure& figure);

/// Returns the case and data set of a figure.
const std::string& title_of(const Figure& figure);

/// Returns a text on the content of a figure, for its caption and as alternative text.
std::string caption_of(const Figure& figure);

/// Returns the case, "FNN", with the data set if the case does not name it.
std::string plot_title(const std::string& experiment_case, const std::string& dataset);

/// Returns the name, or "NAME-2" if it was given before, so that all file names differ.
std::string unused_name(const std::string& name, std::set<std::string>& given);

/// The formats of figures: "svg", "pdf", "png".
using PlotFormats = std::vector<std::string>;

/// The state of the program that draws. Once it has hung, it is not started again.
enum class Gnuplot { works, missing, hung };

/// The time after which gnuplot is killed; a large diagram takes it a second.
inline constexpr std::chrono::milliseconds kGnuplotLimit = std::chrono::seconds(60);

/// Returns "gnuplot failed", "gnuplot is not installed" or "gnuplot did not finish within 60 s".
std::string why_not_drawn(Gnuplot gnuplot);

/// Draws figures without any file on a disk. Returns the SVG of each, or "" if it was not drawn; sets
/// `gnuplot` if that is due to gnuplot.
std::vector<std::string> svgs_of(const std::vector<Figure>& figures, Gnuplot& gnuplot,
                                 std::chrono::milliseconds limit = kGnuplotLimit);

struct WrittenPlots {
  std::vector<std::filesystem::path> drawn;      ///< the files in all formats
  std::vector<std::filesystem::path> not_drawn;  ///< scripts of figures that gnuplot did not draw
  Gnuplot gnuplot = Gnuplot::works;
};

/// Throws ConfigError if a format is unknown or the installed gnuplot does not support it. Without gnuplot
/// all known formats are accepted.
void require_formats(const PlotFormats& formats);

/// Writes FOLDER/plots/NAME.dat, NAME.gp and, with gnuplot, NAME.svg (or .pdf, .png) of each figure.
WrittenPlots write_plots(const std::filesystem::path& folder, const std::vector<Figure>& figures,
                         const PlotFormats& formats = {"svg"}, std::chrono::milliseconds limit = kGnuplotLimit);

}  // namespace elmx
