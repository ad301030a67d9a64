#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "base/machine/machine.hpp"
#include "models/rls/rls_network.hpp"

namespace elmx {
namespace {

template <class T>
class DeepNetwork final : public Predictor {
 public:
  DeepNetwork(std::vector<PlannedLayer> plan, Network<T> network, LossKind loss)
      : plan_(std::move(plan)), network_(std::move(network)), loss_(loss) {}

  arma::mat outputs(const Inputs& inputs) override {
    check_words(plan_, inputs);
    arma::mat Z(inputs.samples(), network_.output().steps * network_.output().features());
    for_each_output(network_, samples_of<T>(inputs, network_.input().steps),
                    [&](std::span<const std::uint64_t> samples, arma::Mat<T>& outputs) {
                      loss_.to_outputs(View<T>(outputs));
                      put_outputs(outputs, samples, Z);
                    });
    return Z;
  }

 private:
  std::vector<PlannedLayer> plan_;
  Network<T> network_;
  Loss<T> loss_;
};

/// Returns the numbers of the signals of a batch, including patches of convolutions, without overflow.
double signal_numbers(const std::vector<PlannedLayer>& plan) {
  const auto of = [](const Shape& shape) {
    return static_cast<double>(shape.steps) *
           (static_cast<double>(shape.channels) * static_cast<double>(shape.rows) * static_cast<double>(shape.cols) +
            1);
  };
  double numbers = of(plan.front().input);
  for (const PlannedLayer& layer : plan) {
    numbers += of(layer.output);
    if (layer.kind == "convolution") {
      numbers += static_cast<double>(layer.output.rows) * static_cast<double>(layer.output.cols) *
                 static_cast<double>(layer.parameters[0].inputs);
    }
  }
  return numbers * static_cast<double>(kSamplesTogether);
}

Json as_json(const Shape& shape) {
  return {{"steps", shape.steps}, {"channels", shape.channels}, {"rows", shape.rows}, {"cols", shape.cols}};
}

}  // namespace

template <class T>
TrainedNetwork deep_network(const std::vector<PlannedLayer>& plan, Network<T>& network, const Rng& rng) {
  TrainedNetwork kept;
  for (const Parameter<T>* parameter : network.parameters()) kept.matrices[parameter->name] = parameter->Theta;
  if (plan.front().kind == "embedding") kept.matrices[kWords] = draw_parameters<T>(plan, rng).at(kWords);
  Json layers = Json::array();
  for (const PlannedLayer& layer : plan) {
    layers.push_back({{"kind", layer.kind},
                      {"input", as_json(layer.input)},
                      {"output", as_json(layer.output)},
                      {"parameters", names_of(layer.parameters)}});
  }
  kept.layout["layers"] = layers;
  return kept;
}

template <class T>
std::unique_ptr<Predictor> restore_deep_network(const RlsModelOptions& model, const TrainedNetwork& network,
                                                const NetworkShape& shape) {
  std::vector<PlannedLayer> plan = plan_network(model, shape.inputs, shape.outputs, "/model");
  refuse_beyond_memory("config/model/layers", "a batch of signals", sizeof(T) * signal_numbers(plan));
  NetworkParameters<T> parameters;
  for (const PlannedLayer& layer : plan) {
    for (const PlannedParameter& planned : layer.parameters) {
      parameters[planned.name] = network.matrix<T>(planned.name, planned.inputs, planned.outputs);
    }
    if (layer.kind == "embedding")
      parameters[kWords] = network.matrix<T>(kWords, layer.options.words(), *layer.options.nodes);
  }
  Network<T> built = build_network<T>(plan, std::move(parameters));
  return std::make_unique<DeepNetwork<T>>(std::move(plan), std::move(built), model.loss_kind());
}

/// Throws ConfigError if the inputs of an embedding are not numbers of its words.
void check_words(const std::vector<PlannedLayer>& plan, const Inputs& inputs) {
  if (plan.front().kind != "embedding") return;
  const std::size_t words = plan.front().options.words();
  std::vector<double> sample(inputs.dimension());
  for (uword i = 0; i < inputs.samples(); ++i) {
    inputs.block(i, 1, sample.data());
    for (const double word : sample) {
      if (word >= 0 && word < static_cast<double>(words) && word == std::floor(word)) continue;
      throw ConfigError("/model/layers/0/vocabulary",
                        fmt::format("a vocabulary of {} needs inputs that are integers from 0 to {}, found {}; use a "
                                    "larger vocabulary, and do not scale the inputs (preprocess.inputs=none)",
                                    words, words - 1, Json(word).dump()));
    }
  }
}

template <class T>
Samples<T> samples_of(const Inputs& inputs, uword steps) {
  constexpr uword kBlock = 1024;
  arma::Mat<T> columns(inputs.dimension(), inputs.samples());
  arma::Mat<T> block;
  for (uword first = 0; first < inputs.samples(); first += kBlock) {
    const uword count = std::min(kBlock, inputs.samples() - first);
    block.set_size(count, inputs.dimension());
    inputs.block(first, count, block.memptr());
    columns.cols(first, first + count - 1) = block.t();
  }
  return {std::move(columns), steps};
}

template <class T>
void put_outputs(const arma::Mat<T>& outputs, std::span<const std::uint64_t> samples, arma::mat& Z) {
  const uword m = samples.size(), c = outputs.n_cols;
  for (uword j = 0; j < Z.n_cols; ++j) {
    for (uword i = 0; i < m; ++i) Z(samples[i], j) = static_cast<double>(outputs(j / c * m + i, j % c));
  }
}

template TrainedNetwork deep_network(const std::vector<PlannedLayer>&, Network<float>&, const Rng&);
template TrainedNetwork deep_network(const std::vector<PlannedLayer>&, Network<double>&, const Rng&);
template std::unique_ptr<Predictor> restore_deep_network<float>(const RlsModelOptions&, const TrainedNetwork&,
                                                                const NetworkShape&);
template std::unique_ptr<Predictor> restore_deep_network<double>(const RlsModelOptions&, const TrainedNetwork&,
                                                                 const NetworkShape&);
template Samples<float> samples_of(const Inputs&, uword);
template Samples<double> samples_of(const Inputs&, uword);
template void put_outputs(const arma::fmat&, std::span<const std::uint64_t>, arma::mat&);
template void put_outputs(const arma::mat&, std::span<const std::uint64_t>, arma::mat&);

}  // namespace elmx
