#include "experiment/config/starting_config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace elmx {
namespace {

constexpr arma::uword kFolds = 5;
constexpr double kMostWork = 8e8;  // N L^2 of the training part: some seconds for all points together
constexpr std::array kSizes{50, 100, 200, 400, 800};
constexpr int kAlwaysTried = 400;              // of many rows, whatever the time
constexpr std::array kSpreads{0.5, 1.0, 2.0};  // of the sum that reaches a node, where inputs have variance 1

std::string text_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

/// Numbers of nodes: no more than training samples, and what takes some seconds.
std::vector<int> sizes_for(arma::uword rows) {
  const double N = static_cast<double>(rows) * (kFolds - 1) / kFolds;
  std::vector<int> sizes;
  for (const int L : kSizes) {
    if (L <= N && (L <= kAlwaysTried || N * L * L <= kMostWork)) sizes.push_back(L);
  }
  if (sizes.empty()) sizes.push_back(static_cast<int>(std::max(1.0, N / 2)));
  return sizes;
}

/// Two digits.
double rounded(double x) {
  const double unit = std::pow(10, std::floor(std::log10(x)) - 1);
  return std::round(x / unit) * unit;
}

/// Ranges [-a, a]: a sum of d inputs of variance 1 with such weights has the variance d a^2 / 3.
std::string weight_ranges(arma::uword inputs) {
  std::vector<std::string> ranges;
  for (const double spread : kSpreads) {
    const double a = rounded(spread * std::sqrt(3.0 / static_cast<double>(inputs)));
    ranges.push_back(fmt::format("[{:.2g}, {:.2g}]", -a, a));
  }
  return fmt::format("[{}]", fmt::join(ranges, ", "));
}

std::string members(const Json& object) {
  std::vector<std::string> lines;
  for (const auto& [key, value] : object.items())
    lines.push_back(fmt::format("    {}: {}", text_of(key), text_of(value)));
  return fmt::format("{}", fmt::join(lines, ",\n"));
}

}  // namespace

std::string starting_config(const std::string& name, const Json& data, const Dataset& dataset) {
  const bool classes = dataset.task == Task::classification;
  const std::string random_nodes = fmt::format(R"("weights": {}, "biases": [-1, 1],
      "ridge": {{"logspace": [-5, 1, 4]}}, "nodes": {}, "reference": "none")",
                                               weight_ranges(dataset.X.n_cols), text_of(sizes_for(dataset.X.n_rows)));
  return fmt::format(
      R"(// A beginning, to be changed: a list where one value is expected is a sweep. `elmx help KEY` explains a key.
{{
  "name": {name},
  "seed": 1,
  "data": {{
{data}
  }},
  "split": {{"kind": "k_fold", "folds": {folds}}},
  "preprocess": {{"inputs": "standard"{targets}}},
  // Each fold chooses among the points of a sweep by leave-one-out errors of its own training part.
  "select": {{"by": "{by}"}},
  // out/NAME/model.h5 is the choice among all of these, fitted on all rows: elmx predict out/NAME NEW.csv
  "save_model": true,
  "cases": {{
    "elm": {{"model": {{
      "family": "elm", "algorithms": ["panel"], "activation": ["tanh", "gaussian"],
      {nodes}
    }}}},
    "rvfl": {{"model": {{
      "family": "rvfl", "algorithms": ["panel"], "activation": "tanh",
      {nodes}
    }}}},
    // What a network has to beat.
    "linear": {{"model": {{"family": "linear", "ridge": {{"logspace": [-3, 3, 7]}}}}}},
    "{lone}": {{"model": {{"family": "mean"}}}}
  }}
}}
)",
      fmt::arg("name", text_of(name)), fmt::arg("data", members(data)),
      fmt::arg("folds", std::min<arma::uword>(kFolds, dataset.X.n_rows)),
      fmt::arg("targets", classes ? "" : R"(, "targets": {"scale": "standard"})"),
      fmt::arg("by", classes ? "loo_acc" : "loo_mse"), fmt::arg("nodes", random_nodes),
      fmt::arg("lone", classes ? "majority" : "mean"));
}

}  // namespace elmx
