#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/plots/plot.hpp"

namespace elmx {

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

/// Draws curves with bands or bars of their spread, cut at the bounds of the quantity. Data: for each curve
/// that has points lines "x mean low high n".
Drawing drawing_of(const Plot& plot);

/// Draws one hue from light (good) to dark, on a log scale if useful. Each cell shows its mean, with a mark
/// if it lacks trials. The best means have a frame. Cells without a number are hatched. Data: lines "column
/// row mean x y trials_lacking".
Drawing drawing_of(const HeatMap& map);

/// Shades the cells by the share of the row, with the counts if there is room. Data: lines "predicted true
/// share count".
Drawing drawing_of(const ConfusionMatrix& matrix);

Drawing drawing_of(const Figure& figure);

/// Returns a gnuplot script that draws NAME.dat into NAME.FORMAT, all in the current folder. If they are set,
/// the variable `suffix` is appended to the names of the outputs, and `data` and `output` replace the files.
std::string plot_script(const Figure& figure, const PlotFormats& formats = {"svg"});

// Building blocks for drawings of all kinds.

/// Returns "title, subtitle: what; note".
std::string caption(const std::string& title, const std::string& subtitle, const std::string& what,
                    const std::string& note);

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

}  // namespace elmx
