#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "models/rls/rls.hpp"
#include "models/rls/rls_network.hpp"

namespace elmx {
namespace {

using enum OptimiserKind;

constexpr double kCallsOfLayer = 20;  // forward, backward and the step of one layer

constexpr std::array kRlsAlgorithms{
    RlsAlgorithm{"rls", "recursive least squares by average approximation on all layers (Algorithms 1 and 2)", rls, rls,
                 false, false},
    RlsAlgorithm{"rls+m", "RLS with momentum (99)", rls, rls, true, false},
    RlsAlgorithm{"rls+r", "RLS with L1 regularisation (98)", rls, rls, false, true},
    RlsAlgorithm{"rls+m+r", "RLS with momentum and L1 regularisation (100)", rls, rls, true, true},
    RlsAlgorithm{"hrls", "RLS on the hidden layers, Adam on the output layer", rls, adam, false, false},
    RlsAlgorithm{"hrls+m", "HRLS with momentum", rls, adam, true, false},
    RlsAlgorithm{"hrls+r", "HRLS with L1 regularisation", rls, adam, false, true},
    RlsAlgorithm{"hrls+m+r", "HRLS with momentum and L1 regularisation", rls, adam, true, true},
    RlsAlgorithm{"adam", "Adam on all layers", adam, adam, false, false},
    RlsAlgorithm{"sgd", "gradient descent with momentum on all layers", sgd, sgd, false, false},
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
  return named_row(kRlsAlgorithms, name, "unknown algorithm");
}

std::vector<AlgorithmInfo> RlsModelOptions::known_algorithms() const {
  std::vector<AlgorithmInfo> infos;
  for (const RlsAlgorithm& row : kRlsAlgorithms) {
    infos.push_back(
        {.name = row.name,
         .summary = row.summary,
         .intermediate_flops = row.flops(),
         .symbols = "q inputs with the bias, r outputs of a layer, B samples, positions and steps of a batch",
         .step = "takes one batch",
         .ridge_solution = false});
  }
  return infos;
}

std::string RlsAlgorithm::flops() const {
  if (hidden == adam) return "12 q r";
  if (hidden == sgd) return "4 q r";
  return std::string("2 q^2 ") + (!l1 ? "min(r, B)" : momentum ? "(r + min(r, B))" : "r") + " + 5 q^2";
}

/// P times the gradient, by its factors if that is cheaper, or times its columns; P x and the change of P.
double RlsAlgorithm::step_flops(bool of_output, double q, double r, double B) const {
  const OptimiserKind kind = of_output ? output : hidden;
  if (kind != rls) return (kind == adam ? 12 : 4) * q * r;
  const double cheaper = cheaper_by_factors(q, r, B) ? B : r;
  return 2 * q * q * (!l1 ? cheaper : momentum ? r + cheaper : r) + 5 * q * q;
}

void LayerOptions::fields(FieldVisitor& field) {
  field("kind", kind, "kind of the layer",
        one_of({"dense", "convolution", "max_pool", "recurrent", "lstm", "embedding"}));
  field("nodes", nodes,
        "dense, recurrent, lstm: number of nodes; convolution: number of channels; embedding: its dimension",
        between(1, 1e6));
  field("activation", activation, "activation of dense and convolution (relu), and of recurrent (tanh)",
        one_of({"identity", "relu", "tanh", "sigmoid"}));
  field("kernel", kernel, "convolution ([3, 3]), max_pool ([2, 2]): rows and columns of the window", between(1, 1e4));
  field("stride", stride, "step of the window in convolution (1) and max_pool (2)", between(1, 1e4));
  field("padding", padding, "number of zeros on each side in convolution (0)", between(0, 1e4));
  field("vocabulary", vocabulary, "embedding: number of words (10000)", between(1, 1e7));
  field("k", k, "value for this layer, in place of the value for the model", at_least(0));
  field("eta", eta, "value for this layer, in place of the value for the model", at_least(0));
  field("forgetting", forgetting, "value for this layer, in place of the value for the model", between(1e-6, 1));
}

void RlsModelOptions::fields(FieldVisitor& field) {
  first_fields(field, "algorithms to compare, which start from the same random parameters and use the same batches");
  field("input", input, "shape of a sample that is more than a vector");
  field("layers", layers,
        "the hidden layers; a dense output layer follows them, with the identity or, for cross entropy, softmax");
  field("outputs", outputs, "sequences: whether outputs are those of the last step or of every step",
        one_of({"last", "all"}));
  field("loss", loss,
        "loss: squared error, (57) and (87), or cross entropy of the softmax; RLS of the output layer needs mse",
        one_of({"mse", "cross_entropy"}));
  field("mse_scale", mse_scale,
        "scale of the squared error: half the sum over outputs and steps, averaged over samples, as printed in the "
        "paper (printed), or the mean of all squares (mean)",
        one_of({"printed", "mean"}));
  field("precision", precision, "precision of all parameters and products", one_of({"single", "double"}));
  field("epochs", epochs, "number of passes over the training part, each in random order", between(1, 1e7));
  field("report", report, "epochs that the tables show in addition to the last (plots have all)", at_least(1));
  field("batch", batch, "number of samples of a step; the last step of an epoch has the remaining samples",
        between(1, 1e6));
  field("k", k, "RLS: the batch average of x x' is taken as k times the product of the averages", at_least(0));
  field("eta", eta, "RLS: factor of the step", at_least(0));
  field("eta_layers", eta_layers, "RLS: layers that eta applies to; with hidden, the output layer has eta = 1",
        one_of({"hidden", "all"}));
  field("forgetting", forgetting, "RLS: forgetting factor (lambda in the paper)", between(1e-6, 1));
  field("momentum", momentum, "momentum of the algorithms with +m (alpha in the paper)", between(0, 1));
  field("l1", l1, "weight of the L1 term of the algorithms with +r (gamma in the paper)", at_least(0));
  field("l1_bias", l1_bias, "whether the L1 term includes the biases, as printed in the paper");
  field("bias_in_p", bias_in_p,
        "RLS: whether P includes the bias; the averages end with 1 if true (the default, as printed in the paper) and "
        "with 0 if false");
  field("p_trace_max", p_trace_max,
        "RLS: P is not divided by the forgetting factor while its trace is above this number; 0: always divided",
        at_least(0));
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
  check_algorithms(place);
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

Cost RlsModelOptions::cost(std::size_t, const Sizes& sizes) const {
  const std::vector<PlannedLayer> plan = plan_network(*this, sizes.inputs, sizes.outputs, "/model");
  const auto M = static_cast<double>(std::min<uword>(batch, sizes.train)), n = static_cast<double>(sizes.train),
             test = static_cast<double>(sizes.test), passes = static_cast<double>(epochs);
  const double width = precision == "double" ? 8 : 4, flop = precision == "double" ? 1 : kSingleFlop;
  double signals = 0, parameters = 0, forward = 0, calls = 0;
  for (const PlannedLayer& layer : plan) {
    // the signal, its gradient, and the numbers for the backward pass
    const double gates = layer.kind == "lstm" ? 8 : layer.kind == "dense" || layer.kind == "output" ? 2 : 3;
    signals += gates * M * static_cast<double>(layer.output.steps * layer.output.features());
    if (layer.kind == "embedding") parameters += static_cast<double>(layer.options.words() * layer.output.features());
    calls += kCallsOfLayer * static_cast<double>(layer.output.steps);
    for (const PlannedParameter& p : layer.parameters) {
      const double numbers = static_cast<double>(p.inputs) * static_cast<double>(p.outputs);
      parameters += numbers;
      forward += 2 * M * static_cast<double>(p.rows) * numbers;
    }
  }
  Cost cost;
  double most = 0;  // numbers of the matrices P of an algorithm
  for (const std::string& name : algorithms) {
    const RlsAlgorithm& row = rls_algorithm(name);
    double squares = 0, step = 0;
    for (const PlannedLayer& layer : plan) {
      for (const PlannedParameter& p : layer.parameters) {
        const auto q = static_cast<double>(p.inputs);
        step += row.step_flops(p.output, q, static_cast<double>(p.outputs), M * static_cast<double>(p.rows));
        if ((p.output ? row.output : row.hidden) == rls) squares += q * q;
      }
    }
    most = std::max(most, squares);
    // P is read and written twice; parameters, their gradients, means and squares; signals.
    cost +=
        passes * n / M * Work{flop * (3 * forward + step), width * (4 * squares + 8 * parameters + 3 * signals), calls};
    cost.flops += flop * forward / M * (n * static_cast<double>(reported().size()) + passes * test);
  }
  const double samples = (n + test) * static_cast<double>(sizes.inputs + sizes.outputs);
  cost.bytes =
      width * (samples + signals + 4 * parameters + most) + 8 * (n + test) * static_cast<double>(sizes.outputs);
  return cost;
}

}  // namespace elmx
