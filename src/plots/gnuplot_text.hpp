#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "plots/plot.hpp"

namespace elmx {

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

/// The end of a script: draws the clauses of a `plot` into NAME.FORMAT of each format, as high as titles and legend
/// need, so that they take no room from the diagram. A variable `suffix` is appended to the names of the files.
std::string script_end(const ScriptHead& head, const PlotFormats& formats, const std::vector<std::string>& clauses);

/// The terminal of gnuplot that writes a format. Throws ConfigError.
std::string terminal_named(const std::string& format);

/// "set ytics (...)" of a log axis of less than three decades, where gnuplot would label the powers of ten
/// alone: 1, 2, 5 of each, all digits where that makes less than three; "" elsewhere.
std::string log_tics(double low, double high, const std::string& axis = "ytics");

}  // namespace elmx
