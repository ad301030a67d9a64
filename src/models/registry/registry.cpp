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

/// Returns the options of a config, checked. options: the members that no config has.
template <class Options>
ModelPtr options_from(const Json& model, const std::string& place, bool leave_one_out, Options options = {}) {
  read_options(model, place, options);
  options.complete(model);
  if (leave_one_out) options.leave_one_out = true;
  options.check(place);
  return std::make_shared<const Options>(std::move(options));
}

/// Completes the row of a family whose options are `Options`.
template <class Options, MakeTrainer<Options>* make = make_ridge_network<Options>>
constexpr Family family(Family row) {
  row.algorithms = [] { return Options().known_algorithms(); };
  row.schema = schema_of<Options>;
  row.find_sweeps = find_sweeps<Options>;
  row.read = [](const Json& model, const std::string& place, bool leave_one_out) {
    return options_from<Options>(model, place, leave_one_out);
  };
  row.prepare = [](const std::vector<ModelPtr>& models, FoldView fold, const Rng& rng) {
    std::vector<Options> all;
    for (const ModelPtr& model : models) all.push_back(dynamic_cast<const Options&>(*model));
    return make(all, std::move(fold), rng);
  };
  return row;
}

constexpr Capabilities kRidgeNetwork{.class_weights = true, .leave_one_out = true, .streaming = true, .ranks = true};

constexpr Capabilities kLinear{
    .class_weights = true, .leave_one_out = true, .streaming = true, .random = false, .output_bias = true};

constexpr std::array kFamilies{
    family<ElmOptions>({.name = "elm",
                        .summary = "extreme learning machine that grows node by node",
                        .shared = "/model/ridge",
                        .can = kRidgeNetwork}),
    family<BlsOptions>({.name = "bls",
                        .summary = "broad learning system that grows by feature and enhancement nodes",
                        .shared = "/model/ridge",
                        .can = kRidgeNetwork}),
    family<RvflOptions>(
        {.name = "rvfl",
         .summary = "random vector functional link networks: hidden layers and direct links, one solution or an "
                    "ensemble of the layers",
         .shared = "/model/ridge",
         .can = kRidgeNetwork}),
    family<KernelOptions, make_kernel>(
        {.name = "kernel",
         .summary = "kernel ridge regression (kernel ELM), the limit of many nodes",
         .shared = "/model/ridge",
         .can = {.class_weights = true, .leave_one_out = true, .streaming = true, .output_bias = true}}),
    family<LinearOptions>({.name = "linear",
                           .summary = "ridge regression on the inputs, without hidden nodes",
                           .shared = "/model/ridge",
                           .can = kLinear}),
    family<MeanOptions>({.name = "mean",
                         .summary = "the mean of the training targets, or the largest class, whatever the inputs are",
                         .can = kLinear}),
    family<StackOptions, make_stack>(
        {.name = kStackFamily,
         .summary = "several cases combined by non-negative weights on their leave-one-out outputs",
         .can = {.class_weights = true, .leave_one_out = true, .streaming = true, .output_bias = true}}),
    family<DecOptions, make_dec>(
        {.name = "dec", .summary = "perceptrons with one hidden layer, trained by decomposition"}),
    family<S3elmModelOptions, make_s3elm>(
        {.name = "s3elm",
         .summary = "extreme learning machines of few labelled samples: supervised, or with a graph of all"}),
    family<RlsModelOptions, make_rls>(
        {.name = "rls",
         .summary = "deep networks of any layers, trained by recursive least squares, Adam or gradient descent",
         .can = {.output_bias = true, .states = true}}),
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
  return options_from(model, place, false, std::move(options));
}

std::optional<ConfigError> needs_one_rank(const Model& model) {
  if (std::ranges::find(families(), model.family, &Family::name)->can.ranks) return model.needs_one_rank();
  return ConfigError("/model/family", "expected one of " + families_with(&Capabilities::ranks) +
                                          " over several ranks; run other families without mpirun");
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
