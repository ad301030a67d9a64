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

/// Two digits.
double rounded(double x) { return std::stod(fmt::format("{:.2g}", x)); }

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
Json weight_ranges(arma::uword inputs) {
  Json ranges = Json::array();
  for (const double spread : kSpreads) {
    const double a = rounded(spread * std::sqrt(3.0 / static_cast<double>(inputs)));
    ranges.push_back({-a, a});
  }
  return ranges;
}

/// On one line, with a blank behind commas and colons.
std::string on_one_line(const Json& value) {
  std::vector<std::string> parts;
  const auto scalar = [](const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); };
  if (value.is_array()) {
    for (const Json& element : value) parts.push_back(on_one_line(element));
    return fmt::format("[{}]", fmt::join(parts, ", "));
  }
  if (!value.is_object()) return scalar(value);
  for (const auto& [key, member] : value.items()) parts.push_back(scalar(key) + ": " + on_one_line(member));
  return fmt::format("{{{}}}", fmt::join(parts, ", "));
}

/// A value on one line if it fits, else a member or an element a line.
std::string laid_out(const Json& value, std::size_t indent) {
  constexpr std::size_t kWidth = 100;
  const std::string line = on_one_line(value);
  if (!value.is_structured() || value.empty() || indent + line.size() <= kWidth) return line;
  const std::string blanks(indent + 2, ' ');
  std::vector<std::string> lines;
  for (const auto& [key, member] : value.items()) {
    const std::string name = value.is_object() ? Json(key).dump() + ": " : "";
    lines.push_back(blanks + name + laid_out(member, indent + 2));
  }
  const bool object = value.is_object();
  return fmt::format("{}\n{}\n{}{}", object ? "{" : "[", fmt::join(lines, ",\n"), std::string(indent, ' '),
                     object ? "}" : "]");
}

}  // namespace

Json starting_config(const std::string& name, const Json& data, const Dataset& dataset) {
  const bool classes = dataset.task == Task::classification;
  const Json random_nodes = {{"weights", weight_ranges(dataset.dimension())},
                             {"biases", {-1, 1}},
                             {"ridge", {{"logspace", {-5, 1, 4}}}},
                             {"nodes", sizes_for(dataset.samples())},
                             {"reference", "none"}};
  Json elm = {{"family", "elm"}, {"algorithms", {"panel"}}, {"activation", {"tanh", "gaussian"}}};
  Json rvfl = {{"family", "rvfl"}, {"algorithms", {"panel"}}, {"activation", "tanh"}};
  elm.update(random_nodes);
  rvfl.update(random_nodes);
  Json config = {{"name", name},
                 {"seed", 1},
                 {"data", data},
                 {"split", {{"kind", "k_fold"}, {"folds", std::min<arma::uword>(kFolds, dataset.samples())}}},
                 {"preprocess", {{"inputs", "standard"}}},
                 {"select", {{"by", classes ? "loo_acc" : "loo_mse"}}},
                 {"save_model", true}};
  if (!classes) config["preprocess"]["targets"] = {{"scale", "standard"}};
  Json& cases = config["cases"] = Json::object();
  cases["elm"] = {{"model", elm}};
  cases["rvfl"] = {{"model", rvfl}};
  cases["linear"] = {{"model", {{"family", "linear"}, {"ridge", {{"logspace", {-3, 3, 7}}}}}}};
  cases[classes ? "majority" : "mean"] = {{"model", {{"family", "mean"}}}};
  return config;
}

std::string text_of_starting_config(const Json& config) {
  const auto comment_above = [](const std::string& key) -> std::string {
    if (key == "select")
      return "  // Each fold chooses among the points of a sweep by leave-one-out errors of its training part.\n";
    if (key == "save_model")
      return "  // out/NAME/model.h5 is the choice fitted on all rows: elmx predict out/NAME NEW.csv\n";
    if (key == "cases") return "  // linear and the last case are what a network has to beat.\n";
    return "";
  };
  std::vector<std::string> members;
  for (const auto& [key, value] : config.items())
    members.push_back(comment_above(key) + "  " + Json(key).dump() + ": " + laid_out(value, 2));
  return fmt::format(
      "// Edit this file and run it again: a list in place of one value is a sweep. `elmx help KEY` explains a key.\n"
      "{{\n{}\n}}\n",
      fmt::join(members, ",\n"));
}

}  // namespace elmx
