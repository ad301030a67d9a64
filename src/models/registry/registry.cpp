#include "models/registry/registry.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "models/bls/bls.hpp"
#include "models/dec/dec.hpp"
#include "models/elm/elm.hpp"
#include "models/kernel/kernel.hpp"
#include "models/linear/linear.hpp"
#include "models/ridge/ridge_trainer.hpp"
#include "models/rls/rls.hpp"
#include "models/rvfl/rvfl.hpp"
#include "models/s3elm/s3elm.hpp"
#include "models/stack/stack.hpp"

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
  explicit ModelOf(Options options) : options_(std::move(options)) {}

  const Options& options() const { return options_; }
  Json json() const override { return write_options(options_); }
  const std::vector<std::string>& algorithms() const override { return options_.algorithms; }
  std::size_t sizes() const override { return options_.sizes().size(); }
  bool single_precision() const override { return options_.single_answers(); }
  bool solves_ridge_problem(std::string_view algorithm) const override {
    return options_.solves_ridge_problem(algorithm) && algorithm_of(options_.family, algorithm).ridge_solution;
  }
  bool measures_steps() const override { return options_.measures_steps(); }
  std::optional<ConfigError> needs_one_rank() const override {
    if (std::ranges::find(families(), options_.family, &Family::name)->can.ranks) return options_.needs_one_rank();
    return ConfigError("/model/family", "expected one of " + families_with(&Capabilities::ranks) +
                                            " over several ranks; run other families without mpirun");
  }
  std::optional<ConfigError> not_saved(bool updatable) const override {
    if (const auto refused = options_.not_saved(updatable)) return refused;
    if (!updatable) return std::nullopt;
    for (const std::string& algorithm : options_.algorithms) {
      if (!solves_ridge_problem(algorithm))
        return ConfigError("/save_model", "\"updatable\" needs algorithms that solve the ridge problem; leave out " +
                                              algorithm + " of model.algorithms");
    }
    return std::nullopt;
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

/// Returns the options of a config, checked. options: the members that no config has.
template <class Options>
Options options_from(const Json& model, const std::string& place, bool leave_one_out, Options options = {}) {
  read_options(model, place, options);
  options.complete(model);
  if (leave_one_out) options.leave_one_out = true;
  options.check(place);
  return options;
}

/// Completes the row of a family whose options are `Options`.
template <class Options, MakeTrainer<Options>* make, CostOf<Options>* cost_of, Restore<Options>* restored>
constexpr Family family(Family row) {
  using Read = ModelOf<Options, cost_of, restored>;
  row.schema = schema_of<Options>;
  row.find_sweeps = find_sweeps<Options>;
  row.read = [](const Json& model, const std::string& place, bool leave_one_out) -> ModelPtr {
    return std::make_shared<const Read>(options_from<Options>(model, place, leave_one_out));
  };
  row.prepare = [](const std::vector<ModelPtr>& models, FoldView fold, const Rng& rng) {
    std::vector<Options> all;
    for (const ModelPtr& model : models) all.push_back(dynamic_cast<const Read&>(*model).options());
    return make(all, std::move(fold), rng);
  };
  return row;
}

template <RidgeNetwork Options>
constexpr Family ridge_family(Family row) {
  return family<Options, make_ridge_network<Options>, ridge_network_cost<Options>, restore_ridge_network<Options>>(row);
}

constexpr Capabilities kRidgeNetwork{.class_weights = true, .leave_one_out = true, .streaming = true, .ranks = true};

constexpr Capabilities kLinear{
    .class_weights = true, .leave_one_out = true, .streaming = true, .random = false, .output_bias = true};

constexpr std::array kFamilies{
    ridge_family<ElmOptions>({.name = "elm",
                              .summary = "extreme learning machine that grows node by node",
                              .shared = "/model/ridge",
                              .can = kRidgeNetwork,
                              .algorithms = elm_algorithms}),
    ridge_family<BlsOptions>({.name = "bls",
                              .summary = "broad learning system that grows by feature and enhancement nodes",
                              .shared = "/model/ridge",
                              .can = kRidgeNetwork,
                              .algorithms = block_algorithm_infos}),
    ridge_family<RvflOptions>(
        {.name = "rvfl",
         .summary = "random vector functional link networks: hidden layers and direct links, one solution or an "
                    "ensemble of the layers",
         .shared = "/model/ridge",
         .can = kRidgeNetwork,
         .algorithms = block_algorithm_infos}),
    family<KernelOptions, make_kernel, kernel_cost, restore_kernel>(
        {.name = "kernel",
         .summary = "kernel ridge regression (kernel ELM), the limit of many nodes",
         .shared = "/model/ridge",
         .can = {.class_weights = true, .leave_one_out = true, .streaming = true, .output_bias = true},
         .algorithms = kernel_algorithms}),
    ridge_family<LinearOptions>({.name = "linear",
                                 .summary = "ridge regression on the inputs, without hidden nodes",
                                 .shared = "/model/ridge",
                                 .can = kLinear,
                                 .algorithms = linear_algorithms}),
    ridge_family<MeanOptions>(
        {.name = "mean",
         .summary = "the mean of the training targets, or the largest class, whatever the inputs are",
         .can = kLinear,
         .algorithms = mean_algorithms}),
    family<StackOptions, make_stack, stack_cost, restore_stack>(
        {.name = kStackFamily,
         .summary = "several cases combined by non-negative weights on their leave-one-out outputs",
         .can = {.class_weights = true, .leave_one_out = true, .streaming = true, .output_bias = true},
         .algorithms = stack_algorithms}),
    family<DecOptions, make_dec, dec_cost, restore_dec>(
        {.name = "dec",
         .summary = "perceptrons with one hidden layer, trained by decomposition",
         .algorithms = dec_algorithms}),
    family<S3elmModelOptions, make_s3elm, s3elm_cost, restore_s3elm>(
        {.name = "s3elm",
         .summary = "extreme learning machines of few labelled samples: supervised, or with a graph of all",
         .algorithms = s3elm_algorithms}),
    family<RlsModelOptions, make_rls, rls_cost, restore_rls>(
        {.name = "rls",
         .summary = "deep networks of any layers, trained by recursive least squares, Adam or gradient descent",
         .can = {.output_bias = true, .states = true},
         .algorithms = rls_algorithms}),
};

}  // namespace

std::span<const Family> families() { return kFamilies; }

std::string families_with(bool Capabilities::*capability) {
  std::string names;
  for (const Family& row : families()) {
    if (row.can.*capability) names += (names.empty() ? "" : ", ") + std::string(row.name);
  }
  return names;
}

const Family& family_of(const Json& model, const std::string& place) {
  require_object(model, place);
  const std::string name = model.contains("family") ? read_string(model["family"], place + "/family", {}) : "elm";
  return named_row(kFamilies, name, place + "/family", "unknown family \"" + name + "\"");
}

ModelPtr read_stack(const Json& model, const std::string& place, std::vector<ModelsOfMember> members) {
  StackOptions options;
  options.members = std::move(members);
  return std::make_shared<const ModelOf<StackOptions, stack_cost, restore_stack>>(
      options_from(model, place, false, std::move(options)));
}

std::vector<AlgorithmInfo> algorithms() {
  std::vector<AlgorithmInfo> all;
  for (const Family& family : kFamilies) {
    for (AlgorithmInfo& row : family.algorithms()) {
      row.family = family.name;
      all.push_back(std::move(row));
    }
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
