#pragma once

#include <armadillo>
#include <filesystem>
#include <string>
#include <vector>

#include "base/file_name.hpp"

namespace elmx {

struct PlotAxis {
  std::string label;
  bool log = false;    ///< where all that is shown is positive; else linear
  bool whole = false;  ///< its values are integers
};

/// Mean +- standard deviation of n observations at x; a mean that is not finite is a gap, an sd that is not finite is not shown.
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

/// One diagram. What the curves are of is the matter of whoever builds it (convergence_plots.hpp).
struct Plot {
  std::string name;   ///< of its files: see file_name
  std::string title;
  PlotAxis x;
  PlotAxis y;
  std::vector<Curve> curves;
};

struct WrittenPlots {
  std::vector<std::filesystem::path> drawn;      ///< the SVG files
  std::vector<std::filesystem::path> not_drawn;  ///< scripts that gnuplot did not make an SVG of
  bool gnuplot_found = true;
};

/// FOLDER/plots/NAME.dat, NAME.gp and, by gnuplot where it is installed, NAME.svg of each plot.
WrittenPlots write_plots(const std::filesystem::path& folder, const std::vector<Plot>& plots);

}  // namespace elmx
