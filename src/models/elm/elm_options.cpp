#include "models/elm/elm_options.hpp"

#include <algorithm>

#include "features/activation.hpp"
#include "models/algorithm_names.hpp"
#include "models/elm/elm_algorithms.hpp"

namespace elmx {

std::vector<std::size_t> ElmOptions::sizes() const {
  std::vector<std::size_t> all = nodes.report.empty() ? std::vector<std::size_t>{nodes.start, nodes.stop} : nodes.report;
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

void ElmOptions::check(const std::string& place) const {
  check_algorithms(algorithms, elm_algorithms(), place);
  for (const std::string& name : algorithms) {
    if (precision == "mixed" && name != "standard") {
      throw ConfigError(place + "/precision: \"mixed\" with algorithm \"" + name + "\"; allowed: with standard only");
    }
  }
  try {
    activation_from(activation);
  } catch (const ConfigError& error) {
    throw ConfigError(place + "/" + error.what());
  }
  check_range(weights, place + "/weights");
  check_range(biases, place + "/biases");
  if (nodes.start > nodes.stop) {
    throw ConfigError(place + "/nodes/start: " + std::to_string(nodes.start) + "; allowed: at most stop = " + std::to_string(nodes.stop));
  }
  const auto check_size = [&](std::size_t size, std::size_t least, const char* key) {
    if (size < least || size > nodes.stop) {
      throw ConfigError(place + "/" + key + ": " + std::to_string(size) + "; allowed: " + std::to_string(least) + " (start" +
                        (least > nodes.start ? " + 1" : "") + ") to " + std::to_string(nodes.stop) + " (stop)");
    }
  };
  for (const std::size_t size : nodes.report) check_size(size, nodes.start, "nodes/report");
  const auto reported = sizes();
  for (const std::size_t size : timing.at) {
    check_size(size, nodes.start + 1, "timing/at");
    if (std::find(reported.begin(), reported.end(), size) == reported.end()) {
      throw ConfigError(place + "/timing/at: " + std::to_string(size) + "; allowed: sizes that are also in nodes/report");
    }
  }
}

}  // namespace elmx
