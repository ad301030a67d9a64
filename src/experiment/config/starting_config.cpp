#include "experiment/config/starting_config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <vector>

#include "base/machine/machine.hpp"
#include "data/table/usable.hpp"
#include "metrics/classification.hpp"

namespace elmx {
namespace {

constexpr arma::uword kFolds = 5;
constexpr arma::uword kFoldsOfTime = 6;              // with five no differences would be significant by Wilcoxon's test
constexpr double kRowsOfFrequentClass = 30;          // no training part of random folds lacks such a class
constexpr double kOfKernels = 0.4, kOfNodes = 0.15;  // of the budget
constexpr double kMostNodes = 2000;
constexpr double kOfMemory = 0.5;                // of what is there, for kernel matrices
constexpr std::array kShares{8, 4, 2, 1};        // of the most nodes
constexpr std::array kDraws{"sparse", "pairs"};  // of nodes
constexpr std::array kScales{1, 2};              // of their weights

/// Two digits.
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

/// Numbers of nodes: no more than training samples, and what the budget allows of `points` networks, each of
/// several ridge parameters.
std::vector<int> sizes_for(const Dataset& dataset, std::size_t points, const TimeBudget& budget) {
  const auto N = static_cast<double>(sizes_of_fold(dataset).train);
  // Products, leave-one-out errors and eigenvalues of the largest size; the others together take a third of
  // it.
  const auto flops = [&](double L) {
    return (kFolds + 1) * 4.0 / 3 * static_cast<double>(points) * (6 * N * L * L + 12 * L * L * L);
  };
  double most = std::min(N, kMostNodes);
  while (most > 10 && flops(most) > kOfNodes * budget.seconds * 1e9 * budget.gflops) most *= 0.95;
  std::set<int> sizes;
  for (const int share : kShares) sizes.insert(static_cast<int>(std::max(1.0, rounded(most / share))));
  return {sizes.begin(), sizes.end()};
}

/// Kernel machines of a config, and the scalings of the inputs that they and the other methods choose
/// between.
struct KernelPlan {
  Json model;
  Json inputs = "rank";
  double points = 1;
};

/// The first of these that takes no more than its part of the budget: exact machines of two kernels, of one,
/// in single precision, and the mean of machines of parts. No model where even that takes too long, for
/// predictions of the training part need the kernel matrix of all samples.
KernelPlan kernel_for(const Dataset& dataset, const TimeBudget& budget, double memory) {
  const bool classes = dataset.task == Task::classification;
  const Json base = {
      {"family", "kernel"}, {"kernel", "laplace_l1"}, {"choose", {{"by", classes ? "loo_acc" : "loo_mse"}}}};
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

std::vector<double> rows_of_classes(const Dataset& dataset) {
  std::vector<double> rows(dataset.classes.size(), 0);
  for (const auto label : dataset.labels) ++rows[label];
  return rows;
}

/// Returns true if one class has many times the rows of another: accuracy would reward a model that always
/// answers the largest.
bool is_unbalanced(const Dataset& dataset) {
  if (dataset.task != Task::classification) return false;
  const std::vector<double> rows = rows_of_classes(dataset);
  return std::ranges::max(rows) >= kUnbalanced * std::ranges::min(rows);
}

/// Returns true if the first of the runs of a time series, on which the first fold trains, has each class and
/// a value of each input.
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

/// Random folds, or where the rows are in the order of time those that test on later rows than they train on.
Json split_for(const Dataset& dataset) {
  const arma::uword rows = dataset.samples();
  if (!input_of_time_order(dataset).empty() && begins_with_everything(dataset, rows / (kFoldsOfTime + 1)))
    return {{"kind", "time_series"}, {"folds", kFoldsOfTime}};
  Json split = {{"kind", "k_fold"}, {"folds", std::min<arma::uword>(kFolds, rows)}};
  // Stratified folds know which class is the largest of the whole file, so that its share there would be
  // promised.
  if (dataset.task == Task::classification && std::ranges::min(rows_of_classes(dataset)) >= kRowsOfFrequentClass &&
      !is_unbalanced(dataset))
    split["stratified"] = false;
  return split;
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

Json starting_config(const std::string& name, const Json& data, const Dataset& dataset, const TimeBudget& budget) {
  const bool classes = dataset.task == Task::classification, unbalanced = is_unbalanced(dataset);
  TimeBudget of_each = budget;  // of the class weights that are tried
  if (unbalanced) of_each.seconds /= 2;
  const KernelPlan kernel = kernel_for(dataset, of_each, kOfMemory * available_memory());
  Json config = {{"name", name},
                 {"seed", 1},
                 {"budget", write_options(budget)},
                 {"data", data},
                 {"split", split_for(dataset)},
                 {"preprocess", {{"inputs", kernel.inputs}}},
                 {"select",
                  {{"by", unbalanced ? "loo_bac"
                          : classes  ? "loo_acc"
                                     : "loo_mse"}}},
                 {"save_model", true}};
  if (!classes) config["preprocess"]["targets"] = {{"scale", "standard"}};
  if (unbalanced) config["preprocess"]["targets"] = {{"class_weights", {nullptr, "balanced"}}};
  Json& cases = config["cases"] = Json::object();
  if (!kernel.model.is_null()) cases["kernel"] = {{"model", kernel.model}};
  const std::size_t scalings = kernel.inputs.is_array() ? kernel.inputs.size() : 1;
  const Json elm = {{"family", "elm"},
                    {"algorithms", {"panel"}},
                    {"activation", "tanh"},
                    {"draw", kDraws},
                    {"weight_scale", kScales},
                    {"ridge", {{"logspace", {-7, 1, 5}}}},
                    {"nodes", sizes_for(dataset, kDraws.size() * kScales.size() * scalings, of_each)}};
  cases["elm"] = {{"model", elm}};
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
      return "  // The rows are in the order of time: each fold is tested on rows that are later than those it trains "
             "on.\n";
    if (key == "preprocess" && config.contains("/preprocess/targets/class_weights"_json_pointer))
      return "  // A class is rare: with balanced weights all classes count alike, however many rows they have.\n";
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
