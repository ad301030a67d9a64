#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "report/plots/plot.hpp"

namespace elmx {

/// An outlier is a mean of more than kOutlier times the median |mean| of its diagram.
inline constexpr double kOutlier = 30;

/// The y axis. It includes the curves that may not leave it, or all curves if there are no such. Outliers lie
/// outside an axis with cuts_outliers, and so may diverged trainings.
struct VerticalAxis {
  explicit VerticalAxis(const Plot& plot);

  /// Returns the height of a value on the frame, from 0 (bottom) to 1 (top); values outside are clamped.
  double place(double value) const;

  /// Returns -1, 0 or 1 for a value below, within or above the frame; 0 if it is not finite.
  int beyond(double value) const;

  bool log = false;
  bool empty = true;
  double low = 0;
  double high = 1;
};

struct Outlier {
  std::size_t curve = 0;
  CurvePoint point;
  int side = 0;       ///< -1: below the frame, 1: above it
  bool first = true;  ///< the previous point is within the frame
};

/// Returns the points of the curves that lie outside the frame.
std::vector<Outlier> outliers(const Plot& plot, const VerticalAxis& axis);

/// Returns "3 values lie beyond the frame, up to 1.2e+06"; "" if there is none.
std::string outliers_text(const std::vector<Outlier>& all);

/// The name of a curve at its end.
struct CurveLabel {
  std::size_t curve = 0;
  std::vector<std::string> lines;
  double x = 0;      ///< x of the last point
  double end = 0;    ///< its height on the frame, from 0 to 1
  double place = 0;  ///< height of the label, moved so that labels do not overlap
};

/// Returns the words before a comma with which all names begin, "panel" of "panel, 20 nodes" and "panel, 40
/// nodes". Labels omit them. "" if there are none.
std::string common_beginning(const Plot& plot);

/// Returns one label per curve, from below. Returns none if names are too long or too many, or a curve has no
/// point; a legend is then needed.
std::vector<CurveLabel> curve_labels(const Plot& plot, const VerticalAxis& axis);

/// Returns the labels to the right of the frame, each joined to the end of its curve by a line of its colour.
std::string label_lines(const std::vector<CurveLabel>& labels);

/// The settings with which gnuplot draws a diagram.
struct Drawing {
  std::string caption;
  std::string data;  ///< NAME.dat: numbers at full precision, NaN if not available
  std::string x_label;
  std::string y_label;
  std::vector<std::string> legend = {};   ///< empty: no legend
  std::string note = {};                  ///< text below the title
  std::string lines = {};                 ///< axes, labels and styles
  std::vector<std::string> clauses = {};  ///< clauses of the command `plot`
};

/// Draws curves with bands or bars of mean +- sd, cut at the bounds of the quantity. Names are at the ends of
/// the curves if there is room, otherwise in a legend. Data: for each curve that has points lines "x mean sd
/// n".
Drawing drawing_of(const Plot& plot);

/// Draws bars with different colours and patterns; whiskers are 95 % intervals, cut at the axis ends. Data:
/// lines "group value low high".
Drawing drawing_of_bars(const Plot& plot);

/// Draws published numbers dashed with open marks, measured numbers solid with their 95 % intervals as bars.
/// A curve has one colour for both. Data: lines "x published measured low high".
Drawing drawing_of_comparison(const Plot& plot);

/// Draws one hue from light (good) to dark, on a log scale if useful. Each cell shows its mean. Means above
/// 30 times the median share the darkest colour and are marked, and so are means that lack trials. The best
/// means have a frame. Cells without a number are hatched. Data: lines "column row mean x y trials_lacking".
Drawing drawing_of(const HeatMap& map);

/// Shades the cells by the share of the row, with the counts if there is room. Data: lines "predicted true
/// share count".
Drawing drawing_of(const ConfusionMatrix& matrix);

Drawing drawing_of(const Figure& figure);

/// Returns a gnuplot script that draws NAME.dat into NAME.FORMAT, all in the current folder. The variable
/// `suffix` is appended to the file names.
std::string plot_script(const Figure& figure, const PlotFormats& formats = {"svg"});

// Building blocks for drawings of all kinds.

/// Returns "title, subtitle: what; note".
std::string caption(const std::string& title, const std::string& subtitle, const std::string& what,
                    const std::string& note);

/// Returns the data of a plot: for each curve that has points a block of the lines of its points.
std::string data_of(const Plot& plot, const std::string& columns,
                    const std::function<std::string(const CurvePoint&)>& line);

/// Returns the number at full precision, "NaN" if it is not finite.
std::string gnuplot_number(double value);

/// Returns the text as one line that neither ends a comment or a string of the script nor is invalid in XML:
/// line feeds and tabs become blanks, other control characters and invalid UTF-8 become U+FFFD.
std::string one_line(std::string_view text);

/// Returns the text as a string literal of a script, with all special characters escaped.
std::string gnuplot_quoted(const std::string& text);

inline constexpr std::size_t kPlotColours = 10;

/// Returns colour i of a palette that is safe for the colour-blind; it repeats after kPlotColours.
std::string plot_colour(std::size_t i);

/// Returns the gnuplot terminal that writes a format. Throws ConfigError.
std::string terminal_named(const std::string& format);

/// Returns the range and scale of an axis ("x", "y", "cb"). A log axis other than x of less than three
/// decades, where gnuplot would label only powers of ten, has tics at 1, 2, 5 of each decade, or at all
/// digits.
std::string axis_lines(const std::string& axis, double low, double high, bool log = false);

/// Returns the range of an x axis and its tics: the values themselves if there are few, without labels that
/// do not fit. A character takes `character` of the axis.
std::string x_axis_lines(const PlotAxis& axis, const std::set<double>& values, double character);

}  // namespace elmx
