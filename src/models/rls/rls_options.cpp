#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "models/rls/rls.hpp"

namespace elmx {
namespace {

using enum OptimiserKind;

constexpr std::string_view kStep = "2 q^2 min(r, B) + 5 q^2";

constexpr std::array kAlgorithms{
    RlsAlgorithm{"rls", "recursive least squares by average approximation on all layers (Algorithms 1 and 2)", kStep,
                 rls, rls, false, false},
    RlsAlgorithm{"rls+m", "RLS with momentum (99)", kStep, rls, rls, true, false},
    RlsAlgorithm{"rls+r", "RLS with L1 regularisation (98)", "2 q^2 r + 5 q^2", rls, rls, false, true},
    RlsAlgorithm{"rls+m+r", "RLS with momentum and L1 regularisation (100)", "2 q^2 (r + min(r, B)) + 5 q^2", rls, rls,
                 true, true},
    RlsAlgorithm{"hrls", "RLS on the hidden layers, Adam on the output layer", kStep, rls, adam, false, false},
    RlsAlgorithm{"hrls+m", "HRLS with momentum", kStep, rls, adam, true, false},
    RlsAlgorithm{"hrls+r", "HRLS with L1 regularisation", "2 q^2 r + 5 q^2", rls, adam, false, true},
    RlsAlgorithm{"hrls+m+r", "HRLS with momentum and L1 regularisation", "2 q^2 (r + min(r, B)) + 5 q^2", rls, adam,
                 true, true},
    RlsAlgorithm{"adam", "Adam on all layers", "12 q r", adam, adam, false, false},
    RlsAlgorithm{"sgd", "gradient descent with momentum on all layers", "4 q r", sgd, sgd, false, false},
};

void check_layer(const LayerOptions& layer, const std::string& place) {
  const std::vector<std::string> trained{"dense", "convolution", "recurrent", "lstm"};
  refuse_options_of_others(
      {{"nodes", layer.nodes.has_value(), {"dense", "convolution", "recurrent", "lstm", "embedding"}},
       {"activation", layer.activation.has_value(), {"dense", "convolution", "recurrent"}},
       {"kernel", layer.kernel.has_value(), {"convolution", "max_pool"}},
       {"stride", layer.stride.has_value(), {"convolution", "max_pool"}},
       {"padding", layer.padding.has_value(), {"convolution"}},
       {"vocabulary", layer.vocabulary.has_value(), {"embedding"}},
       {"k", layer.k.has_value(), trained},
       {"eta", layer.eta.has_value(), trained},
       {"forgetting", layer.forgetting.has_value(), trained}},
      layer.kind, place, "has no effect in a layer of kind");
  if (!layer.nodes && layer.kind != "max_pool")
    throw ConfigError(place + "/nodes", "missing; set the number of nodes of the layer");
  if (layer.kernel && layer.kernel->size() != 2) {
    throw ConfigError(place + "/kernel", "expected [rows, columns], found " + Json(*layer.kernel).dump());
  }
}

}  // namespace

const RlsAlgorithm& rls_algorithm(std::string_view name) {
  const auto row = std::ranges::find(kAlgorithms, name, &RlsAlgorithm::name);
  expects(row != kAlgorithms.end(), "rls_algorithm: a known name");
  return *row;
}

std::vector<AlgorithmInfo> rls_algorithms() {
  std::vector<AlgorithmInfo> infos;
  for (const RlsAlgorithm& row : kAlgorithms) {
    infos.push_back(
        {.name = row.name,
         .summary = row.summary,
         .intermediate_flops = std::string(row.flops),
         .symbols = "q inputs with the bias, r outputs of a layer, B samples, positions and steps of a batch",
         .step = "takes one batch",
         .ridge_solution = false});
  }
  return infos;
}

void LayerOptions::fields(FieldVisitor& field) {
  field("kind", kind, "what it is", one_of({"dense", "convolution", "max_pool", "recurrent", "lstm", "embedding"}));
  field("nodes", nodes, "dense, recurrent, lstm: nodes; convolution: channels; embedding: dimension", between(1, 1e6));
  field("activation", activation, "dense, convolution (relu), recurrent (tanh)",
        one_of({"identity", "relu", "tanh", "sigmoid"}));
  field("kernel", kernel, "convolution ([3, 3]), max_pool ([2, 2]): rows and columns of the window", between(1, 1e4));
  field("stride", stride, "convolution (1), max_pool (2)", between(1, 1e4));
  field("padding", padding, "convolution (0): zeros on each side", between(0, 1e4));
  field("vocabulary", vocabulary, "embedding: number of words (10000)", between(1, 1e7));
  field("k", k, "of this layer, in place of the model's", at_least(0));
  field("eta", eta, "of this layer, in place of the model's", at_least(0));
  field("forgetting", forgetting, "of this layer, in place of the model's", between(1e-6, 1));
}

void RlsModelOptions::fields(FieldVisitor& field) {
  first_fields(field, "the algorithms compared, from the same random parameters, with the same batches",
               names_of(kAlgorithms));
  field("input", input, "what a sample is, where it is more than a vector");
  field("layers", layers,
        "the hidden layers; the output layer follows: dense, identity or, with cross entropy, softmax");
  field("outputs", outputs, "of a sequence: outputs at its last step, or at every step", one_of({"last", "all"}));
  field("loss", loss, "squared error (57), (87), or cross entropy of the softmax; RLS of the output layer needs mse",
        one_of({"mse", "cross_entropy"}));
  field("mse_scale", mse_scale,
        "half the sum over outputs and steps, averaged over samples, as printed, or the mean of all squares",
        one_of({"printed", "mean"}));
  field("precision", precision, "of all parameters and products", one_of({"single", "double"}));
  field("epochs", epochs, "passes over the training part, in random order", between(1, 1e7));
  field("report", report, "epochs that the tables show beside the last (plots have all)", at_least(1));
  field("batch", batch, "samples of a step; the last step of an epoch has what is left", between(1, 1e6));
  field("k", k, "RLS: the batch average of x x' is taken as k times the product of the averages", at_least(0));
  field("eta", eta, "RLS: multiplies the step", at_least(0));
  field("eta_layers", eta_layers, "RLS: the layers that eta is of; the output layer of hidden has 1",
        one_of({"hidden", "all"}));
  field("forgetting", forgetting, "RLS: forgetting factor (lambda of the paper)", between(1e-6, 1));
  field("momentum", momentum, "of the algorithms with +m (alpha of the paper)", between(0, 1));
  field("l1", l1, "of the algorithms with +r: weight of the L1 term (gamma of the paper)", at_least(0));
  field("l1_bias", l1_bias, "whether the L1 term is of the biases too, as printed");
  field(
      "bias_in_p", bias_in_p,
      "RLS: whether P has the bias: the averages end with 1 (true, also where nothing is said, as printed) or with 0");
  field("p_trace_max", p_trace_max,
        "RLS: P is not divided by the forgetting factor while its trace is above this; 0 = always", at_least(0));
  field("adam", adam, "Adam");
  field("sgd", sgd, "gradient descent with momentum");
  field("clip", clip, "gradient clipping");
}

std::vector<std::size_t> RlsModelOptions::reported() const {
  std::vector<std::size_t> all = report;
  all.push_back(epochs);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

LossKind RlsModelOptions::loss_kind() const {
  if (loss == "cross_entropy") return LossKind::cross_entropy;
  return mse_scale == "mean" ? LossKind::mse_mean : LossKind::mse;
}

void RlsModelOptions::check(const std::string& place) const {
  check_algorithms(names_of(kAlgorithms), place);
  for (std::size_t l = 0; l < layers.size(); ++l) check_layer(layers[l], fmt::format("{}/layers/{}", place, l));
  for (const std::size_t epoch : report) {
    if (epoch > epochs) {
      throw ConfigError(place + "/report", fmt::format("expected at most {} (model.epochs), found {}", epochs, epoch));
    }
  }
  for (const std::string& name : algorithms) {
    if (loss == "cross_entropy" && rls_algorithm(name).output == OptimiserKind::rls) {
      throw ConfigError(place + "/loss",
                        fmt::format("\"cross_entropy\" does not fit algorithm \"{}\", which trains the "
                                    "output layer by RLS; use \"mse\" or algorithm \"h{}\"",
                                    name, name));
    }
  }
}

}  // namespace elmx
