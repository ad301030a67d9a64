#pragma once

#include <string>

#include "plots/plot.hpp"

namespace elmx {

/// The numbers of a plot at full precision, for people and for gnuplot: a header line, then for each curve that has
/// points its name and lines "x mean sd n" (NaN: not available), two empty lines between curves.
std::string plot_data(const Plot& plot);

/// A gnuplot script that makes the SVG file `output` of NAME.dat; both names are relative. Band or bars: mean +- sd, cut
/// where the quantity ends. Names stand at the ends of the curves where there is room, else in a legend.
std::string plot_script(const Plot& plot, const std::string& output);

/// Alike: blocks of lines "group value low high".
std::string plot_data(const BarChart& chart);

/// Bars told apart in colour and in grey, by their patterns; whiskers are the 95 % intervals, cut where the axis ends.
std::string plot_script(const BarChart& chart, const std::string& output);

/// Lines "column row mean x y trials_lacking", counted from 0; one empty line between rows.
std::string plot_data(const HeatMap& map);

/// One hue from light (good) to dark, on a log scale where that helps; each mean stands in its cell, those of more than
/// 30 times the median share the darkest colour and are marked, and so are those that lack trials; the best has a frame,
/// and what equals it. Cells without a number are hatched.
std::string plot_script(const HeatMap& map, const std::string& output);

}  // namespace elmx
