#pragma once

#include <armadillo>
#include <type_traits>

#include "base/error.hpp"

namespace elmx {

using arma::uword;

/// A view of a block of a column-major matrix: entry (i, j) is data[i + j * ld].
template <class T>
struct View {
  T* data;
  uword rows;
  uword cols;
  uword ld;

  View(T* first, uword n_rows, uword n_cols, uword leading) : data(first), rows(n_rows), cols(n_cols), ld(leading) {}

  template <class M>
  requires std::same_as < std::remove_const_t<T>,
  typename std::remove_cvref_t<M>::elem_type > View(M&& matrix)
      : View(matrix.memptr(), matrix.n_rows, matrix.n_cols, matrix.n_rows) {}  // NOLINT: meant to convert

  operator View<const T>() const { return {data, rows, cols, ld}; }

  View block(uword row, uword col, uword n_rows, uword n_cols) const {
    expects(row + n_rows <= rows && col + n_cols <= cols, "View::block: inside the view");
    return {data + row + col * ld, n_rows, n_cols, ld};
  }
  View head_cols(uword n) const { return block(0, 0, rows, n); }
  View col(uword j) const { return block(0, j, rows, 1); }
  T& operator()(uword i, uword j) const { return data[i + j * ld]; }

  arma::Mat<std::remove_const_t<T>> copy() const {
    arma::Mat<std::remove_const_t<T>> out(rows, cols);
    for (uword j = 0; j < cols; ++j) std::copy_n(data + j * ld, rows, out.memptr() + j * rows);
    return out;
  }
};

}  // namespace elmx
