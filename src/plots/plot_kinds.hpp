#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "plots/row_plots.hpp"

namespace elmx {

/// What diagrams are made of.
struct PlotSource {
  Frame frame;
  std::map<std::string, std::string> references;  ///< case -> the algorithm that speed-ups are over
  std::set<std::string> titles = {};              ///< of the cases that are wanted; empty: of all
  std::vector<TestPredictions> predicted = {};
};

/// `reference`: the algorithm that speed-ups are over; "" = the baseline of the config. Throws ConfigError
/// where the frame lacks it.
PlotSource plot_source(const Frame& frame, const std::string& reference = "");

/// What a diagram answers.
enum class Question { error, speed, numerics };

struct PlotKind {
  const char* name;
  const char* doc;
  Question question;
  const char* needs;                           ///< "two numbers of nodes": without it there is no diagram
  bool (*shows)(const std::string& quantity);  ///< which quantities can be asked for
  /// none asked for: those it is for
  std::vector<Figure> (*make)(const PlotSource& source, const std::vector<std::string>& quantities);
};

/// All kinds of diagrams: the one place where a kind is added.
const std::vector<PlotKind>& plot_kinds();

/// All that the records can show, their names all different: of each case and data set the first that shows
/// its error and the first that shows speed-ups, then all others.
struct PartedFigures {
  std::vector<Figure> first;
  std::vector<Figure> further;
};
PartedFigures parted_figures(const PlotSource& source);

/// The diagrams of the kinds (empty: of all) that the records can show, their names all different; of one
/// quantity where `metric` is not "". Throws ConfigError where a kind or a metric is unknown or do not go
/// together, DataError where a kind that was asked for, or every kind, has nothing to show; `origin` begins
/// that message. The name of a diagram does not depend on which cases are wanted; under conditions names and
/// titles have them at their ends.
std::vector<Figure> figures_of(const PlotSource& source, const std::vector<std::string>& kinds,
                               const std::string& metric, const std::string& origin);

}  // namespace elmx
