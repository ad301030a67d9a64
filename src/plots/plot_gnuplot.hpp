#pragma once

#include <string>

#include "plots/plot.hpp"

namespace elmx {

/// The numbers of a plot at full precision, for people and for gnuplot: a header line, then for each curve that has
/// points its name and lines "x mean sd n" (NaN: not available), two empty lines between curves.
std::string plot_data(const Plot& plot);

/// A gnuplot script that draws NAME.dat into NAME.FORMAT, all in the current folder. Band or bars: mean +- sd, cut where
/// the quantity ends. Names stand at the ends of the curves where there is room, else in a legend.
std::string plot_script(const Plot& plot, const PlotFormats& formats = {"svg"});

/// Alike: blocks of lines "group value low high".
std::string plot_data(const BarChart& chart);

/// Bars told apart in colour and in grey, by their patterns; whiskers are the 95 % intervals, cut where the axis ends.
std::string plot_script(const BarChart& chart, const PlotFormats& formats = {"svg"});

/// Lines "column row mean x y trials_lacking", counted from 0; one empty line between rows.
std::string plot_data(const HeatMap& map);

/// One hue from light (good) to dark, on a log scale where that helps; each mean stands in its cell, those of more than
/// 30 times the median share the darkest colour and are marked, and so are those that lack trials; the best has a frame,
/// and what equals it. Cells without a number are hatched.
std::string plot_script(const HeatMap& map, const PlotFormats& formats = {"svg"});

/// Lines "predicted true share count", counted from 0; one empty line between true classes.
std::string plot_data(const ConfusionMatrix& matrix);

/// Shaded by the share of the row, with the count in each cell where there is room.
std::string plot_script(const ConfusionMatrix& matrix, const PlotFormats& formats = {"svg"});

}  // namespace elmx
