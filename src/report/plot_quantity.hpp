#pragma once

#include <string>
#include <vector>

#include "report/table.hpp"

namespace elmx {

/// What the curves of a diagram can be of.
struct PlotQuantity {
  std::string name;   ///< in records, as summary_of takes it
  std::string label;  ///< of the axis
  Display display;    ///< to its precision equal curves are one
  bool spans_decades = false;  ///< shown on a log axis where all is positive
};

/// Metrics of the three parts, the ledger, the structure of the networks, times.
std::vector<PlotQuantity> plot_quantities();

/// By its name in records, or as a metric of the test part: "acc" is "test_acc". Throws ConfigError with the nearest name.
PlotQuantity find_plot_quantity(const std::string& name);

bool is_time(const std::string& quantity);

}  // namespace elmx
