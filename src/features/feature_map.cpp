#include "features/feature_map.hpp"

#include <algorithm>

#include "features/network_output.hpp"

namespace elmx {
namespace {

/// Returns [H X] of the samples first .. first + H.n_rows - 1 as inputs of the layer above, in double.
template <class T>
arma::mat with_inputs(const arma::Mat<T>& H, const Inputs& inputs, uword first) {
  arma::Mat<T> joined(H.n_rows, H.n_cols + inputs.dimension());
  joined.head_cols(H.n_cols) = H;
  inputs.block(first, H.n_rows, joined.colptr(H.n_cols));
  return arma::conv_to<arma::mat>::from(joined);
}

/// Implements each kind of map.
template <class T>
struct Maps {
  using Map = FeatureMap<T>;

  static uword columns(const typename Map::Nodes& map) { return map.nodes.count(); }
  static uword columns(const typename Map::DirectLinks& map) { return map.inputs; }
  static uword columns(const typename Map::Broad& map) { return map->sizes().back(); }
  static uword columns(const typename Map::Layers& map) {
    if (map.last_only) return map.layers.back().count();
    uword sum = 0;
    for (const HiddenNodes& layer : map.layers) sum += layer.count();
    return sum;
  }
  static uword columns(const typename Map::SideBySide& map) {
    uword sum = 0;
    for (const Map& one : map.maps) sum += one.columns();
    return sum;
  }

  static uword columns(const typename Map::Landmarks& map) { return map->count(); }

  static void form(const typename Map::Landmarks& map, const Inputs& inputs, uword first, View<T> A) {
    if constexpr (std::same_as<T, double>) return map->outputs(inputs, first, A);
    expects(false, "FeatureMap: landmarks are in double precision");
  }

  static void form(const typename Map::Broad& map, const Inputs& inputs, uword first, View<T> A) {
    map->outputs(inputs, first, A);
  }

  static void form(const typename Map::Nodes& map, const Inputs& inputs, uword first, View<T> A) {
    map.nodes.outputs(inputs, first, A);
    if (map.factor == 1) return;
    for (uword j = 0; j < A.cols; ++j) {
      for (uword i = 0; i < A.rows; ++i) A(i, j) *= static_cast<T>(map.factor);
    }
  }

  static void form(const typename Map::DirectLinks& map, const Inputs& inputs, uword first, View<T> A) {
    expects(inputs.dimension() == map.inputs && A.cols <= map.inputs, "DirectLinks: a column for each input");
    arma::Mat<T> X(std::min(kFullBlock, A.rows), map.inputs);
    for (uword row = 0; row < A.rows; row += kFullBlock) {
      const uword count = std::min(kFullBlock, A.rows - row);
      inputs.block(first + row, count, X.memptr());
      for (uword j = 0; j < A.cols; ++j) std::copy_n(X.memptr() + j * count, count, &A(row, j));
    }
  }

  static void form(const typename Map::SideBySide& map, const Inputs& inputs, uword first, View<T> A) {
    uword column = 0;
    for (const Map& one : map.maps) {
      const uword count = std::min(one.columns(), A.cols - column);
      if (count > 0) one.outputs(inputs, first, A.block(0, column, A.rows, count));
      column += count;
    }
  }

  static void form_only(const typename Map::Nodes& map, const arma::uvec& columns, const Inputs& inputs, uword first,
                        View<T> A) {
    form(typename Map::Nodes{map.nodes.only(columns), map.factor}, inputs, first, A);
  }

  static void form_only(const typename Map::SideBySide& map, const arma::uvec& columns, const Inputs& inputs,
                        uword first, View<T> A) {
    uword column = 0;
    for (const Map& one : map.maps) {
      const arma::uvec of_one = arma::find(columns >= column && columns < column + one.columns());
      if (!of_one.is_empty())
        one.outputs_of(columns(of_one) - column, inputs, first, A.block(0, of_one.front(), A.rows, of_one.n_elem));
      column += one.columns();
    }
  }

  template <class Other>
  static void form_only(const Other& map, const arma::uvec& columns, const Inputs& inputs, uword first, View<T> A) {
    elmx::form_only<T>(
        columns, [&](uword row, View<T> all) { form(map, inputs, row, all); }, first, A);
  }

  static void form(const typename Map::Layers& map, const Inputs& inputs, uword first, View<T> A) {
    for (uword row = 0; row < A.rows; row += kTogether) {
      const uword count = std::min(kTogether, A.rows - row);
      arma::Mat<T> H;
      uword column = 0;
      for (std::size_t s = 0; s < map.layers.size() && column < A.cols; ++s) {
        const HiddenNodes& layer = map.layers[s];
        arma::Mat<T> above(count, layer.count());
        if (s == 0) {
          layer.outputs(inputs, first + row, View<T>(above));
        } else {
          const arma::mat below = with_inputs(H, inputs, first + row);
          const Scaler as_it_is{arma::rowvec(below.n_cols, arma::fill::zeros),
                                arma::rowvec(below.n_cols, arma::fill::ones)};
          layer.outputs(Inputs{below, arma::regspace<arma::uvec>(0, count - 1), as_it_is}, 0, View<T>(above));
        }
        H = std::move(above);
        if (map.last_only && s + 1 < map.layers.size()) continue;
        const uword shown = std::min(H.n_cols, A.cols - column);
        for (uword j = 0; j < shown; ++j) std::copy_n(H.colptr(j), count, &A(row, column + j));
        column += shown;
      }
    }
  }
};

}  // namespace

template <class T>
FeatureMap<T>::FeatureMap(Kind kind) : kind_(std::move(kind)) {}

template <class T>
uword FeatureMap<T>::columns() const {
  return std::visit([](const auto& map) { return Maps<T>::columns(map); }, kind_);
}

template <class T>
void FeatureMap<T>::outputs(const Inputs& inputs, uword first, View<T> A) const {
  expects(A.cols <= columns() && first + A.rows <= inputs.samples(), "FeatureMap: columns and samples exist");
  std::visit([&](const auto& map) { Maps<T>::form(map, inputs, first, A); }, kind_);
}

template <class T>
void FeatureMap<T>::outputs_of(const arma::uvec& columns, const Inputs& inputs, uword first, View<T> A) const {
  expects(A.cols == columns.n_elem && !columns.is_empty() && columns.back() < this->columns(),
          "FeatureMap: the columns exist");
  std::visit([&](const auto& map) { Maps<T>::form_only(map, columns, inputs, first, A); }, kind_);
}

template <class T>
void form_only(const arma::uvec& columns, const FormColumns<T>& form, uword first, View<T> A) {
  arma::Mat<T> all(A.rows, columns.back() + 1, arma::fill::none);
  form(first, View<T>(all));
  for (uword j = 0; j < A.cols; ++j) std::copy_n(all.colptr(columns(j)), A.rows, &A(0, j));
}

template void form_only(const arma::uvec&, const FormColumns<double>&, uword, View<double>);
template void form_only(const arma::uvec&, const FormColumns<float>&, uword, View<float>);
template class FeatureMap<double>;
template class FeatureMap<float>;

}  // namespace elmx
