#include "experiment/config/starting_config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <vector>

namespace elmx {
namespace {

constexpr arma::uword kFolds = 5;
constexpr double kMostWork = 2e8;          // N L^2 of the training part: some seconds for all points together
constexpr arma::uword kManyRows = 5000;    // may take longer:
constexpr double kNodesOfManyRows = 400;   // as many nodes are tried in any case
constexpr std::array kShares{8, 4, 2, 1};  // of the most nodes
constexpr std::array kSpreads{0.5, 1.0};   // of the sum that reaches a node, where inputs have variance 1

std::string text_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

/// Two digits.
double rounded(double x) {
  const double unit = std::pow(10, std::floor(std::log10(x)) - 1);
  return std::round(x / unit) * unit;
}

/// Numbers of nodes: no more than training samples, and what takes some seconds.
std::vector<int> sizes_for(arma::uword rows) {
  const double N = static_cast<double>(rows) * (kFolds - 1) / kFolds;
  const double in_any_case = rows < kManyRows ? 1 : kNodesOfManyRows;
  const double most = std::max(1.0, std::min(N, std::max(std::sqrt(kMostWork / N), in_any_case)));
  std::set<int> sizes;
  for (const int share : kShares) sizes.insert(static_cast<int>(std::max(1.0, rounded(most / share))));
  return {sizes.begin(), sizes.end()};
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
