#pragma once

#include <set>
#include <string>

namespace elmx {

/// "FNN", with the data set where the case does not name it.
std::string plot_title(const std::string& experiment_case, const std::string& dataset);

/// File names that are all different: of the second with a name "NAME-2".
class PlotNames {
 public:
  std::string operator()(const std::string& name);

 private:
  std::set<std::string> given_;
};

}  // namespace elmx
