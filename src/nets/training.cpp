#include "nets/training.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "linalg/blas.hpp"
#include "nets/layers/elementwise.hpp"

namespace elmx {

template <class T>
void Samples<T>::gather(std::span<const std::uint64_t> chosen, View<T> out) const {
  const uword M = chosen.size(), F = features();
  expects(out.rows == steps_ * M && out.cols >= F, "Samples::gather: out is (S M) x F");
  constexpr uword kBlock = 16;  // samples read side by side: one cache line of `out` at a time
#pragma omp parallel for schedule(static) if (M * columns_.n_rows > 32768)
  for (uword m = 0; m < M; m += kBlock) {
    const uword count = std::min(kBlock, M - m);
    for (uword t = 0; t < steps_; ++t) {
      for (uword f = 0; f < F; ++f) {
        T* to = &out(t * M + m, f);
        for (uword i = 0; i < count; ++i) to[i] = columns_(t * F + f, chosen[m + i]);
      }
    }
  }
}

template class Samples<float>;
template class Samples<double>;

template <class T>
View<const T> Network<T>::forward(View<const T> X, uword samples) {
  samples_ = samples;
  for (const auto& layer : layers_) X = layer->forward(X, samples);
  return X;
}

template <class T>
void Network<T>::backward(View<T> dZ) {
  // Layers before the first layer with parameters need no gradient.
  std::size_t first = 0;
  while (first < layers_.size() && layers_[first]->parameters().empty()) ++first;
  gradients_.resize(layers_.size());
  for (std::size_t l = layers_.size(); l-- > first;) {
    if (l == first) return layers_[l]->backward(dZ, nullptr);
    const Shape input = layers_[l - 1]->output();
    gradients_[l].set_size(input.steps * samples_, input.features());
    View<T> dX(gradients_[l]);
    layers_[l]->backward(dZ, &dX);
    dZ = dX;
  }
}

template <class T>
std::vector<Parameter<T>*> Network<T>::parameters() {
  std::vector<Parameter<T>*> all;
  for (const auto& layer : layers_) {
    for (Parameter<T>* parameter : layer->parameters()) all.push_back(parameter);
  }
  return all;
}

template class Network<float>;
template class Network<double>;

namespace {

/// Returns A A': rows x rows.
template <class T>
arma::Mat<T> outer_square(View<const T> A) {
  arma::Mat<T> G(A.rows, A.rows);
  gemm(Op::none, Op::transpose, T(1), A, A, T(0), View<T>(G));
  return G;
}

}  // namespace

template <class T>
double squared_norm(const Parameter<T>& parameter) {
  if (!parameter.X) return squared_sum(parameter.D.memptr(), parameter.D.n_elem);
  const arma::Mat<T> G = outer_square(*parameter.X), K = outer_square(*parameter.dZ);
  double sum = 0;
  for (uword i = 0; i < G.n_elem; ++i) sum += static_cast<double>(G(i)) * static_cast<double>(K(i));
  return std::max(sum, 0.0);
}

template <class T>
Training<T>::Training(Network<T> network, Loss<T> loss, ClipOptions clip,
                      std::vector<std::unique_ptr<Optimiser<T>>> optimisers)
    : network_(std::move(network)), loss_(loss), clip_(clip), optimisers_(std::move(optimisers)) {
  expects(optimisers_.size() == network_.parameters().size(), "Training: an optimiser for each parameter matrix");
}

template <class T>
StepSummary Training<T>::step(View<const T> X, View<const T> targets, uword samples) {
  StepSummary summary;
  const View<const T> Z = network_.forward(X, samples);
  dZ_.set_size(Z.rows, Z.cols - 1);
  summary.loss = loss_.evaluate(Z.head_cols(Z.cols - 1), targets, samples, View<T>(dZ_));
  network_.backward(View<T>(dZ_));

  const std::vector<Parameter<T>*> parameters = network_.parameters();
  std::map<std::size_t, double> squares;  // one entry per layer, or all under one key
  if (clip_.threshold > 0) {
    for (const Parameter<T>* parameter : parameters)
      squares[clip_.by_layer ? parameter->layer : 0] += squared_norm(*parameter);
    for (const auto& [layer, square] : squares) summary.norm += square;
    summary.norm = std::sqrt(summary.norm);
  }
  ++steps_;
  summary.finite = std::isfinite(summary.loss) && std::isfinite(summary.norm);
  for (std::size_t i = 0; i < parameters.size() && summary.finite; ++i) {
    Parameter<T>& parameter = *parameters[i];
    T clip = 1;
    if (clip_.threshold > 0) {
      const double norm = std::sqrt(squares[clip_.by_layer ? parameter.layer : 0]);
      clip = static_cast<T>(std::min(1.0, clip_.threshold / (norm + 1e-6)));
    }
    optimisers_[i]->update(parameter, clip, steps_);
    summary.finite = all_finite(parameter.Theta.memptr(), parameter.Theta.n_elem);
  }
  return summary;
}

template <class T>
std::vector<std::span<T>> Training<T>::state() {
  std::vector<std::span<T>> parts;
  for (Parameter<T>* parameter : network_.parameters())
    parts.emplace_back(parameter->Theta.memptr(), parameter->Theta.n_elem);
  for (const auto& optimiser : optimisers_) {
    for (const std::span<T> part : optimiser->state()) parts.push_back(part);
  }
  return parts;
}

template <class T>
bool Training<T>::has_wound_up(double limit) const {
  return std::ranges::any_of(optimisers_, [&](const auto& one) { return !(one->growth_of_P() <= limit); });
}

template double squared_norm(const Parameter<float>&);
template double squared_norm(const Parameter<double>&);
template class Training<float>;
template class Training<double>;

}  // namespace elmx
