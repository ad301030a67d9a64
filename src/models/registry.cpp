#include "models/registry.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "models/algorithm_names.hpp"
#include "models/bls/bls.hpp"
#include "models/dec/dec.hpp"
#include "models/dec/dec_algorithms.hpp"
#include "models/elm/elm.hpp"
#include "models/kernel/kernel.hpp"
#include "models/linear/linear.hpp"
#include "models/ridge/over_ranks.hpp"
#include "models/rls/rls.hpp"
#include "models/rls/rls_algorithms.hpp"
#include "models/rvfl/rvfl.hpp"
#include "models/s3elm/s3elm.hpp"
#include "models/s3elm/s3elm_algorithms.hpp"
#include "models/stack/stack.hpp"
#include "solvers/ridge_algorithms.hpp"

namespace elmx {
namespace {

template <class Options>
using MakeTrainer = std::unique_ptr<Trainer>(const std::vector<Options>&, FoldView, const Rng&);
template <class Options>
using CostOf = Cost(const std::vector<Options>&, const Sizes&);
template <class Options>
using Restore = std::unique_ptr<Predictor>(const Options&, const TrainedNetwork&, const NetworkShape&);

/// A model with the members of `Options`. An option that `Options` lacks counts as off.
template <class Options, CostOf<Options>* cost_of, Restore<Options>* restored>
class ModelOf final : public Model {
 public:
  ModelOf(const Json& model, const std::string& place, bool leave_one_out) {
    read_options(model, place, options_);
    if constexpr (requires { options_.ridge.search; }) {
      if (options_.ridge.search && !model.contains("algorithms")) options_.algorithms = {"path"};
    }
    if constexpr (requires { options_.leave_one_out; }) {
      if (leave_one_out) options_.leave_one_out = true;
    }
    options_.check(place);
  }

  const Options& options() const { return options_; }
  Json json() const override { return write_options(options_); }
  const std::vector<std::string>& algorithms() const override { return options_.algorithms; }
  std::size_t sizes() const override {
    if constexpr (requires { options_.sizes(); }) return options_.sizes().size();
    return 0;
  }
  bool single_precision() const override {
    if constexpr (requires { options_.single_answers(); }) {
      return options_.single_answers();
    } else if constexpr (requires { options_.precision.single_answers(); }) {
      return options_.precision.single_answers();
    } else if constexpr (requires { options_.precision; }) {
      return options_.precision != "double";
    }
    return false;
  }
  bool solves_ridge_problem(std::string_view algorithm) const override {
    if constexpr (requires { options_.solves_ridge_problem(algorithm); }) {
      if (!options_.solves_ridge_problem(algorithm)) return false;
    }
    return algorithm_of(options_.family, algorithm).ridge_solution;
  }
  bool measures_steps() const override {
    if constexpr (requires { options_.timing; }) return !options_.timing.at.empty();
    return false;
  }
  std::optional<ConfigError> needs_one_rank() const override {
    if constexpr (requires { options_.precision.arithmetic(); }) {
      bool leave_one_out = false;
      if constexpr (requires { options_.leave_one_out; }) leave_one_out = options_.leave_one_out.value_or(false);
      if constexpr (requires { options_.drawing; }) {
        if (const auto draw = options_.drawing.needs_one_rank()) return draw;
      }
      return elmx::needs_one_rank(options_.algorithms, options_.precision.arithmetic(), options_.reference,
                                  leave_one_out);
    } else {
      return ConfigError("/model/family",
                         "expected elm, bls or rvfl over several ranks; run other families without mpirun");
    }
  }
  Cost cost(std::size_t models, const Sizes& sizes) const override {
    return cost_of(std::vector<Options>(models, options_), sizes);
  }
  std::unique_ptr<Predictor> restore(const TrainedNetwork& network, const NetworkShape& shape) const override {
    return restored(options_, network, shape);
  }

 private:
  Options options_;
};

/// Makes the row of a family whose options are `Options`.
template <class Options, MakeTrainer<Options>* make, CostOf<Options>* cost_of, Restore<Options>* restored>
constexpr Family family(std::string_view name, std::string_view summary, std::string_view shared = "") {
  using Read = ModelOf<Options, cost_of, restored>;
  Family row;
  row.name = name;
  row.summary = summary;
  row.shared = shared;
  row.schema = schema_of<Options>;
  row.find_sweeps = find_sweeps<Options>;
  row.read = [](const Json& model, const std::string& place, bool leave_one_out) -> ModelPtr {
    return std::make_shared<const Read>(model, place, leave_one_out);
  };
  row.prepare = [](const std::vector<ModelPtr>& models, FoldView fold, const Rng& rng) {
    std::vector<Options> all;
    for (const ModelPtr& model : models) all.push_back(dynamic_cast<const Read&>(*model).options());
    return make(all, std::move(fold), rng);
  };
  return row;
}

/// Makes the row of stacks. A stack is trained from its members, which are cases of a config: see
/// StackTrainer.
constexpr Family stack_family() {
  Family row;
  row.name = kStackFamily;
  row.summary = "several cases combined by non-negative weights on their leave-one-out outputs";
  row.schema = schema_of<StackOptions>;
  row.find_sweeps = find_sweeps<StackOptions>;
  row.read = [](const Json& model, const std::string& place, bool) { return make_stack(model, place); };
  row.prepare = [](const std::vector<ModelPtr>&, FoldView, const Rng&) -> std::unique_ptr<Trainer> {
    throw std::logic_error("prepare: a stack is trained by its members");
  };
  return row;
}

constexpr Family with_ridge(Family row) {
  row.ridge = true;
  return row;
}

constexpr Family without_random_numbers(Family row) {
  row.random = false;
  return row;
}

constexpr Family with_output_bias(Family row) {
  row.output_bias = true;
  return row;
}

constexpr Family with_states(Family row) {
  row.keeps_states = true;
  return row;
}

constexpr std::array kFamilies{
    with_ridge(family<ElmOptions, make_elm, elm_cost, restore_elm>(
        "elm", "extreme learning machine that grows node by node", "/model/ridge")),
    with_ridge(family<BlsOptions, make_bls, bls_cost, restore_bls>(
        "bls", "broad learning system that grows by feature and enhancement nodes", "/model/ridge")),
    with_ridge(family<RvflOptions, make_rvfl, rvfl_cost, restore_rvfl>(
        "rvfl",
        "random vector functional link networks: hidden layers and direct links, one solution or an ensemble of the "
        "layers",
        "/model/ridge")),
    with_output_bias(with_ridge(family<KernelOptions, make_kernel, kernel_cost, restore_kernel>(
        "kernel", "kernel ridge regression (kernel ELM), the limit of many nodes", "/model/ridge"))),
    with_output_bias(without_random_numbers(with_ridge(family<LinearOptions, make_linear, linear_cost, restore_linear>(
        "linear", "ridge regression on the inputs, without hidden nodes", "/model/ridge")))),
    with_output_bias(without_random_numbers(with_ridge(family<MeanOptions, make_linear, linear_cost, restore_linear>(
        "mean", "the mean of the training targets, or the largest class, whatever the inputs are")))),
    with_output_bias(with_ridge(stack_family())),
    family<DecOptions, make_dec, dec_cost, restore_dec>("dec",
                                                        "perceptrons with one hidden layer, trained by decomposition"),
    family<S3elmModelOptions, make_s3elm, s3elm_cost, restore_s3elm>(
        "s3elm", "extreme learning machines of few labelled samples: supervised, or with a graph of all"),
    with_output_bias(with_states(family<RlsModelOptions, make_rls, rls_cost, restore_rls>(
        "rls", "deep networks of any layers, trained by recursive least squares, Adam or gradient descent"))),
};

/// Describes a step. Networks that grow by updates take the same step with every algorithm, unlike networks
/// that grow node by node.
std::string_view step_of(const RidgeAlgorithm& row, std::string_view family) {
  if (family != "elm") return "makes one update of the network";
  switch (row.kind) {
    case StepKind::node:
      return "adds one node";
    case StepKind::block:
      return "adds a block of nodes";
    default:
      return "solves the whole network";
  }
}

/// Builds the entry of a model that grows a ridge solution.
AlgorithmInfo info_of(const RidgeAlgorithm& row, std::string_view family) {
  AlgorithmInfo info{row.name,
                     family,
                     row.summary,
                     row.intermediate_flops(),
                     row.weight_flops(),
                     "l nodes, K samples, M outputs",
                     step_of(row, family),
                     row.ridge_solution};
  if (row.kind == StepKind::node) return info;
  info.intermediate_flops = row.block_flops;
  info.weight_flops = "";
  info.symbols = "l samples, k old and q added nodes";
  return info;
}

}  // namespace

std::span<const Family> families() { return kFamilies; }

std::string ridge_families() {
  std::string names;
  for (const Family& row : families()) {
    if (row.ridge) names += (names.empty() ? "" : ", ") + std::string(row.name);
  }
  return names;
}

const Family& family_of(const Json& model, const std::string& place) {
  require_object(model, place);
  const std::string name = model.contains("family") ? read_string(model["family"], place + "/family", {}) : "elm";
  const auto found = std::ranges::find(kFamilies, std::string_view(name), &Family::name);
  if (found != kFamilies.end()) return *found;
  throw ConfigError(place + "/family",
                    fmt::format("unknown family \"{}\"{}", name, suggest(name, names_of(kFamilies))));
}

std::vector<AlgorithmInfo> algorithms() {
  std::vector<AlgorithmInfo> all;
  for (const RidgeAlgorithm& row : ridge_algorithms()) all.push_back(info_of(row, "elm"));
  for (const char* family : {"bls", "rvfl"}) {
    for (const RidgeAlgorithm& row : block_algorithms()) {
      all.push_back(info_of(row, family));
      if (row.name == "standard") all.back().summary = "the whole network, solved anew at every size by Cholesky";
    }
  }
  for (const auto& [family, summary] : {std::pair("linear", "ridge regression on the inputs: no network"),
                                        std::pair("mean", "the mean of the targets, or the most frequent class")}) {
    all.push_back(info_of(ridge_algorithm("standard"), family));
    all.back().summary = summary;
  }
  all.push_back(info_of(ridge_algorithm("path"), "linear"));
  for (const KernelAlgorithm& row : kernel_algorithms()) {
    all.push_back({row.name, "kernel", row.summary, std::string(row.flops), "", "n samples, C outputs",
                   "solves the whole machine"});
  }
  all.push_back({"nnls", kStackFamily, "non-negative least squares on leave-one-out outputs", "n m^2 C + n m^3", "",
                 "n samples, m members, C outputs", "trains the members and weighs them", false});
  for (const DecAlgorithm& row : dec_algorithms()) {
    all.push_back({row.name, "dec", row.summary, std::string(row.flops), "",
                   "P samples, n inputs, N units, C outputs, I inner iterations a unit", row.step, row.ridge_solution});
  }
  for (const S3elmAlgorithm& row : s3elm_algorithms()) {
    all.push_back({row.name, "s3elm", row.summary, std::string(row.flops), "",
                   "n labelled of N samples, L nodes of which s are left, r rank of H, C outputs, I iterations",
                   "trains the whole network", row.ridge_solution});
  }
  for (const RlsAlgorithm& row : rls_algorithms()) {
    all.push_back({row.name, "rls", row.summary, std::string(row.flops), "",
                   "q inputs with the bias, r outputs of a layer, B samples, positions and steps of a batch",
                   "takes one batch", false});
  }
  return all;
}

AlgorithmInfo algorithm_of(std::string_view family, std::string_view algorithm) {
  for (const AlgorithmInfo& row : algorithms()) {
    if (row.family == family && row.name == algorithm) return row;
  }
  throw std::logic_error("algorithm_of: no such algorithm");
}

}  // namespace elmx
