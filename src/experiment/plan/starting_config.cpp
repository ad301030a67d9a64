#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <vector>

#include "base/machine/machine.hpp"
#include "experiment/plan/generated_config.hpp"
#include "metrics/formulas.hpp"

namespace elmx {
namespace {

constexpr arma::uword kFolds = 5;
// With five differences Wilcoxon's test could never be significant.
constexpr arma::uword kFoldsOfTime = 6;
constexpr double kRowsOfFrequentClass = 30;  // no training part of random folds lacks such a class
constexpr double kOfKernels = 0.6, kOfNodes = 0.15, kOfLandmarks = 0.25;  // of the budget
constexpr double kMostNodes = 2000, kEnoughNodes = 600;
constexpr double kOfMemory = 0.5;    // share of the available memory for kernel matrices
constexpr double kOfMetrics = 6000;  // flops that take as long as the metrics of one row and output

/// Rounds to two digits.
double rounded(double x) { return std::stod(fmt::format("{:.2g}", x)); }

/// The shapes of a fold of k.
Sizes sizes_of_fold(const Dataset& dataset) {
  const arma::uword n = dataset.samples(), test = n / kFolds;
  const bool classes = dataset.task == Task::classification;
  return {n - test, test, dataset.dimension(), classes ? dataset.classes.size() : dataset.Y.n_cols, 0};
}

/// Seconds that all folds and the final model of one case take.
double seconds_of(const Json& model, const Dataset& dataset, const TimeBudget& budget) {
  const ModelPtr read = family_of(model, "/model").read(model, "/model", true);
  Sizes sizes = sizes_of_fold(dataset);
  const double of_folds = kFolds * read->cost(1, sizes).flops;
  sizes.train = dataset.samples();
  return (of_folds + read->cost(1, sizes).flops) / (1e9 * budget.gflops);
}

/// The search for a network of random nodes.
struct NodesPlan {
  std::vector<const char*> draws;
  std::vector<int> scales;  ///< of the weights
  int ridges;
  std::vector<int> shares;  ///< the sizes are the largest number of nodes divided by these

  std::size_t networks() const { return draws.size() * scales.size(); }
  std::size_t evaluations() const { return networks() * static_cast<std::size_t>(ridges) * shares.size(); }
};

/// The plans from the widest to the narrowest search, which has the largest networks in the same time.
const std::array kNodesPlans{NodesPlan{{"sparse", "pairs"}, {1, 2}, 5, {8, 4, 2, 1}},
                             NodesPlan{{"sparse"}, {1}, 5, {4, 2, 1}}, NodesPlan{{"sparse"}, {1}, 3, {2, 1}}};

/// Returns the largest number of nodes for which `networks` networks of the plan, with their ridge
/// parameters, sizes and metrics, take no more than `seconds`; at most the number of training samples.
double most_nodes(const Dataset& dataset, const NodesPlan& plan, double networks, double seconds, double gflops) {
  const Sizes sizes = sizes_of_fold(dataset);
  const auto N = static_cast<double>(sizes.train);
  const double metrics = kOfMetrics * static_cast<double>(plan.evaluations() / plan.networks()) *
                         static_cast<double>(dataset.samples() * sizes.outputs);
  // Products, leave-one-out errors and eigenvalues of the largest size; the others together take a third of
  // it.
  const auto flops = [&](double L) {
    return (kFolds + 1) * networks * (4.0 / 3 * (6 * N * L * L + 12 * L * L * L) + metrics);
  };
  double most = std::min(N, kMostNodes);
  while (most > 10 && flops(most) > seconds * 1e9 * gflops) most *= 0.95;
  return most;
}

/// Returns the first plan whose networks may have enough nodes within the budget.
const NodesPlan& nodes_plan_for(const Dataset& dataset, double scalings, const TimeBudget& budget) {
  const double enough = std::min(static_cast<double>(sizes_of_fold(dataset).train), kEnoughNodes);
  const auto found = std::ranges::find_if(kNodesPlans, [&](const NodesPlan& plan) {
    const double networks = scalings * static_cast<double>(plan.networks());
    return most_nodes(dataset, plan, networks, kOfNodes * budget.seconds, budget.gflops) >= enough;
  });
  return found == kNodesPlans.end() ? kNodesPlans.back() : *found;
}

/// Kernel machines of a config, and the scalings of the inputs that they and the other methods choose
/// between.
struct KernelPlan {
  Json model;
  Json inputs = "rank";
  double points = 1;
};

/// Returns the first plan that takes no more than its part of the budget: exact machines of two kernels, of
/// one, in single precision, and the mean of machines of parts. The plan has no model if even that takes too
/// long. by: the metric by which a machine chooses its length and ridge parameter.
KernelPlan kernel_for(const Dataset& dataset, const std::string& by, const TimeBudget& budget, double memory) {
  const Json base = {{"family", "kernel"}, {"kernel", "laplace_l1"}, {"choose", {{"by", by}}}};
  const Json both = {"standard", "rank"};
  std::vector<KernelPlan> plans{{base, both, 4}, {base, both, 2}, {base}};
  plans[0].model["kernel"] = {"laplace_l1", "arcsine"};
  for (const int parts : {1, 2, 3, 4, 6, 8}) {
    Json& model = plans.emplace_back(KernelPlan{base}).model;
    model["choose"]["rows"] = 1000;
    model.update({{"precision", "single"}, {"parts", parts}, {"leave_one_out_rows", 2500}});
  }
  for (const KernelPlan& plan : plans) {
    Json one = plan.model;
    one["kernel"] = "laplace_l1";
    Sizes all = sizes_of_fold(dataset);
    all.train = dataset.samples();
    const bool fits = family_of(one, "/model").read(one, "/model", true)->cost(1, all).bytes < memory;
    if (fits && plan.points * seconds_of(one, dataset, budget) <= kOfKernels * budget.seconds) return plan;
  }
  return {};
}

/// Returns the number of rows of each class; none for a regression.
arma::vec rows_of_classes(const Dataset& dataset) {
  arma::vec rows(dataset.classes.size(), arma::fill::zeros);
  for (const auto label : dataset.labels) ++rows[label];
  return rows;
}

/// Returns true if the first part of a time series, on which the first fold trains, has each class and a
/// value of each input.
bool begins_with_everything(const Dataset& dataset, arma::uword rows) {
  if (rows == 0) return false;
  if (dataset.task == Task::classification) {
    const arma::uvec first = arma::unique(arma::uvec(dataset.labels.head(rows)));
    if (first.n_elem < dataset.classes.size()) return false;
  }
  for (arma::uword j = 0; j < dataset.X.n_cols; ++j) {
    if (arma::find_finite(dataset.X.submat(0, j, rows - 1, j)).eval().is_empty()) return false;
  }
  return true;
}

/// Returns random folds, or a time series split if the rows are in the order of time.
Json split_for(const Dataset& dataset) {
  const arma::uword rows = dataset.samples();
  const auto order = time_order_of(dataset);
  if (order && order->complete && !order->newest_first && begins_with_everything(dataset, rows / (kFoldsOfTime + 1)))
    return {{"kind", "time_series"}, {"folds", kFoldsOfTime}};
  Json split = {{"kind", "k_fold"}, {"folds", std::min<arma::uword>(kFolds, rows)}};
  // Stratified folds reveal the shares of the classes of the whole file, so that the expected error would be
  // too optimistic.
  if (dataset.task == Task::classification && rows_of_classes(dataset).min() >= kRowsOfFrequentClass &&
      !is_unbalanced(rows_of_classes(dataset)))
    split["stratified"] = false;
  return split;
}

/// Formats a value on one line, with a blank behind commas and colons, if it fits or if `on_one_line`; else
/// with a member or an element a line.
std::string laid_out(const Json& value, std::size_t indent, bool on_one_line = false) {
  constexpr std::size_t kWidth = 100;
  const auto scalar = [](const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); };
  if (!value.is_structured() || value.empty()) return scalar(value);
  const std::string line = on_one_line ? "" : laid_out(value, indent, true);
  if (!on_one_line && indent + line.size() <= kWidth) return line;
  const std::string blanks(on_one_line ? 0 : indent + 2, ' ');
  std::vector<std::string> parts;
  for (const auto& [key, member] : value.items())
    parts.push_back(blanks + (value.is_object() ? scalar(key) + ": " : "") + laid_out(member, indent + 2, on_one_line));
  const char *open = value.is_object() ? "{" : "[", *close = value.is_object() ? "}" : "]";
  if (on_one_line) return fmt::format("{}{}{}", open, fmt::join(parts, ", "), close);
  return fmt::format("{}\n{}\n{}{}", open, fmt::join(parts, ",\n"), std::string(indent, ' '), close);
}

}  // namespace

Json starting_config(const std::string& name, const Json& data, const Dataset& dataset, const TimeBudget& budget) {
  const bool classes = dataset.task == Task::classification, unbalanced = is_unbalanced(rows_of_classes(dataset));
  TimeBudget of_each = budget;  // of the class weights that are tried
  if (unbalanced) of_each.seconds /= 2;
  // One metric of the training part chooses everything.
  const std::string by = unbalanced ? "loo_bac" : classes ? "loo_acc" : "loo_mse";
  const KernelPlan kernel = kernel_for(dataset, by, of_each, kOfMemory * available_memory());
  Json config = {{"name", name},
                 {"seed", 1},
                 {"budget", write_options(budget)},
                 {"data", data},
                 {"split", split_for(dataset)},
                 {"preprocess", {{"inputs", kernel.inputs}}},
                 {"select", {{"by", by}}},
                 {"save_model", true}};
  if (!classes) config["preprocess"]["targets"] = {{"scale", "standard"}};
  if (unbalanced) config["preprocess"]["targets"] = {{"class_weights", {nullptr, "balanced"}}};
  Json& cases = config["cases"] = Json::object();
  if (!kernel.model.is_null()) cases["kernel"] = {{"model", kernel.model}};
  const double scalings = kernel.inputs.is_array() ? static_cast<double>(kernel.inputs.size()) : 1;
  const NodesPlan& nodes = nodes_plan_for(dataset, scalings, of_each);
  const auto elm = [&](Json model, double networks, double share) {
    const double most = most_nodes(dataset, nodes, scalings * networks, share * of_each.seconds, of_each.gflops);
    std::set<int> sizes;
    for (const int part : nodes.shares) sizes.insert(static_cast<int>(std::max(1.0, rounded(most / part))));
    model["ridge"] = {{"logspace", {-7, 1, nodes.ridges}}};
    model["nodes"] = sizes;
    return Json{{"model", model}};
  };
  cases["elm"] = elm({{"family", "elm"},
                      {"algorithms", {"panel"}},
                      {"activation", "tanh"},
                      {"draw", nodes.draws},
                      {"weight_scale", nodes.scales}},
                     static_cast<double>(nodes.networks()), kOfNodes);
  if (kernel.model.is_null())
    cases["landmarks"] = elm(
        {{"family", "elm"}, {"algorithms", {"panel"}}, {"draw", "landmarks"}, {"kernel", "laplace_l1"}, {"length", 1}},
        1, kOfLandmarks);
  cases["linear"] = {{"model", {{"family", "linear"}, {"ridge", {{"logspace", {-3, 3, 7}}}}}}};
  if (!unbalanced) {  // networks of different class weights have different problems
    Json members = Json::array();
    for (const auto& [name_of_case, member] : cases.items()) members.push_back(name_of_case);
    cases["stack"] = {{"model", {{"family", "stack"}, {"of", members}}}};
  }
  Json& trivial = cases[classes ? "majority" : "mean"] = {{"model", {{"family", "mean"}}}};
  if (kernel.inputs.is_array()) trivial["preprocess"]["inputs"] = kernel.inputs[0];  // which change nothing
  if (unbalanced) trivial["preprocess"]["targets"]["class_weights"] = nullptr;
  return config;
}

std::string text_of_starting_config(const Json& config) {
  const auto comment_above = [&](const std::string& key) -> std::string {
    if (key == "split" && config[key].value("kind", "") == "time_series")
      return "  // The rows are in the order of time. Each fold is tested on later rows than it trains on.\n";
    if (key == "preprocess" && config.contains("/preprocess/targets/class_weights"_json_pointer))
      return "  // Some classes have few rows. Balanced weights give all classes the same total weight.\n";
    if (key == "select") return "  // Each fold chooses among the values by leave-one-out errors.\n";
    if (key == "save_model")
      return "  // out/NAME/model.h5 is the choice fitted on all rows: elmx predict out/NAME NEW.csv\n";
    if (key == "cases") return "  // linear and the last case are what a network has to beat.\n";
    return "";
  };
  std::vector<std::string> members;
  for (const auto& [key, value] : config.items())
    members.push_back(comment_above(key) + "  " + Json(key).dump() + ": " + laid_out(value, 2));
  return fmt::format(
      "// Edit this file and run it again. A list in place of one value is a sweep. See `elmx help KEY`.\n"
      "{{\n{}\n}}\n",
      fmt::join(members, ",\n"));
}

}  // namespace elmx
