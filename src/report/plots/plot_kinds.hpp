#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "report/plots/row_plots.hpp"

namespace elmx {

/// The input of diagrams.
struct PlotSource {
  Frame frame;
  std::map<std::string, std::string> references;  ///< case -> the reference algorithm of speed-ups
  std::set<std::string> titles = {};              ///< titles of the requested cases; empty: all
  std::vector<TestPredictions> predicted = {};
};

/// `reference`: the algorithm that speed-ups are over; "" = the baseline of the config. Throws ConfigError if
/// the frame lacks it.
PlotSource plot_source(const Frame& frame, const std::string& reference = "");

/// The question that a diagram answers.
enum class Question { error, speed, numerics };

struct PlotKind {
  const char* name;
  const char* doc;
  Question question;
  const char* needs;                           ///< "two numbers of nodes": the data that a diagram needs
  bool (*shows)(const std::string& quantity);  ///< returns true if the quantity can be requested
  /// draws the quantities, or by default the quantities of this kind
  std::vector<Figure> (*make)(const PlotSource& source, const std::vector<std::string>& quantities);
};

/// Returns all kinds of diagrams. A new kind is added here only.
const std::vector<PlotKind>& plot_kinds();

/// All diagrams that the records can show, with unique names. `first`: for each case and data set the first
/// diagram of its error and the first of its speed-ups.
struct PartedFigures {
  std::vector<Figure> first;
  std::vector<Figure> further;
};
PartedFigures parted_figures(const PlotSource& source);

/// Returns the diagrams of the given kinds (empty: all) that the records can show, with unique names; only of
/// one quantity if `metric` is not "". Throws ConfigError if a kind or a metric is unknown or they do not
/// fit, and DataError if a requested kind, or every kind, has nothing to show; `origin` begins that message.
/// The name of a diagram does not depend on the requested cases; under conditions, names and titles end in
/// them.
std::vector<Figure> figures_of(const PlotSource& source, const std::vector<std::string>& kinds,
                               const std::string& metric, const std::string& origin);

}  // namespace elmx
