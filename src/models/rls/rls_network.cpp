#include "models/rls/rls_network.hpp"

#include <fmt/core.h>

#include <cmath>

#include "base/numbers.hpp"
#include "nets/layers/convolution.hpp"
#include "nets/layers/dense.hpp"
#include "nets/layers/recurrent.hpp"

namespace elmx {
namespace {

// random numbers reserved for one parameter matrix
constexpr std::uint64_t kStride = std::uint64_t{1} << 40;

Activation activation_of(const LayerOptions& layer, const char* otherwise) {
  const std::string name = layer.activation.value_or(otherwise);
  return activation_from(name == "identity" ? "linear" : name);
}

ConvolutionOptions convolution_of(const LayerOptions& layer) {
  const std::vector<std::size_t> kernel = layer.kernel.value_or(std::vector<std::size_t>{3, 3});
  return {*layer.nodes, kernel[0], kernel[1], layer.stride.value_or(1), layer.padding.value_or(0)};
}

MaxPoolOptions max_pool_of(const LayerOptions& layer) {
  const std::vector<std::size_t> kernel = layer.kernel.value_or(std::vector<std::size_t>{2, 2});
  return {kernel[0], kernel[1], layer.stride.value_or(2)};
}

std::string show(const Shape& shape) {
  const std::string image = fmt::format("{} x {} x {}", shape.channels, shape.rows, shape.cols);
  return shape.steps > 1 ? fmt::format("{} steps of {}", shape.steps, image) : image;
}

/// Plans layer after layer.
class Planner {
 public:
  Planner(const RlsModelOptions& options, Shape input) : options_(options), shape_(input) {}

  void add(const LayerOptions& layer, const std::string& place) {
    if (layer.kind == "embedding") return add_embedding(layer, place);
    if (layer.kind == "convolution" || layer.kind == "max_pool") return add_window(layer, place);
    const uword nodes = *layer.nodes, inputs = shape_.features() + 1;
    if (layer.kind == "dense")
      return add_layer(layer, layer.kind, {shape_.steps, nodes},
                       {parameter("", layer, inputs, nodes, shape_.steps, fan_in(inputs))});
    const uword columns = layer.kind == "lstm" ? 4 * nodes : nodes;
    const double bound = 1 / std::sqrt(static_cast<double>(nodes));
    add_layer(layer, layer.kind, {shape_.steps, nodes},
              {parameter(".w", layer, inputs, columns, shape_.steps, bound),
               parameter(".v", layer, nodes + 1, columns, shape_.steps, bound)});
  }

  void add_last_step() { add_layer({}, "last_step", {1, shape_.channels, shape_.rows, shape_.cols}, {}); }

  void add_output(uword targets, const std::string& place) {
    if (targets % shape_.steps != 0) {
      throw ConfigError(
          place + "/outputs",
          fmt::format("{} targets cannot be divided evenly among {} steps; use \"last\"", targets, shape_.steps));
    }
    const uword outputs = targets / shape_.steps, inputs = shape_.features() + 1;
    PlannedParameter planned = parameter("", {}, inputs, outputs, shape_.steps, fan_in(inputs));
    planned.output = true;
    planned.eta = options_.eta_layers == "all" ? options_.eta : 1;
    add_layer({}, "output", {shape_.steps, outputs}, {planned});
  }

  const Shape& shape() const { return shape_; }
  std::vector<PlannedLayer> take() { return std::move(layers_); }

 private:
  static double fan_in(uword inputs) { return 1 / std::sqrt(static_cast<double>(inputs - 1)); }

  PlannedParameter parameter(const std::string& part, const LayerOptions& layer, uword q, uword r, uword rows,
                             double bound) const {
    const std::size_t number = layers_.size() + 1;
    return {std::to_string(number) + part,
            number,
            false,
            q,
            r,
            rows,
            bound,
            layer.k.value_or(options_.k),
            layer.eta.value_or(options_.eta),
            layer.forgetting.value_or(options_.forgetting)};
  }

  void add_layer(const LayerOptions& layer, const std::string& kind, const Shape& output,
                 std::vector<PlannedParameter> parameters) {
    layers_.push_back({layer, kind, shape_, output, std::move(parameters)});
    shape_ = output;
  }

  void add_embedding(const LayerOptions& layer, const std::string& place) {
    if (!layers_.empty())
      throw ConfigError(place + "/kind", "an \"embedding\" reads tokens, so it must be the first layer");
    if (shape_.features() != 1) {
      throw ConfigError(place + "/kind", fmt::format("an \"embedding\" needs one token per step, found {}; set "
                                                     "model.input.steps to the number of tokens",
                                                     show(shape_)));
    }
    add_layer(layer, layer.kind, {shape_.steps, *layer.nodes}, {});
  }

  void add_window(const LayerOptions& layer, const std::string& place) {
    const bool pool = layer.kind == "max_pool";
    const ConvolutionOptions window = pool ? ConvolutionOptions{shape_.channels, max_pool_of(layer).rows,
                                                                max_pool_of(layer).cols, max_pool_of(layer).stride, 0}
                                           : convolution_of(layer);
    const uword rows = shape_.rows + 2 * window.padding, cols = shape_.cols + 2 * window.padding;
    if (shape_.steps > 1)
      throw ConfigError(place + "/kind", fmt::format("a layer of kind \"{}\" needs images, found a sequence of {}",
                                                     layer.kind, show(shape_)));
    if (window.kernel_rows > rows || window.kernel_cols > cols) {
      throw ConfigError(
          place + "/kernel",
          fmt::format("{} x {} is larger than the image of {}{}; use a smaller kernel, or set the size of "
                      "an image in model.input",
                      window.kernel_rows, window.kernel_cols, show(shape_),
                      window.padding > 0 ? " padded by " + std::to_string(window.padding) : ""));
    }
    const Shape output{1, window.channels, (rows - window.kernel_rows) / window.stride + 1,
                       (cols - window.kernel_cols) / window.stride + 1};
    if (pool) return add_layer(layer, layer.kind, output, {});
    const uword inputs = shape_.channels * window.kernel_rows * window.kernel_cols + 1;
    add_layer(layer, layer.kind, output,
              {parameter("", layer, inputs, window.channels, output.rows * output.cols, fan_in(inputs))});
  }

  const RlsModelOptions& options_;
  Shape shape_;
  std::vector<PlannedLayer> layers_;
};

template <class T>
arma::Mat<T> draw(const PlannedParameter& planned, const Rng& rng, std::uint64_t number) {
  arma::Mat<T> Theta(planned.inputs, planned.outputs);
  for (uword i = 0; i < Theta.n_elem; ++i)
    Theta(i) = static_cast<T>(planned.bound * (2 * rng.uniform(number * kStride + i) - 1));
  return Theta;
}

template <class T>
arma::Mat<T> word_vectors(uword words, uword dimension, const Rng& rng) {
  arma::Mat<T> table(words, dimension, arma::fill::zeros);
  for (uword word = 1; word < words; ++word) {
    for (uword e = 0; e < dimension; ++e) table(word, e) = static_cast<T>(rng.normal(word * dimension + e));
  }
  return table;
}

/// Returns the shape of a sample of `inputs` numbers. Throws ConfigError.
Shape input_shape(const RlsModelOptions& options, uword inputs, const std::string& place) {
  const RlsModelOptions::Input& given = options.input;
  Shape shape{given.steps, given.channels, given.rows, given.cols};
  const uword rest = product_of_sizes({given.steps, given.rows, given.cols});
  if (shape.channels == 0 && inputs % rest == 0) shape.channels = inputs / rest;
  if (product_of_sizes({shape.steps, shape.channels, shape.rows, shape.cols}) != inputs || inputs == 0) {
    throw ConfigError(
        place + "/input",
        fmt::format("expected steps x channels x rows x cols = {}, the number of inputs of the data, found "
                    "{} x {} x {} x {}",
                    inputs, given.steps, given.channels ? std::to_string(given.channels) : "?", given.rows,
                    given.cols));
  }
  return shape;
}

}  // namespace

std::vector<PlannedLayer> plan_network(const RlsModelOptions& options, uword inputs, uword outputs,
                                       const std::string& place) {
  Planner planner(options, input_shape(options, inputs, place));
  for (std::size_t l = 0; l < options.layers.size(); ++l)
    planner.add(options.layers[l], fmt::format("{}/layers/{}", place, l));
  if (options.outputs == "last" && planner.shape().steps > 1) planner.add_last_step();
  planner.add_output(outputs, place);
  return planner.take();
}

std::map<std::string, double> rls_ratios(const std::vector<PlannedLayer>& plan, double batch) {
  std::map<std::string, double> ratios;
  for (const PlannedLayer& layer : plan) {
    if (layer.parameters.empty()) continue;
    double sgd = 0, with_rls = 0, parameters = 0, squares = 0;
    for (const PlannedParameter& p : layer.parameters) {
      const auto q = static_cast<double>(p.inputs), r = static_cast<double>(p.outputs),
                 B = batch * static_cast<double>(p.rows);
      sgd += 2 * B * q * r;
      with_rls += 2 * B * q * r + rls_algorithm("rls").step_flops(p.output, q, r, B);
      parameters += q * r;
      squares += q * q;
    }
    const std::string sizes = fmt::format(
        "{}x{}", layer.input.channels * (layer.kind == "convolution" ? 1 : layer.input.rows * layer.input.cols),
        layer.output.channels);
    ratios["time_ratio " + sizes] = with_rls / sgd;
    ratios["space_ratio " + sizes] = (parameters + squares) / parameters;
  }
  return ratios;
}

template <class T>
NetworkParameters<T> draw_parameters(const std::vector<PlannedLayer>& plan, const Rng& rng) {
  NetworkParameters<T> drawn;
  std::uint64_t number = 0;
  for (const PlannedLayer& layer : plan) {
    for (const PlannedParameter& parameter : layer.parameters)
      drawn[parameter.name] = draw<T>(parameter, rng, number++);
    if (layer.kind == "embedding") {
      drawn[kWords] = word_vectors<T>(layer.options.words(), *layer.options.nodes, rng.with(Purpose::enhancement));
    }
  }
  return drawn;
}

template <class T>
Network<T> build_network(const std::vector<PlannedLayer>& plan, NetworkParameters<T> parameters) {
  Network<T> network(plan.front().input);
  for (const PlannedLayer& layer : plan) {
    std::vector<Parameter<T>> drawn;
    for (const PlannedParameter& planned : layer.parameters) {
      Parameter<T>& parameter = drawn.emplace_back();
      parameter.name = planned.name;
      parameter.layer = planned.layer;
      parameter.Theta = std::move(parameters.at(planned.name));
    }
    const LayerOptions& options = layer.options;
    if (layer.kind == "dense")
      network.add(std::make_unique<Dense<T>>(layer.input, drawn[0], activation_of(options, "relu")));
    if (layer.kind == "output") network.add(std::make_unique<Dense<T>>(layer.input, drawn[0], Activation::linear));
    if (layer.kind == "convolution") {
      network.add(std::make_unique<Convolution<T>>(layer.input, convolution_of(options), drawn[0],
                                                   activation_of(options, "relu")));
    }
    if (layer.kind == "max_pool") network.add(std::make_unique<MaxPool<T>>(layer.input, max_pool_of(options)));
    if (layer.kind == "recurrent")
      network.add(std::make_unique<Recurrent<T>>(layer.input, drawn[0], drawn[1], activation_of(options, "tanh")));
    if (layer.kind == "lstm") network.add(std::make_unique<Lstm<T>>(layer.input, drawn[0], drawn[1]));
    if (layer.kind == "embedding") {
      network.add(std::make_unique<Embedding<T>>(layer.input, std::move(parameters.at(kWords))));
    }
    if (layer.kind == "last_step") network.add(std::make_unique<LastStep<T>>(layer.input));
  }
  return network;
}

template <class T>
Training<T> build_training(const RlsModelOptions& options, const RlsAlgorithm& algorithm,
                           const std::vector<PlannedLayer>& plan, const Rng& rng) {
  Network<T> network = build_network<T>(plan, draw_parameters<T>(plan, rng));
  const std::vector<Parameter<T>*> parameters = network.parameters();
  std::vector<std::unique_ptr<Optimiser<T>>> optimisers;
  for (const PlannedLayer& layer : plan) {
    for (const PlannedParameter& planned : layer.parameters) {
      Parameter<T>& parameter = *parameters[optimisers.size()];
      const OptimiserKind kind = planned.output ? algorithm.output : algorithm.hidden;
      if (kind == OptimiserKind::adam) {
        optimisers.push_back(std::make_unique<Adam<T>>(options.adam, parameter));
      } else if (kind == OptimiserKind::sgd) {
        optimisers.push_back(std::make_unique<Sgd<T>>(options.sgd, parameter));
      } else {
        const RlsOptions rls{.forgetting = planned.forgetting,
                             .k = planned.k,
                             .eta = planned.eta,
                             .momentum = algorithm.momentum ? options.momentum : 0,
                             .l1 = algorithm.l1 ? options.l1 : 0,
                             .l1_bias = options.l1_bias,
                             .bias_in_p = options.bias_in_p.value_or(true),
                             .p_trace_max = options.p_trace_max};
        optimisers.push_back(std::make_unique<Rls<T>>(rls, parameter, planned.rows * options.batch));
      }
    }
  }
  return Training<T>(std::move(network), Loss<T>(options.loss_kind()), options.clip_options(), std::move(optimisers));
}

template Training<float> build_training(const RlsModelOptions&, const RlsAlgorithm&, const std::vector<PlannedLayer>&,
                                        const Rng&);
template Training<double> build_training(const RlsModelOptions&, const RlsAlgorithm&, const std::vector<PlannedLayer>&,
                                         const Rng&);
template Network<float> build_network(const std::vector<PlannedLayer>&, NetworkParameters<float>);
template Network<double> build_network(const std::vector<PlannedLayer>&, NetworkParameters<double>);
template NetworkParameters<float> draw_parameters(const std::vector<PlannedLayer>&, const Rng&);
template NetworkParameters<double> draw_parameters(const std::vector<PlannedLayer>&, const Rng&);

}  // namespace elmx
