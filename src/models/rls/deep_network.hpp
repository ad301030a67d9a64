#pragma once

#include <memory>
#include <span>

#include "models/rls/rls_network.hpp"
#include "models/trained_network.hpp"
#include "nets/training.hpp"

namespace elmx {

/// Returns the stored form of a deep network: each parameter matrix Theta (q x r, last row the bias) under
/// its name in the plan, and the vectors of an embedding (words x dimension) as "words". The layout lists
/// layers, shapes and parameters. rng: the Rng of the training.
template <class T>
TrainedNetwork deep_network(const std::vector<PlannedLayer>& plan, Network<T>& network, const Rng& rng);

/// Restores a network. Throws DataError if matrices are missing or do not fit.
template <class T>
std::unique_ptr<Predictor> restore_deep_network(const RlsModelOptions& model, const TrainedNetwork& network,
                                                const NetworkShape& shape);

/// Throws ConfigError if the inputs of an embedding are not numbers of its words.
void check_words(const std::vector<PlannedLayer>& plan, const Inputs& inputs);

template <class T>
Samples<T> samples_of(const Inputs& inputs, uword steps);

/// Copies the outputs ((steps m) x c) of m samples into their rows of Z (n x (steps c)).
template <class T>
void put_outputs(const arma::Mat<T>& outputs, std::span<const std::uint64_t> samples, arma::mat& Z);

inline constexpr uword kSamplesTogether = 128;

/// Calls visit(numbers of m samples, their outputs before a softmax) for all samples in order; the outputs,
/// (steps m) x c, may be overwritten. The network always gets the same number of samples, padded by the last
/// sample: the outputs of a sample do not depend on the others, to the last bit.
template <class T, class Visit>
void for_each_output(Network<T>& network, const Samples<T>& inputs, const Visit& visit) {
  const uword n = inputs.size(), steps = network.output().steps, c = network.output().features();
  std::vector<std::uint64_t> numbers(kSamplesTogether);
  arma::Mat<T> X, outputs;
  for (uword first = 0; first < n; first += kSamplesTogether) {
    const uword count = std::min(kSamplesTogether, n - first);
    for (uword m = 0; m < kSamplesTogether; ++m) numbers[m] = first + std::min(m, count - 1);
    inputs.gather(numbers, signal(X, inputs.steps() * kSamplesTogether, inputs.features()));
    const View<const T> Z = network.forward(X, kSamplesTogether);
    outputs.set_size(steps * count, c);
    for (uword t = 0; t < steps; ++t)
      outputs.rows(t * count, (t + 1) * count - 1) = Z.block(t * kSamplesTogether, 0, count, c).copy();
    visit(std::span<const std::uint64_t>(numbers).first(count), outputs);
  }
}

}  // namespace elmx
