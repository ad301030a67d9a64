#include "features/feature_map.hpp"

#include <algorithm>

namespace elmx {
namespace {

uword columns_of(const FeatureMap::Nodes& map) { return map.nodes.count(); }
uword columns_of(const FeatureMap::DirectLinks& map) { return map.inputs; }
uword columns_of(const FeatureMap::Stacked& map) { return map.layers.back().columns(); }
uword columns_of(const FeatureMap::SideBySide& map) {
  uword sum = 0;
  for (const FeatureMap& one : map.maps) sum += one.columns();
  return sum;
}

template <class T>
void form(const FeatureMap::Nodes& map, const Inputs& inputs, uword first, View<T> A) {
  map.nodes.outputs(inputs, first, A);
  if (map.factor == 1) return;
  for (uword j = 0; j < A.cols; ++j) {
    for (uword i = 0; i < A.rows; ++i) A(i, j) *= static_cast<T>(map.factor);
  }
}

template <class T>
void form(const FeatureMap::DirectLinks& map, const Inputs& inputs, uword first, View<T> A) {
  expects(inputs.dimension() == map.inputs && A.cols <= map.inputs, "DirectLinks: a column for each input");
  arma::Mat<T> X(std::min(kFullBlock, A.rows), map.inputs);
  for (uword row = 0; row < A.rows; row += kFullBlock) {
    const uword count = std::min(kFullBlock, A.rows - row);
    inputs.block(first + row, count, X.memptr());
    for (uword j = 0; j < A.cols; ++j) std::copy_n(X.memptr() + j * count, count, &A(row, j));
  }
}

template <class T>
void form(const FeatureMap::SideBySide& map, const Inputs& inputs, uword first, View<T> A) {
  uword column = 0;
  for (const FeatureMap& one : map.maps) {
    const uword count = std::min(one.columns(), A.cols - column);
    if (count > 0) one.outputs(inputs, first, A.block(0, column, A.rows, count));
    column += count;
  }
}

template <class T>
void form(const FeatureMap::Stacked& map, const Inputs& inputs, uword first, View<T> A) {
  constexpr uword kTogether = 8 * kFullBlock;
  for (uword row = 0; row < A.rows; row += kTogether) {
    const uword count = std::min(kTogether, A.rows - row);
    arma::mat below;  // a float is a double
    for (std::size_t i = 0; i < map.layers.size(); ++i) {
      const FeatureMap& layer = map.layers[i];
      const bool last = i + 1 == map.layers.size();
      arma::Mat<T> above(count, last ? 0 : layer.columns());
      const View<T> out = last ? A.block(row, 0, count, A.cols) : View<T>(above);
      if (i == 0) {
        layer.outputs(inputs, first + row, out);
      } else {
        const Scaler as_it_is{arma::rowvec(below.n_cols, arma::fill::zeros),
                              arma::rowvec(below.n_cols, arma::fill::ones)};
        layer.outputs(Inputs{below, arma::regspace<arma::uvec>(0, count - 1), as_it_is}, 0, out);
      }
      if (!last) below = arma::conv_to<arma::mat>::from(above);
    }
  }
}

}  // namespace

uword FeatureMap::columns() const {
  return std::visit([](const auto& map) { return columns_of(map); }, kind_);
}

template <class T>
void FeatureMap::outputs(const Inputs& inputs, uword first, View<T> A) const {
  expects(A.cols <= columns() && first + A.rows <= inputs.samples(), "FeatureMap: columns and samples exist");
  std::visit([&](const auto& map) { form(map, inputs, first, A); }, kind_);
}

template void FeatureMap::outputs(const Inputs&, uword, View<double>) const;
template void FeatureMap::outputs(const Inputs&, uword, View<float>) const;

}  // namespace elmx
