#include "nets/layers/embedding.hpp"

namespace elmx {

template <class T>
Embedding<T>::Embedding(const Shape& input, arma::Mat<T> table) : input_(input), table_(arma::trans(table)) {
  expects(input.features() == 1, "Embedding: one token a step");
}

template <class T>
View<const T> Embedding<T>::forward(View<const T> X, uword) {
  const uword E = table_.n_rows;
  const View<T> Y = signal(Y_, X.rows, E);
  for (uword i = 0; i < X.rows; ++i) {
    expects(X(i, 0) >= 0 && X(i, 0) < static_cast<T>(table_.n_cols), "Embedding: tokens are row numbers of the table");
    const T* word = table_.colptr(static_cast<uword>(X(i, 0)));
    for (uword e = 0; e < E; ++e) Y(i, e) = word[e];
  }
  return Y;
}

template class Embedding<float>;
template class Embedding<double>;

}  // namespace elmx
