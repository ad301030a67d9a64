#pragma once

#include <functional>

#include "nets/layers/dense.hpp"
#include "nets/loss.hpp"
#include "support/judge.hpp"
#include "support/problem.hpp"
#include "support/training.hpp"

// Networks of random parameters, layer by layer, and their gradients against central differences.

namespace elmx {

/// The way in: hands the signal on, and keeps what comes back. Its parameter, which the outputs do not depend
/// on, makes a network come back that far.
template <class T>
class Entry final : public Layer<T> {
 public:
  explicit Entry(const Shape& input) : input_(input), parameter_(parameter_of<T>(arma::mat(1, 1, arma::fill::zeros))) {}

  Shape output() const override { return input_; }
  View<const T> forward(View<const T> X, uword) override { return X; }
  void backward(View<T> dY, View<T>*) override {
    gradient = dY.copy();
    parameter_.D.zeros(1, 1);
    parameter_.x.ones(1);
  }
  std::vector<Parameter<T>*> parameters() override { return {&parameter_}; }

  arma::Mat<T> gradient;  // with respect to the input of the network

 private:
  Shape input_;
  Parameter<T> parameter_;
};

/// Of the size of the default initialisation, biases too. The layer is the number of parameters before it and
/// one.
template <class T>
Parameter<T> random_parameter(Network<T>& network, uword inputs, uword outputs, std::uint64_t seed = 11) {
  const auto layer = network.parameters().size() + 1;
  const double scale = 1 / std::sqrt(static_cast<double>(inputs));
  return parameter_of<T>(scale * normal_matrix(inputs + 1, outputs, seed, static_cast<std::uint32_t>(layer)), layer);
}

template <class T>
void add_dense(Network<T>& network, uword nodes, Activation activation) {
  const Shape input = network.output();
  network.add(std::make_unique<Dense<T>>(input, random_parameter(network, input.features(), nodes), activation));
}
template <class T>
void add_convolution(Network<T>& network, const ConvolutionOptions& options, Activation activation) {
  const Shape input = network.output();
  const uword patch = input.channels * options.kernel_rows * options.kernel_cols;
  network.add(
      std::make_unique<Convolution<T>>(input, options, random_parameter(network, patch, options.channels), activation));
}
template <class T>
void add_pool(Network<T>& network, const MaxPoolOptions& options) {
  network.add(std::make_unique<MaxPool<T>>(network.output(), options));
}
template <class T>
void add_recurrent(Network<T>& network, uword nodes, Activation activation) {
  const Shape input = network.output();
  const Parameter<T> w = random_parameter(network, input.features(), nodes);
  const Parameter<T> v = random_parameter(network, nodes, nodes, 12);
  network.add(std::make_unique<Recurrent<T>>(input, w, v, activation));
}
template <class T>
void add_lstm(Network<T>& network, uword nodes) {
  const Shape input = network.output();
  const Parameter<T> w = random_parameter(network, input.features(), 4 * nodes);
  const Parameter<T> v = random_parameter(network, nodes, 4 * nodes, 12);
  network.add(std::make_unique<Lstm<T>>(input, w, v));
}
template <class T>
void add_last_step(Network<T>& network) {
  network.add(std::make_unique<LastStep<T>>(network.output()));
}

/// Standard normal inputs of M samples with the column of ones.
inline arma::mat random_signal(const Shape& shape, uword samples, std::uint64_t seed = 21) {
  return with_ones(normal_matrix(shape.steps * samples, shape.features(), seed));
}

/// Outputs without the column of ones, which is looked at.
template <class T>
arma::Mat<T> outputs_of(Network<T>& network, const arma::Mat<T>& X, uword samples) {
  const arma::Mat<T> Y = network.forward(X, samples).copy();
  expects(arma::all(Y.col(Y.n_cols - 1) == T(1)), "the last column of a signal is 1");
  return Y.head_cols(Y.n_cols - 1);
}

/// J of outputs Z, and its gradient into dZ.
using SignalObjective = std::function<double(const arma::mat& Z, arma::mat& dZ)>;

/// <C, Z>, C random: drawn once.
inline SignalObjective random_objective() {
  return [C = arma::mat()](const arma::mat& Z, arma::mat& dZ) mutable {
    if (arma::size(C) != arma::size(Z)) C = normal_matrix(Z.n_rows, Z.n_cols, 31);
    dZ = C;
    return arma::dot(C, Z);
  };
}

inline SignalObjective loss_objective(LossKind kind, const arma::mat& targets, uword samples) {
  return [=](const arma::mat& Z, arma::mat& dZ) {
    dZ.set_size(arma::size(Z));
    return Loss<double>(kind).evaluate(Z, targets, samples, View<double>(dZ));
  };
}

/// A network in double that begins with an Entry, so that it has a gradient of its input too.
struct OpenNetwork {
  Network<double> network;
  Entry<double>* entry;
  arma::mat dZ;  // of the last call, which kept factors are views of

  explicit OpenNetwork(const Shape& input) : network(input) {
    auto first = std::make_unique<Entry<double>>(input);
    entry = first.get();
    network.add(std::move(first));
  }

  /// What `backward` finds of the input, then of the parameters.
  std::vector<arma::mat> gradients(const arma::mat& X, uword samples, const SignalObjective& J) {
    J(outputs_of(network, X, samples), dZ);
    network.backward(View<double>(dZ));
    std::vector<arma::mat> all;
    for (const Parameter<double>* parameter : network.parameters()) all.push_back(parameter->D);
    all.front() = entry->gradient;
    return all;
  }
};

/// The largest relative difference between a gradient and central differences of J, over the input and the
/// parameters. Of large matrices every so many entries are compared.
inline double gradient_error(OpenNetwork& open, const arma::mat& signal, uword samples,
                             const SignalObjective& J = random_objective()) {
  arma::mat X = signal;
  const std::vector<arma::mat> gradients = open.gradients(X, samples, J);
  const std::vector<Parameter<double>*> parameters = open.network.parameters();
  double worst = 0;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    arma::mat& point = i == 0 ? X : parameters[i]->Theta;  // of X all but the column of ones
    const uword n = i == 0 ? X.n_elem - X.n_rows : point.n_elem, stride = std::max<uword>(1, n / 50);
    if (gradients[i].n_elem != n) return std::numeric_limits<double>::infinity();
    std::vector<double> found, expected;
    for (uword e = 0; e < n; e += stride) {
      const double before = point(e), h = 1e-6 * std::max(1.0, std::abs(before));
      arma::mat ignored;
      point(e) = before + h;
      const double up = J(outputs_of(open.network, X, samples), ignored);
      point(e) = before - h;
      const double down = J(outputs_of(open.network, X, samples), ignored);
      point(e) = before;
      found.push_back(gradients[i](e));
      expected.push_back((up - down) / (2 * h));
    }
    const double difference = relative_difference(arma::mat(arma::vec(found)), arma::mat(arma::vec(expected)));
    worst = std::isnan(difference) ? std::numeric_limits<double>::infinity() : std::max(worst, difference);
  }
  return worst;
}

struct SequenceCase {
  uword steps, samples, inputs, nodes;
};
inline void PrintTo(const SequenceCase& c, std::ostream* out) {
  *out << "T" << c.steps << "_M" << c.samples << "_" << c.inputs << "x" << c.nodes;
}

}  // namespace elmx
