#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "plots/plot.hpp"

namespace elmx {

/// The numbers of a plot at full precision, for people and for gnuplot: a header line, then for each curve
/// that has points its name and lines "x mean sd n" (NaN: not available), two empty lines between curves.
std::string plot_data(const Plot& plot);

/// A gnuplot script that draws NAME.dat into NAME.FORMAT, all in the current folder. Band or bars: mean +-
/// sd, cut where the quantity ends. Names stand at the ends of the curves where there is room, else in a
/// legend.
std::string plot_script(const Plot& plot, const PlotFormats& formats = {"svg"});

/// Alike: blocks of lines "group value low high".
std::string plot_data(const BarChart& chart);

/// Bars told apart in colour and in grey, by their patterns; whiskers are the 95 % intervals, cut where the
/// axis ends.
std::string plot_script(const BarChart& chart, const PlotFormats& formats = {"svg"});

/// Lines "column row mean x y trials_lacking", counted from 0; one empty line between rows.
std::string plot_data(const HeatMap& map);

/// One hue from light (good) to dark, on a log scale where that helps. Each mean stands in its cell; those of
/// more than 30 times the median share the darkest colour and are marked, and so are those that lack trials.
/// The best means have a frame. Cells without a number are hatched.
std::string plot_script(const HeatMap& map, const PlotFormats& formats = {"svg"});

/// Lines "predicted true share count", counted from 0; one empty line between true classes.
std::string plot_data(const ConfusionMatrix& matrix);

/// Shaded by the share of the row, with the count in each cell where there is room.
std::string plot_script(const ConfusionMatrix& matrix, const PlotFormats& formats = {"svg"});

/// Blocks of lines "x published measured low high", one block a curve.
std::string plot_data(const ComparedPlot& plot);

/// Published numbers are dashed with open marks, measured ones solid with their 95 % intervals as bars. A
/// curve has one colour for both.
std::string plot_script(const ComparedPlot& plot, const PlotFormats& formats = {"svg"});

// What scripts and data of every kind of diagram are written with.

/// At full precision; "NaN" where there is no finite number.
std::string gnuplot_number(double value);

/// The text as one line that ends no comment and no string of the script, and that XML can have: line feeds
/// and tabs become blanks, other control characters and what is no UTF-8 become U+FFFD.
std::string one_line(std::string_view text);

/// The text as a string of a script; nothing in it means anything to gnuplot.
std::string gnuplot_quoted(const std::string& text);

inline constexpr std::size_t kPlotColours = 10;

/// Colour i of a palette that is safe for the colour-blind; after kPlotColours it begins again.
std::string plot_colour(std::size_t i);

struct ScriptHead {
  std::string name;  ///< of the files
  std::string title;
  std::string x_label;
  std::string y_label;
  std::vector<std::string> legend = {};  ///< empty: none is needed
  std::string note = {};                 ///< below the title
};

/// Titles and frame.
std::string script_head(const ScriptHead& head);

/// The end of a script: draws the clauses of a `plot` into NAME.FORMAT of each format, as high as titles and
/// legend need, so that they take no room from the diagram. A variable `suffix` is appended to the names of
/// the files.
std::string script_end(const ScriptHead& head, const PlotFormats& formats, const std::vector<std::string>& clauses);

/// The terminal of gnuplot that writes a format. Throws ConfigError.
std::string terminal_named(const std::string& format);

/// The range of an axis ("x", "y", "cb") and its scale. A log axis other than x of less than three decades,
/// where gnuplot would label the powers of ten alone, has tics at 1, 2, 5 of each, or at all digits.
std::string axis_lines(const std::string& axis, double low, double high, bool log = false);

/// The range of an x axis of these values and its tics: the values themselves where they are few, without the
/// labels for which there is no room. A character takes `character` of the axis.
std::string x_axis_lines(const PlotAxis& axis, const std::set<double>& values, double character);

}  // namespace elmx
