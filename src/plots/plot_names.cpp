#include "plots/plot_names.hpp"

namespace elmx {

std::string plot_title(const std::string& experiment_case, const std::string& dataset) {
  if (experiment_case.empty() || experiment_case == dataset) return dataset;
  return experiment_case.find(dataset) == std::string::npos ? experiment_case + " (" + dataset + ")" : experiment_case;
}

std::string PlotNames::operator()(const std::string& name) {
  std::string unique = name;
  for (int i = 2; !given_.insert(unique).second; ++i) unique = name + "-" + std::to_string(i);
  return unique;
}

}  // namespace elmx
