#include "nets/network.hpp"

namespace elmx {

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

}  // namespace elmx
